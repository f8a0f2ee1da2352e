import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
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

export function createIncomingPath({ incoming }: Folders): string {
  return join(incoming, `${randomUUID()}.part`);
}

/** Some thousand files to a folder at most, as long as there are less than a million. */
export function shardedPath(folder: string, fileName: string): string {
  return join(folder, fileName.slice(0, 2), fileName);
}

/** Gives a finished file its place. After that it is there whole, whatever happens to the process or the machine. */
export async function moveInto(file: string, place: string): Promise<void> {
  const folder = dirname(place);
  const made = await mkdir(folder, { recursive: true });
  await rename(file, place);
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

/** Milliseconds after which nobody writes to a file in `incoming` any more. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Removes what killed processes have left; other processes may be at work in the same folder. */
export async function removeAbandoned({ incoming }: Folders, now: Date): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const changed = await stat(path).catch(() => undefined);
    if (changed !== undefined && now.getTime() - changed.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
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
