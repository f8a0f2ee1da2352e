import { gt, valid } from 'semver';
import { isVersionText, parseSource } from './open-source';
import type { SourceOptions } from './source-options';
import { PluginError, type UpgradablePlugin } from '@gantry/core-loader';
import { npmFailed, quietFlags } from './fetch-package';
import { isPackageName } from '@gantry/core-common';
import { runNpm } from './run-npm';

const timeoutMs = 60_000;

/**
 * The newest version of a package, which its authors have published as `latest`.
 * @throws PluginError PLUGIN_NOT_FETCHED
 */
async function findNewestVersion(
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

/** Where the package of an upgrade comes from, or that there is no newer one. */
export type UpgradeSource =
  | { readonly kind: 'source'; readonly source: string }
  | { readonly kind: 'newest'; readonly version: string };

/**
 * @param to a version, range or tag of the package that the plugin came from, or a package of npm, a tarball or a folder; the
 *   newest version unless given
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_NOT_FETCHED, PLUGIN_NOT_INSTALLED where the plugin did not come from a registry
 */
export async function findUpgradeSource(
  plugin: string,
  { before, from, elsewhere }: UpgradablePlugin,
  to: string | undefined,
  options: SourceOptions,
): Promise<UpgradeSource> {
  const isVersion = to === undefined || (isVersionText(to) && parseSource(to).kind === 'id');
  if (!isVersion) return { kind: 'source', source: to };
  const installed = before?.installed;
  if (installed?.source !== 'registry') {
    const place =
      elsewhere === undefined ? `of ${installed?.source ?? ''} ${installed?.from ?? ''}` : `in ${elsewhere.folder}`;
    throw new PluginError(
      'PLUGIN_NOT_INSTALLED',
      `The plugin ${plugin} did not come from a registry: it is version ${from}, ${place}`,
      `${elsewhere === undefined ? '' : `${elsewhere.remedy}. `}To replace it, name a package, a tarball or a folder: gantry plugins upgrade ${plugin} --to npm:<name>@<version>`,
    );
  }
  const { packageName } = installed;
  if (to !== undefined) return { kind: 'source', source: `npm:${packageName}@${to}` };
  const newest = await findNewestVersion(packageName, options);
  const isNewer = valid(from) === null || gt(newest, from);
  return isNewer ? { kind: 'source', source: `npm:${packageName}@${newest}` } : { kind: 'newest', version: newest };
}
