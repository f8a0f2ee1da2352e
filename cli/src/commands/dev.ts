import { withRemedy } from '../common/with-remedy';
import { failuresOf } from './up';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { findProject, isPluginFolder, runNpm } from 'create-gantry';
import type { HostConfig } from '@gantry/host/config';
import { up, type ServingPlatform } from '@gantry/launcher';
import { readSettings } from '@gantry/launcher/read-settings';
import { UsageError } from '../common/usage-error';
import { watchSources } from '../common/watch-sources';
import type { CommandContext } from '../context/command-context';
import { isAskable } from '../terminal/ask';
import { confirm } from '../terminal/confirm';
import { readEnvironmentFile } from '../context/environment-file';

/** `gantry dev [folders..]`: runs the platform, builds plugins on every change of their files, and reloads them. */
export async function develop(context: CommandContext, folders: readonly string[]): Promise<number> {
  const project = findProject(resolve('.'));
  const environment = settingsFor(context, project);
  const plugins = pluginFolders(folders, readSettings(environment)).map(readPlugin);
  for (const plugin of plugins) {
    const failure = await build(plugin);
    if (failure !== undefined) {
      throw withRemedy(`The build of ${plugin.name} failed.`, failure);
    }
  }
  const links = linkOutside(plugins, readSettings(environment));
  const settings = readSettings({ ...environment, ...links?.environment });
  for (const plugin of plugins) await offerFolder(context, plugin, settings);
  const platform: { current?: ServingPlatform } = {};
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const watchers = plugins.map((plugin) =>
    watchSources(plugin, () => rebuild(context, plugin, settings, platform.current, stopping.signal)),
  );
  for (const [index, { files }] of watchers.entries()) {
    context.terminal.note(`Watching ${files} files of ${plugins[index]?.name ?? ''}.`);
  }
  try {
    return await up({
      environment: { ...environment, ...links?.environment },
      ...failuresOf(context),
      onServing: (serving) => {
        platform.current = serving;
      },
    });
  } finally {
    for (const watcher of watchers) watcher.close();
    links?.remove();
  }
}

interface DevelopedPlugin {
  readonly id: string;
  /** Of its folder. */
  readonly name: string;
  readonly folder: string;
  /** Whether its package.json has a script `build`. */
  readonly isBuilt: boolean;
}

/** A plugin outside a project is its own: the packages that its package.json names are found from its folder. */
function settingsFor({ environment }: CommandContext, project: string | undefined): Readonly<NodeJS.ProcessEnv> {
  const folder = resolve(environment['GANTRY_PROJECT'] ?? project ?? '.');
  const file = folder === resolve('.') ? {} : readEnvironmentFile(folder);
  return { ...file, ...environment, GANTRY_PROJECT: folder };
}

/** @throws UsageError where there is no plugin to develop */
function pluginFolders(named: readonly string[], { pluginPath }: HostConfig): readonly string[] {
  const own = isPluginFolder(resolve('.')) ? [resolve('.')] : undefined;
  const found = named.length > 0 ? named.map((folder) => resolve(folder)) : (own ?? pluginPath.flatMap(foldersIn));
  const others = found.filter((folder) => !isPluginFolder(folder));
  if (named.length > 0 && others.length > 0) {
    throw new UsageError(
      `${others.join(', ')} is not the folder of a plugin: it has no package.json with a member "gantry".`,
      'Create a plugin with: gantry plugins create recipes',
    );
  }
  const plugins = found.filter((folder) => isPluginFolder(folder));
  if (plugins.length > 0) return plugins;
  throw new UsageError('There is no plugin here.', 'Create one with: gantry plugins create recipes');
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function readPlugin(folder: string): DevelopedPlugin {
  const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly scripts?: Readonly<Record<string, string>>;
    readonly gantry?: { readonly id?: string };
  };
  const name = basename(folder);
  return { id: json.gantry?.id ?? name, name, folder, isBuilt: json.scripts?.['build'] !== undefined };
}

