import { basename, resolve } from 'node:path';
import { packageNameOf } from './names';
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

/** @throws SetupError when npm fails; it has printed why */
export async function installPackages(folder: string): Promise<void> {
  process.stderr.write('Installing packages (npm install) ...\n');
  const { exitCode } = await runNpm(folder, ['install', '--no-audit', '--no-fund'], { output: 'show' });
  if (exitCode === 0) return;
  const remedy = `Look at the messages above, check the network and the registry that npm uses, then run npm install in ${folder}.`;
  throw new SetupError(`npm install failed (exit code ${exitCode}); the files are written.`, remedy);
}
