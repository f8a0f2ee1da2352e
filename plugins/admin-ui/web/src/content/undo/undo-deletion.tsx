import { nameInSentence } from '../name-in-sentence';
import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ItemMetadata } from '@gantry/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { restoreItem } from '../../api/changes';
import type { Item } from '../../api/items';
import { itemLabel } from '../../api/label';
import { basePath } from '../../common/base-path';
import { may } from '../../common/may';
import { notifyUndoable } from './notify-undoable';
import { restoreReason } from './revert';

/** Says that an item was deleted, with the way back for who may create items. */
export function notifyDeleted(client: QueryClient, metadata: ItemMetadata, item: Item): void {
  const name = `${nameInSentence(metadata.displayName)} ${itemLabel(item).slice(0, 80)}`;
  const message = `Deleted ${name}`;
  if (!may(metadata, 'create')) {
    notifications.show({ message, color: 'green' });
    return;
  }
  notifyUndoable(message, () => void undo(client, metadata, item, name));
}

async function undo(client: QueryClient, { code, displayNamePlural }: ItemMetadata, item: Item, name: string) {
  try {
    await restoreItem({ type: code, id: item.id });
    notifications.show({ message: `Restored ${name}`, color: 'green' });
  } catch (error) {
    notifications.show({
      color: 'red',
      autoClose: false,
      title: `Not restored: ${name}`,
      message: (
        <>
          {restoreReason(error)} {/* Outside of the router, as every message. */}
          <Anchor href={`${basePath}/content/${code}/deleted`} inherit underline="always">
            View deleted {nameInSentence(displayNamePlural)}
          </Anchor>
        </>
      ),
    });
  }
  await client.invalidateQueries({ queryKey: ['items'] });
}
