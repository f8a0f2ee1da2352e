import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/**
 * The project in whose platform plugins are tested: the nearest one above the working directory, else the clone that this file is
 * in, else the working directory.
 */
export function usualProject(): string {
  const project = projectAbove(resolve('.'));
  if (project !== undefined) return project;
  // In a clone, this file is in core/plugin-api/dist/testing.
  const clone = resolve(__dirname, '../../../..');
  const hasPlugins = (folder: string): boolean =>
    ['plugins', 'services'].some((name) => existsSync(join(folder, name)));
  return hasPlugins('.') || !hasPlugins(clone) ? '.' : clone;
}

/** A file of the package of the `gantry` command, from which its other packages are found. @throws Error when it is not installed */
export function commandPackage(project: string): string {
  try {
    return createRequire(join(resolve(project), 'package.json')).resolve('@gantry/cli/package.json');
  } catch (error) {
    throw new Error(
      `The package @gantry/cli is not installed in ${project}: install it (npm install --save-dev @gantry/cli), or name the project in options.project`,
      { cause: error },
    );
  }
}

/** The nearest folder whose package.json names the command as a dependency, and that is no plugin. */
function projectAbove(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const { dependencies, devDependencies, gantry } = readJson(join(current, 'package.json'));
    const hasCommand = [dependencies, devDependencies].some(
      (table) => typeof table === 'object' && table !== null && '@gantry/cli' in table,
    );
    if (hasCommand && gantry === undefined) return current;
    if (current === dirname(current)) return undefined;
  }
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
