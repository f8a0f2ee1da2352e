import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where the plugin keeps what, below its data folder. */
export interface Folders {
  /** Files that are not whole yet; what a killed process has left here is removed later. */
  readonly incoming: string;
  readonly originals: string;
  /** Can be removed at any time: they are made again. */
  readonly variants: string;
}

export function foldersIn(dataFolder: string): Folders {
  return {
    incoming: join(dataFolder, 'incoming'),
    originals: join(dataFolder, 'originals'),
    variants: join(dataFolder, 'variants'),
  };
}

/** By this standard file (Cache Directory Tagging Specification), backups leave out a folder that can be made again. */
export async function tagAsCache(folder: string): Promise<void> {
  const signature = 'Signature: 8a477f597d28d172789f06886806bc55';
  await writeFile(
    join(folder, 'CACHEDIR.TAG'),
    `${signature}\n# Smaller versions of images, made again when needed.\n`,
  );
}

/** The name identifies the owner of the file, for {@link removeAbandoned}. */
export function createIncomingPath({ incoming }: Folders): string {
  return join(incoming, `${process.pid}-${randomUUID()}.part`);
}

/** Some thousand files to a folder at most, as long as there are less than a million. */
export function shardedPath(folder: string, fileName: string): string {
  return join(folder, fileName.slice(0, 2), fileName);
}

/** Moves a finished file to its final path. After that it is complete, whatever happens to the process or the machine. */
export async function moveInto(file: string, target: string): Promise<void> {
  const folder = dirname(target);
  const made = await mkdir(folder, { recursive: true });
  await rename(file, target);
  await syncFolder(folder);
  if (made !== undefined) await syncFolder(dirname(made));
}

/** Brings to the disk what is in a file that another program has written. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Milliseconds after which a file in `incoming` is no longer written to. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Removes what killed processes have left; other processes may be at work in the same folder. */
export async function removeAbandoned({ incoming }: Folders, now: Date): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    if (isOfDeadProcess(name) || (await isOld(path, now))) await rm(path, { force: true });
  }
}

/** This process has just begun, so that a file with its number is of an earlier process that had the same. */
function isOfDeadProcess(name: string): boolean {
  const pid = Number(/^(\d+)-/.exec(name)?.[1]);
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** For files of a process whose number another one has now. */
async function isOld(path: string, now: Date): Promise<boolean> {
  const changed = await stat(path).catch(() => undefined);
  return changed !== undefined && now.getTime() - changed.mtimeMs > abandonedAfterMs;
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no such thing.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
