import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { packageNameOf } from './names';
import type { PackageManager } from './package-manager';
import { projectFiles } from './project-files';
import { runNpm } from './run-npm';
import { SetupError } from './setup-error';
import { writeFiles } from './write-files';

export interface ProjectOptions {
  /** Where it is made: empty, or not there yet. */
  readonly folder: string;
  /** Whether npm installs its packages. */
  readonly install: boolean;
}

export interface CreatedProject {
  /** As it was given. */
  readonly folder: string;
  /** Name of its package. */
  readonly name: string;
  readonly isInstalled: boolean;
}

/**
 * Makes a folder a project of the platform, and installs its packages.
 * @throws SetupError for a folder that is in use, and when npm fails
 */
export async function createProject({ folder, install }: ProjectOptions): Promise<CreatedProject> {
  const path = resolve(folder);
  const name = packageNameOf(basename(path));
  await writeFiles(path, projectFiles(name));
  if (install) await installPackages(path);
  return { folder, name, isInstalled: install };
}

/** Interval of the progress lines of an installation; npm itself prints nothing until it has ended. */
const progressIntervalMs = 5_000;

/** @throws SetupError when the package manager fails; it has printed why */
export async function installPackages(folder: string, manager: PackageManager = 'npm'): Promise<void> {
  process.stderr.write(`Installing packages (${manager} install); this takes minutes on a slow network ...\n`);
  const begin = performance.now();
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - begin) / 1000);
    process.stderr.write(`${manager} install: ${seconds} s, ${installedIn(folder)} packages\n`);
  }, progressIntervalMs);
  const words = ['install', ...(manager === 'npm' ? ['--no-audit', '--no-fund', '--no-progress'] : [])];
  const { exitCode } = await runNpm(folder, words, { output: 'show', manager }).finally(() => clearInterval(progress));
  if (exitCode === 0) return;
  const remedy = `Look at the messages above, check the network and the registry that ${manager} uses, then run ${manager} install in ${folder}.`;
  throw new SetupError(`${manager} install failed (exit code ${exitCode}); the files are written.`, remedy);
}

/** The number of packages in node_modules now. */
function installedIn(folder: string): number {
  const namesIn = (path: string): readonly string[] => {
    try {
      return readdirSync(path).filter((name) => !name.startsWith('.'));
    } catch {
      return [];
    }
  };
  const modules = join(folder, 'node_modules');
  const names = namesIn(modules);
  const scopes = names.filter((name) => name.startsWith('@'));
  return names.length - scopes.length + scopes.flatMap((scope) => namesIn(join(modules, scope))).length;
}
