import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package manager of a project. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const lockFiles: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/** The one that `packageManager` in package.json of a folder names, else the one whose files are there, else npm. */
export function packageManagerOf(folder: string): PackageManager {
  const named = lockFiles.find(([, manager]) => namedIn(folder).startsWith(`${manager}@`));
  const found = named ?? lockFiles.find(([file]) => existsSync(join(folder, file)));
  return found?.[1] ?? 'npm';
}

function namedIn(folder: string): string {
  try {
    const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly packageManager?: unknown;
    };
    return typeof json.packageManager === 'string' ? json.packageManager : '';
  } catch {
    return '';
  }
}
