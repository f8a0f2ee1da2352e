import { createBench } from './bench';
import type { PluginTestOptions } from './options';
import { pluginChecks } from './plugin-checks';

/** What came of one check. @public */
export type CheckResult =
  | { readonly name: string; readonly outcome: 'passed' }
  | { readonly name: string; readonly outcome: 'failed'; readonly reason: string };

/**
 * Runs the contract test of plugins: first what can be seen in the package, then, in a real platform that is started for
 * the purpose, what the platform makes of it. Every check is run, also after one that failed.
 * @param folder The folder of the plugin package, built.
 * @example
 * const failed = (await testPlugin(__dirname)).filter((check) => check.outcome === 'failed');
 * @public
 */
export async function testPlugin(folder: string, options: PluginTestOptions = {}): Promise<readonly CheckResult[]> {
  const bench = createBench(folder, options);
  const results: CheckResult[] = [];
  try {
    for (const { name, run } of pluginChecks(bench.plugin)) {
      results.push(
        await run(bench).then(
          () => ({ name, outcome: 'passed' }) as const,
          (error: unknown) =>
            ({ name, outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }) as const,
        ),
      );
    }
    return results;
  } finally {
    await bench.close();
  }
}
