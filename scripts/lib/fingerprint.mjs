import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const skipped = new Set(['node_modules', 'dist', 'test', '.gantry', 'coverage']);

/** A short text that changes when a file under one of `paths` (of the repository) appears, disappears or changes. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addPath(hash, join(root, path), statSync(join(root, path), { throwIfNoEntry: false }));
  return hash.digest('hex');
}

function addPath(hash, path, stats) {
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    // A build writes its own record next to the sources.
    if (!path.endsWith('.tsbuildinfo')) hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`);
    return;
  }
  const names = readdirSync(path).filter((name) => !skipped.has(name));
  for (const name of names.toSorted()) {
    addPath(hash, join(path, name), statSync(join(path, name), { throwIfNoEntry: false }));
  }
}
