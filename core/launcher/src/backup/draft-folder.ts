import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive, ownReference, syncFolder } from '@gantry/core-common';
import { readJsonIfThere, unwritable, writeAtomically } from '../common/files';
import { LauncherError } from '../common/launcher-error';
import { z } from 'zod';

/** A folder that gets its name only when everything is in it. */
export interface DraftFolder {
  readonly path: string;
  /** Brings everything to the disk and gives the folder its name. */
  publish(): void;
  remove(): void;
}

const ownerFile = 'writer.json';
const ownerSchema = z.object({ pid: z.number(), startedAt: z.string() });

/**
 * Creates a folder next to the target. Folders of the same name that killed processes have left are removed.
 * @throws LauncherError when there is something of that name already, or nothing can be written there.
 */
export function createDraftFolder(target: string): DraftFolder {
  const prefix = `.${basename(target)}.incomplete-`;
  const path = join(dirname(target), `${prefix}${process.pid}`);
  assertFree(target);
  try {
    mkdirSync(dirname(target), { recursive: true });
    removeAbandoned(dirname(target), prefix);
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throw unwritable(path, error);
  }
  writeAtomically(join(path, ownerFile), JSON.stringify(ownReference()));
  return {
    path,
    publish: () => {
      rmSync(join(path, ownerFile));
      syncFolders(path);
      // rename() would replace an empty folder.
      assertFree(target);
      renameSync(path, target);
      syncFolder(dirname(target));
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function assertFree(target: string): void {
  if (!existsSync(target)) return;
  throw new LauncherError(
    `${target} already exists.`,
    'Name a folder that does not exist: a backup does not replace files.',
  );
}

function removeAbandoned(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const owner = ownerSchema.safeParse(readJsonIfThere(join(parent, name, ownerFile))).data;
    if (owner === undefined || !isAlive(owner)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolders(join(folder, entry.name));
  }
  syncFolder(folder);
}
