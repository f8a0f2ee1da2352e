import type { PluginUiReport } from '@gantry/contracts';
import type { Ui } from '@gantry/ui';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { pluginUisQuery, usePluginUis } from './plugin-uis';
import type { Trouble, UiState, UiStore } from './ui-store';

const UiContext = createContext<UiStore | undefined>(undefined);
/** Asked for once, for hundreds of cells. */
const UisContext = createContext<readonly PluginUiReport[]>([]);

interface PluginUiProviderProps {
  readonly store: UiStore;
  readonly children: ReactNode;
}

/** Around everything that has slots for plugins. */
export function PluginUiProvider({ store, children }: PluginUiProviderProps) {
  return (
    <UiContext value={store}>
      <UisContext value={usePluginUis()}>{children}</UisContext>
    </UiContext>
  );
}

/** Additions of plugins to the pages, for slots. */
export function useUis(): readonly PluginUiReport[] {
  return useContext(UisContext);
}

export function useUiStore(): UiStore {
  const store = useContext(UiContext);
  if (store === undefined) throw new Error('Slots for plugins need PluginUiProvider around them.');
  return store;
}

/** The state of a plugin's module, which begins to load when it is first needed. */
export function usePluginUi(plugin: PluginUiReport): UiState {
  const store = useUiStore();
  const state = useSyncExternalStore(store.subscribe, () => store.stateOf(plugin.id));
  const { status } = state;
  useEffect(() => {
    if (status === 'idle') store.need(plugin);
  }, [store, plugin, status]);
  return state;
}

/**
 * A part of a plugin's module, once that is loaded. One that was loaded before a change of its plugin may lack a part that the
 * plugin brings by now: it is loaded again.
 */
export function useUiPart<P>(plugin: PluginUiReport, find: (ui: Ui) => P | undefined) {
  const store = useUiStore();
  const state = usePluginUi(plugin);
  const part = state.status === 'loaded' ? find(state.ui) : undefined;
  const isMissing = state.status === 'loaded' && part === undefined;
  useEffect(() => {
    if (isMissing) store.renew(plugin);
  }, [store, plugin, isMissing]);
  return { state, part } as const;
}

/** Whether a part was left out because it failed. */
export function useIsLeftOut(plugin: PluginUiReport, part: string): boolean {
  const store = useUiStore();
  return useSyncExternalStore(store.subscribe, () => store.isLeftOut(plugin.id, part));
}

export function useTroubles(): readonly Trouble[] {
  const store = useUiStore();
  return useSyncExternalStore(store.subscribe, store.troubles);
}

/** Asks what the plugin has become, then tries again: it may run at another address by now. */
export function useRetry(plugin: PluginUiReport): () => void {
  const store = useUiStore();
  const client = useQueryClient();
  return () =>
    void client.query({ ...pluginUisQuery, staleTime: 0 }).then(
      (uis) => store.retry(uis.find(({ id }) => id === plugin.id) ?? plugin),
      () => store.retry(plugin),
    );
}