/**
 * Plugins outside the folders of the plugin path get links in a temporary folder, which is added to that path: one of this
 * process alone, as another one may run for the same home and be refused only later.
 */
function linkOutside(
  plugins: readonly DevelopedPlugin[],
  { pluginPath }: HostConfig,
): { readonly environment: NodeJS.ProcessEnv; remove(): void } | undefined {
  const outside = plugins.filter(({ folder }) => !pluginPath.includes(dirname(folder)));
  if (outside.length === 0) return undefined;
  const links = mkdtempSync(join(tmpdir(), 'gantry-dev-'));
  for (const [index, { folder }] of outside.entries()) {
    symlinkSync(folder, join(links, `${index}-${basename(folder)}`), 'junction');
  }
  return {
    environment: { GANTRY_PLUGIN_PATH: [...pluginPath, links].join(delimiter) },
    remove: () => rmSync(links, { recursive: true, force: true }),
  };
}

/** A plugin that was enabled by command runs as it was then, whatever its folder has. */
async function offerFolder(
  { terminal, json }: CommandContext,
  { id, name }: DevelopedPlugin,
  settings: HostConfig,
): Promise<void> {
  const found = await otherThanFolder(id, settings);
  if (found === undefined) return;
  const isChanged =
    found.isPinned &&
    !json &&
    isAskable(terminal) &&
    (await confirm(terminal, `The platform runs ${found.what}, not the folder ${name}. Run it from the folder?`));
  if (!isChanged) {
    terminal.note(
      `The platform runs ${found.what}: changes of ${name} are built but not used. To use the folder: ${found.remedy}`,
    );
    return;
  }
  const { unpinPlugin } = await import('@gantry/host');
  await unpinPlugin(settings, id);
}

/** The copy of a plugin that runs in place of its folder. */
async function otherThanFolder(id: string, { home, setFile }: HostConfig) {
  if (setFile !== undefined) return undefined;
  const { readDecisions } = await import('@gantry/host/inspect-plugins');
  const decision = (await readDecisions(home)).get(id);
  if (decision?.installed !== undefined) {
    const what = `the package of ${id} that was installed (version ${decision.installed.version})`;
    return { what, remedy: `gantry plugins upgrade ${id} --to <folder>`, isPinned: false };
  }
  if (decision?.enabled !== true) return undefined;
  const what = `the copy of ${id} that was enabled (version ${decision.version})`;
  return { what, remedy: `gantry plugins unpin ${id}`, isPinned: true };
}

/** @returns what the build prints when it fails */
async function build({ folder, isBuilt }: DevelopedPlugin): Promise<string | undefined> {
  if (!isBuilt) return undefined;
  const { exitCode, output } = await runNpm(folder, ['run', 'build', '--silent'], { output: 'collect' });
  return exitCode === 0 ? undefined : output.trim();
}

async function rebuild(
  { terminal }: CommandContext,
  plugin: DevelopedPlugin,
  settings: HostConfig,
  platform: ServingPlatform | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const begin = performance.now();
  const seconds = (): string => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  const failure = await build(plugin);
  if (failure !== undefined) {
    terminal.error(`The build of ${plugin.name} failed; the platform runs what was built before: ${failure}`);
    return;
  }
  const built = seconds();
  const other = await otherThanFolder(plugin.id, settings);
  if (other !== undefined) {
    terminal.error(`${plugin.name} was built but is not in use: the platform runs ${other.what}.\n  ${other.remedy}`);
    return;
  }
  // A host that is still starting takes the files as they are.
  const refused = await platform?.reload();
  if (stopping.aborted) return;
  if (refused === undefined) {
    terminal.note(`${plugin.name} was built in ${built} and is in use after ${seconds()}`);
  } else {
    terminal.error(`${plugin.name} was built but is not in use: ${refused.message}\n  ${refused.remedy}`);
  }
}
