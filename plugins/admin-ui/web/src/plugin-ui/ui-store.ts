import type { PluginUiReport } from '@gantry/contracts';
import type { Host, Ui } from '@gantry/ui';
import { loadUi } from './load-ui';
import { failureOf, type UiFailure } from './ui-failure';

/** How far the module of a plugin is. */
export type UiState =
  | { readonly status: 'idle' }
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly ui: Ui }
  | { readonly status: 'failed'; readonly failure: UiFailure };

/** Something of a plugin that failed where there is no room to say so, such as in a cell. */
export interface Trouble {
  readonly plugin: PluginUiReport;
  readonly failure: UiFailure;
}

/** The modules of plugins in this tab: each is imported once, when it is first needed. */
export interface UiStore {
  /** Calls back after every change; gives what ends that. */
  subscribe(listener: () => void): () => void;
  stateOf(plugin: string): UiState;
  /** Begins to load the module, unless that has been tried. */
  need(plugin: PluginUiReport): void;
  /** Loads the module, and rejects with a UiFailure when that fails. */
  load(plugin: PluginUiReport): Promise<Ui>;
  /** Tries again what failed, and shows again what was left out; a module that was built again is loaded again. */
  retry(plugin: PluginUiReport): void;
  /** Loads the module again if another one is served by now; what is drawn from the one before stays until it is there. */
  renew(plugin: PluginUiReport): void;
  /** Leaves out a part that failed while it was drawn, on the whole page. */
  leaveOut(plugin: PluginUiReport, part: string, error: unknown): void;
  isLeftOut(plugin: string, part: string): boolean;
  /** Another page begins without what was left out before. */
  beginPage(): void;
  /** Failures that were not reported where they occurred. A new array after every change only. */
  troubles(): readonly Trouble[];
}

export function createUiStore(createHost: (plugin: PluginUiReport) => Host): UiStore {
  const listeners = new Set<() => void>();
  const states = new Map<string, UiState>();
  const loads = new Map<string, Promise<Ui>>();
  const attempts = new Map<string, number>();
  const addresses = new Map<string, string | undefined>();
  const leftOut = new Map<string, Trouble>();
  let troubles: readonly Trouble[] = [];

  const changed = (): void => {
    troubles = [...new Map([...leftOut.values()].map((trouble) => [trouble.plugin.id, trouble])).values()];
    for (const listener of listeners) listener();
  };
  const set = (plugin: string, state: UiState): void => {
    states.set(plugin, state);
    changed();
  };
  const load = (plugin: PluginUiReport): Promise<Ui> => {
    const known = loads.get(plugin.id);
    if (known !== undefined) return known;
    const attempt = attempts.get(plugin.id) ?? 0;
    attempts.set(plugin.id, attempt + 1);
    addresses.set(plugin.id, plugin.ui.address);
    const loading = loadUi(plugin, createHost(plugin), attempt);
    loads.set(plugin.id, loading);
    if (states.get(plugin.id)?.status !== 'loaded') set(plugin.id, { status: 'loading' });
    loading.then(
      (ui) => set(plugin.id, { status: 'loaded', ui }),
      (error: unknown) => set(plugin.id, { status: 'failed', failure: failureOf(plugin, error) }),
    );
    return loading;
  };
  return {
    load,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stateOf: (plugin) => states.get(plugin) ?? idle,
    need: (plugin) => void load(plugin).catch(() => undefined),
    retry(plugin) {
      for (const key of leftOut.keys()) if (key.startsWith(`${plugin.id} `)) leftOut.delete(key);
      const isNew = addresses.get(plugin.id) !== plugin.ui.address;
      if (isNew || states.get(plugin.id)?.status === 'failed') {
        loads.delete(plugin.id);
        states.delete(plugin.id);
      }
      void load(plugin).catch(() => undefined);
      changed();
    },
    renew(plugin) {
      if (addresses.get(plugin.id) === plugin.ui.address) return;
      loads.delete(plugin.id);
      void load(plugin).catch(() => undefined);
    },
    leaveOut(plugin, part, error) {
      leftOut.set(`${plugin.id} ${part}`, { plugin, failure: failureOf(plugin, error) });
      changed();
    },
    beginPage() {
      if (leftOut.size === 0) return;
      leftOut.clear();
      changed();
    },
    isLeftOut: (plugin, part) => leftOut.has(`${plugin} ${part}`),
    troubles: () => troubles,
  };
}

const idle: UiState = { status: 'idle' };
