import { ActionIcon, Menu } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import type { Item } from '../../../api/items';
import { itemLabel } from '../../../api/label';
import { may } from '../../../common/may';
import { ItemActionEntries, useItemActions } from '../../../plugin-ui/item-actions';
import { ClockIcon, CopyIcon, MoreIcon, TrashIcon } from '../../../ui/icons';

export interface ItemMenuProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  onDelete(): void;
}

/** Actions on the item of a page, except saving. */
export function ItemMenu({ metadata, item, onDelete }: ItemMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { actions, running, run } = useItemActions({ type: metadata.code, item });
  const list = `/content/${metadata.code}`;
  const name = `More actions for ${itemLabel(item).slice(0, 80)}`;
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size="lg"
          title={name}
          aria-label={name}
          loading={running}
        >
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may(metadata, 'create') ? (
          <Menu.Item component={Link} to={`${list}/new?from=${item.id}`} leftSection={<CopyIcon size={16} />}>
            Duplicate
          </Menu.Item>
        ) : null}
        <Menu.Item component={Link} to={`${list}/${item.id}/history`} leftSection={<ClockIcon size={16} />}>
          History
        </Menu.Item>
        {actions.length === 0 ? null : <Menu.Divider />}
        <ItemActionEntries actions={actions} run={run} />
        {may(metadata, 'delete') ? (
          <>
            <Menu.Divider />
            <Menu.Item
              className="quiet-danger"
              leftSection={<TrashIcon size={16} />}
              onClick={() => {
                // The entry goes; the dialog gives the focus back to what has it when it opens.
                button.current?.focus();
                onDelete();
              }}
            >
              Delete …
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
