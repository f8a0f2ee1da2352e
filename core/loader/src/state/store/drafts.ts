import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { referenceOf } from '@gantry/core-common';
import { draftPrefix, storeFolder } from './package-store';

/** Runs work with a folder of the home for files that nothing refers to yet; it is removed after the work. */
export async function withDraft<T>(home: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(storeFolder(home), { recursive: true, mode: 0o700 });
  // Only this user can read it.
  const folder = await realpath(await mkdtemp(join(storeFolder(home), `${draftPrefix}${process.pid}-`)));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes the drafts of processes that were killed, and the notes about fetched packages that earlier versions have left. Never
 * fails: what cannot be removed stays until the next time.
 */
export async function removeOrphanedDrafts(home: string): Promise<void> {
  const store = storeFolder(home);
  await rm(join(home, 'prepared'), { recursive: true, force: true }).catch(() => undefined);
  const names = await readdir(store).catch(() => []);
  for (const name of names.filter(isOrphaned)) {
    await rm(join(store, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The names of drafts begin with the number of their process. */
function isOrphaned(name: string): boolean {
  const pid = /^\.draft-(\d+)-/.exec(name)?.[1];
  return pid !== undefined && referenceOf(Number(pid)) === undefined;
}
