import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftPrefix, entryFile, nameOf, storeFolder } from './package-store';

/** A check stores a package before it is enabled, and a host may run one that the decisions no longer name. */
const unusedForMs = 24 * 60 * 60 * 1000;

/**
 * Removes packages from the store that neither are named nor were in use for a day. Never fails: what cannot be removed
 * stays until the next time.
 * @param keep content hashes of the current and the previous plugin set
 */
export async function collectGarbage(home: string, keep: ReadonlySet<string>): Promise<void> {
  const store = storeFolder(home);
  const kept = new Set([...keep].map(nameOf));
  const names = await readdir(store).catch(() => []);
  const unused = names.filter((name) => !kept.has(name) && /^[0-9a-f]{64}$|^\.draft-/.test(name));
  for (const name of unused) {
    const folder = join(store, name);
    const used = await stat(entryFile(folder))
      .catch(() => stat(folder))
      .catch(() => undefined);
    if (used === undefined || Date.now() - used.mtimeMs < unusedForMs) continue;
    await removeWhole(store, name).catch(() => undefined);
  }
}

/** Out of its place first, so that no half of it is ever found there. */
async function removeWhole(store: string, name: string): Promise<void> {
  const draft = name.startsWith(draftPrefix) ? name : `${draftPrefix}${name}`;
  if (draft !== name) await rename(join(store, name), join(store, draft));
  await rm(join(store, draft), { recursive: true, force: true });
}
