import { createBench } from './bench';
import { defaultStartTimeout, type PluginTestOptions } from './options';
import { pluginChecks } from './plugin-checks';

/** What of jest (or of a test framework with the same functions) is used. */
interface TestFramework {
  readonly describe: (name: string, body: () => void) => void;
  readonly test: (name: string, body: () => Promise<void>, timeout?: number) => void;
  readonly afterAll: (body: () => Promise<void>, timeout?: number) => void;
}

/** Beyond the start of the platform, which the first check that needs it waits for. */
const checkTimeout = 60_000;

/**
 * Makes a jest test of every check of the contract test.
 * @example describePlugin(join(__dirname, '..'));
 * @throws Error where `describe`, `test` and `afterAll` are no globals.
 * @public
 */
export function describePlugin(folder: string, options: PluginTestOptions = {}): void {
  const { describe, test, afterAll } = testFramework();
  const bench = createBench(folder, options);
  describe(`the plugin ${bench.plugin.label}`, () => {
    afterAll(() => bench.close(), checkTimeout);
    for (const { name, run } of pluginChecks(bench.plugin)) {
      test(name, () => run(bench), (options.startTimeout ?? defaultStartTimeout) + checkTimeout);
    }
  });
}

function testFramework(): TestFramework {
  const { describe, test, afterAll } = globalThis as unknown as Partial<TestFramework>;
  if (describe === undefined || test === undefined || afterAll === undefined) {
    throw new Error(
      'describePlugin needs the globals describe, test and afterAll of jest; without them, use testPlugin.',
    );
  }
  return { describe, test, afterAll };
}
