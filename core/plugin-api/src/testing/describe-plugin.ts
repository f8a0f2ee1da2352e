import { createTestPlatform } from './bench';
import { defaultStartTimeout, type PluginTestOptions } from './options';
import { pluginChecks, stopCheckName } from './checks/plugin-checks';
import { readPluginPackage } from './plugin-package';

/** Functions of jest, or of a test framework with the same ones, that are used. */
interface TestFramework {
  readonly describe: (name: string, body: () => void) => void;
  readonly test: (name: string, body: () => Promise<void>, timeout?: number) => void;
  readonly afterAll: (body: () => Promise<void>, timeout?: number) => void;
}

/** Beyond the start of the platform, which the first check that needs it waits for. */
const checkTimeout = 60_000;

/**
 * Makes a jest test of every check of the contract test.
 * @param folders The folder of the plugin package, built; several are tested in one platform.
 * @example describePlugin(join(__dirname, '..'));
 * @throws Error where `describe`, `test` and `afterAll` are no globals.
 * @public
 */
export function describePlugin(folders: string | readonly string[], options: PluginTestOptions = {}): void {
  const { describe, test, afterAll } = testFramework();
  const plugins = [folders].flat().map(readPluginPackage);
  const platform = createTestPlatform(plugins, options);
  const timeout = (options.startTimeout ?? defaultStartTimeout) + checkTimeout;
  afterAll(platform.close, checkTimeout);
  for (const plugin of plugins) {
    describe(`the plugin ${plugin.label}`, () => {
      for (const { name, run } of pluginChecks(plugin)) {
        test(name, () => run({ plugin, platform: platform.testbed }), timeout);
      }
    });
  }
  test(stopCheckName, platform.stop, timeout);
}

function testFramework(): TestFramework {
  const { describe, test, afterAll } = globalThis as unknown as Partial<TestFramework>;
  if (describe === undefined || test === undefined || afterAll === undefined) {
    throw new Error(
      'describePlugin requires describe, test and afterAll of jest as globals; without them, use testPlugin.',
    );
  }
  return { describe, test, afterAll };
}
