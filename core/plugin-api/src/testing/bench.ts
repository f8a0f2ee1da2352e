import { createItemMaker, type ItemMaker } from './checks/item-maker';
import type { PluginTestOptions } from './options';
import { createRowClient, type RowClient } from './platform-client';
import type { PluginPackage } from './plugin-package';
import { startPlatform, type RunningPlatform } from './start-platform';

/** The workbench of the checks of one plugin. */
export interface Bench {
  readonly plugin: PluginPackage;
  /** Starts the platform when the first check asks for it. @throws when it cannot be started. */
  readonly platform: () => Promise<Testbed>;
}

/** A running platform and what speaks to it. */
export interface Testbed {
  readonly client: RowClient;
  readonly items: ItemMaker;
  /** The end of what the platform has written to its log. */
  readonly log: () => string;
}

/** A platform that is started when first asked for, at most once. */
export interface TestPlatform {
  readonly testbed: () => Promise<Testbed>;
  /** Ends the platform as an operator would. @throws when it does not end in time or not in order. */
  readonly stop: () => Promise<void>;
  /** Ends the platform by all means, and removes its folder. */
  readonly close: () => Promise<void>;
}

export function createTestPlatform(plugins: readonly PluginPackage[], options: PluginTestOptions): TestPlatform {
  let running: Promise<RunningPlatform> | undefined;
  let testbed: Promise<Testbed> | undefined;
  const start = (): Promise<RunningPlatform> =>
    (running ??= startPlatform(
      plugins.map(({ folder }) => folder),
      options,
    ));
  return {
    testbed: () => (testbed ??= start().then((platform) => createTestbed(platform, options))),
    stop: async () => (await start()).stop(),
    close: async () => (await running?.catch(() => undefined))?.close(),
  };
}

function createTestbed({ address, log }: RunningPlatform, options: PluginTestOptions): Testbed {
  const client = createRowClient(address);
  return { client, items: createItemMaker(client, options.values ?? {}), log };
}
