import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item } from '../api/items';
import { findActions, type OfferedAction } from './claims';
import { givenItem } from './host/values';
import { useUiStore, useUis } from './ui-context';
import { failureOf, UiFailure } from './ui-failure';
import type { UiStore } from './ui-store';

/** Longest time that an action of a plugin may take. */
const actionTimeoutMs = 60_000;

export function ItemActionEntries({ actions, run }: Pick<RunnableActions, 'actions' | 'run'>) {
  return actions.map((offered) => (
    <Menu.Item key={`${offered.plugin.id} ${offered.action.name}`} onClick={() => run(offered)}>
      {offered.action.title}
    </Menu.Item>
  ));
}

export interface RunnableActions {
  readonly actions: readonly OfferedAction[];
  readonly running: boolean;
  /** Runs an action and shows what came of it. */
  run(action: OfferedAction): void;
}

/** Actions of plugins on an item. */
export function useItemActions({ type, item }: { readonly type: string; readonly item: Item }): RunnableActions {
  const actions = findActions(useUis(), type);
  const store = useUiStore();
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
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
  return { actions, running, run: (offered) => void run(offered) };
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
