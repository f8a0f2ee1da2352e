import { createItemMaker, type ItemMaker } from './item-maker';
import { createPlatformClient, type PlatformClient } from './platform-client';
import type { PluginTestOptions } from './options';
import { readPluginPackage, type PluginPackage } from './plugin-package';
import { startPlatform, type RunningPlatform } from './start-platform';

/** What the checks of one plugin share: the package, and a platform that is started when the first of them needs it. */
export interface Bench {
  readonly plugin: PluginPackage;
  readonly options: PluginTestOptions;
  readonly platform: () => Promise<Testbed>;
  /** Ends the platform, if it was started, as an operator would. @throws when it does not end in time or not in order. */
  readonly stopPlatform: () => Promise<void>;
  /** Ends the platform by all means, and removes its folder. */
  readonly close: () => Promise<void>;
}

/** A running platform and what speaks to it. */
export interface Testbed {
  readonly client: PlatformClient;
  readonly items: ItemMaker;
}

export function createBench(folder: string, options: PluginTestOptions): Bench {
  const plugin = readPluginPackage(folder);
  let running: Promise<RunningPlatform> | undefined;
  let testbed: Promise<Testbed> | undefined;
  const start = (): Promise<RunningPlatform> => (running ??= startPlatform(plugin.folder, options));
  return {
    plugin,
    options,
    platform: () => (testbed ??= start().then(({ address }) => createTestbed(address, options))),
    stopPlatform: async () => (await start()).stop(),
    close: async () => (await running?.catch(() => undefined))?.close(),
  };
}

function createTestbed(address: string, options: PluginTestOptions): Testbed {
  const client = createPlatformClient(address);
  return { client, items: createItemMaker(client, options.values ?? {}) };
}
