import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

/** Notes in node_modules, so that they vanish together with what they vouch for. */
const folder = join(root, 'node_modules/.gantry');

/** Held while something is installed or built in this clone. */
export const workLock = join(root, '.gantry/install.lock');

export function readStamp(name) {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

export function writeStamp(name, content) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

export function removeStamp(name) {
  rmSync(join(folder, name), { force: true });
}
