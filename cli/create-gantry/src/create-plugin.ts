import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { installPackages } from './create-project';
import { findProject } from './find-project';
import { assertItemType, assertPluginId, textOfName } from './names';
import type { Plugin } from './plugin/plugin';
import { pluginFiles } from './plugin/plugin-files';
import { packageManagerOf, type PackageManager } from './package-manager';
import { runNpm } from './run-npm';
import { SetupError } from './setup-error';
import { writeFiles } from './write-files';

export interface PluginOptions extends Pick<Plugin, 'id' | 'itemType' | 'routes' | 'service' | 'pages'> {
  /** Whether what it needs is installed, by the package manager of the project, and it is built. */
  readonly install: boolean;
  /** Where the command runs. In a project, the plugin is made in its folder `plugins`. */
  readonly folder: string;
}

export interface CreatedPlugin {
  /** Absolute. */
  readonly folder: string;
  /** Of the project that the plugin is in. */
  readonly project: string | undefined;
  readonly isInstalled: boolean;
  /** Of the project; npm for a plugin outside. */
  readonly manager: PackageManager;
}

/**
 * Writes a plugin package in TypeScript, installs what it needs and builds it.
 * @throws SetupError for a name that cannot be used, a folder that is in use, and when the installation or the build fails
 */
export async function createPlugin(options: PluginOptions): Promise<CreatedPlugin> {
  const { id, itemType, install } = options;
  assertPluginId(id);
  if (itemType !== undefined) assertItemType(itemType);
  const project = findProject(resolve(options.folder));
  const folder = project === undefined ? resolve(options.folder, id) : join(project, 'plugins', id);
  const plugin = { ...options, displayName: textOfName(id), inProject: project !== undefined };
  await writeFiles(folder, pluginFiles(plugin));
  const manager = packageManagerOf(project ?? folder);
  if (install) {
    await installPackages(project === undefined || isLeftOut(project, manager) ? folder : project, manager);
    await build(folder);
  }
  return { folder, project, isInstalled: install, manager };
}

/** pnpm reads the packages of a project from pnpm-workspace.yaml; without it, the plugin has separate packages. */
function isLeftOut(project: string, manager: PackageManager): boolean {
  return manager === 'pnpm' && !existsSync(join(project, 'pnpm-workspace.yaml'));
}

/** @throws SetupError with what the compiler says */
async function build(folder: string): Promise<void> {
  const { exitCode, output } = await runNpm(folder, ['run', 'build', '--silent'], { output: 'collect' });
  if (exitCode === 0) return;
  throw new SetupError(
    `The plugin was written to ${relative('.', folder)}, and its build failed: ${output.trim()}`,
    `Run npm run build in ${folder} again, after the cause is removed.`,
  );
}
