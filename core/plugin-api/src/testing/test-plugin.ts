import { createTestPlatform } from './bench';
import { messageOf } from './message-of';
import type { PluginTestOptions } from './options';
import { startCheckName } from './checks/platform-checks';
import { pluginChecks, stopCheckName } from './checks/plugin-checks';
import { readPluginPackage } from './plugin-package';

/** The result of one check. @public */
export type CheckResult =
  | { readonly name: string; readonly outcome: 'passed' }
  | { readonly name: string; readonly outcome: 'failed'; readonly reason: string };

/**
 * Runs the contract test of plugins: first what can be seen in the package, then, in a real platform that is started for
 * the purpose, what the platform makes of it. Every check is run, also after one that failed, unless the platform does not
 * start the plugin: then there is nothing more to be seen.
 * @param folder The folder of the plugin package, built.
 * @example
 * const failed = (await testPlugin(__dirname)).filter((check) => check.outcome === 'failed');
 * @public
 */
export async function testPlugin(folder: string, options: PluginTestOptions = {}): Promise<readonly CheckResult[]> {
  const plugin = readPluginPackage(folder);
  const platform = createTestPlatform([plugin], options);
  const results: CheckResult[] = [];
  try {
    for (const { name, run } of pluginChecks(plugin)) {
      const result = await resultOf(name, run({ plugin, platform: platform.testbed }));
      results.push(result);
      if (name === startCheckName && result.outcome === 'failed') break;
    }
    results.push(await resultOf(stopCheckName, platform.stop()));
    return results;
  } finally {
    await platform.close();
  }
}

async function resultOf(name: string, check: Promise<void>): Promise<CheckResult> {
  try {
    await check;
    return { name, outcome: 'passed' };
  } catch (error) {
    return { name, outcome: 'failed', reason: messageOf(error) };
  }
}
