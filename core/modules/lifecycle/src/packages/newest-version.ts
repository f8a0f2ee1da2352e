import type { SourceOptions } from './source-options';
import { npmFailed, quietFlags } from './fetch-package';
import { isPackageName } from '@gantry/core-common';
import { runNpm } from './run-npm';
import { PluginError } from '@gantry/core-loader';
import { valid } from 'semver';

const timeoutMs = 60_000;

/**
 * The newest version of a package, which its authors have published as `latest`.
 * @throws PluginError PLUGIN_NOT_FETCHED
 */
export async function findNewestVersion(
  packageName: string,
  { project, environment, signal }: SourceOptions,
): Promise<string> {
  const what = `The newest version of ${packageName} was not found`;
  if (!isPackageName(packageName)) throw new PluginError('PLUGIN_NOT_FETCHED', what, 'Name the version with --to');
  const run = await runNpm(['view', `${packageName}@latest`, 'version', '--prefer-online', ...quietFlags], {
    cwd: project,
    environment,
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  const version = run.exitCode === 0 ? parsed(run.stdout) : undefined;
  if (version === undefined) throw npmFailed(what, run);
  return version;
}

function parsed(text: string): string | undefined {
  try {
    const version: unknown = JSON.parse(text);
    return typeof version === 'string' ? (valid(version) ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
