import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item } from '../api/items';
import { icon } from '../ui/icons';
import { findActions, type OfferedAction } from './claims';
import { givenItem } from './host/values';
import { useUiStore, useUis } from './ui-context';
import { failureOf, UiFailure } from './ui-failure';
import type { UiStore } from './ui-store';

const MoreIcon = icon(<path d="M12 5v.2M12 12v.2M12 19v.2" strokeWidth={3} />);

/** Longest time that an action of a plugin may take. */
const actionTimeoutMs = 60_000;

interface ItemActionsProps {
  readonly type: string;
  readonly item: Item;
  /** Names the item for those who cannot see beside what the button stands. */
  readonly label: string;
}

/** A menu of what plugins do with an item; nothing where no plugin does anything. */
export function ItemActions({ type, item, label }: ItemActionsProps) {
  const actions = findActions(useUis(), type);
  return actions.length === 0 ? null : (
    <ActionsMenu key={item.id} actions={actions} type={type} item={item} label={label} />
  );
}

function ActionsMenu({
  actions,
  type,
  item,
  label,
}: ItemActionsProps & { readonly actions: readonly OfferedAction[] }) {
  const store = useUiStore();
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
  const name = `More actions for ${label}`;
  const run = async (offered: OfferedAction): Promise<void> => {
    setRunning(true);
    try {
      const said = await runAction(store, offered, type, item);
      notifications.show({ message: said ?? `${offered.action.title}: done`, color: 'green' });
      await client.invalidateQueries({ queryKey: ['items', type] });
    } catch (error) {
      const { displayName } = offered.plugin;
      notifications.show({
        title: `${offered.action.title} (${displayName}) failed`,
        message: failureOf(offered.plugin, error).message,
        color: 'red',
        autoClose: false,
      });
    } finally {
      setRunning(false);
    }
  };
  return (
    <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" title={name} aria-label={name} loading={running}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((offered) => (
          <Menu.Item key={`${offered.plugin.id} ${offered.action.name}`} onClick={() => void run(offered)}>
            {offered.action.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Loads the module when it is needed; one that failed before is tried again. */
async function runAction(
  store: UiStore,
  { plugin, action }: OfferedAction,
  type: string,
  item: Item,
): Promise<string | undefined> {
  if (store.stateOf(plugin.id).status === 'failed') store.retry(plugin);
  const find = async () => (await store.load(plugin)).itemActions?.[type]?.[action.name];
  let act = await find();
  if (act === undefined) {
    store.renew(plugin);
    act = await find();
  }
  if (act === undefined) throw new UiFailure(plugin, `Its module has no action ${action.name}.`);
  const signal = AbortSignal.timeout(actionTimeoutMs);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () =>
      reject(new UiFailure(plugin, `It did not end within ${actionTimeoutMs / 1000} seconds.`)),
    );
  });
  const said: unknown = await Promise.race([act({ type, item: givenItem(item), signal }), late]);
  return typeof said === 'string' ? said : undefined;
}
