import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { root } from './run.mjs';

/**
 * Where programs that are fetched or unpacked are kept: the folder that all copies of the repository of a user share, or
 * .gantry/cache of this copy where that cannot be written. The rule is that of core/launcher/src/common/cache-folder.ts, which
 * scripts cannot import before the build; core/launcher/test/cache-folder.test.ts compares the two.
 */
export function cacheFolder(environment = process.env) {
  const shared = sharedFolder(environment);
  return shared !== undefined && canBeWritten(shared) ? shared : join(root, '.gantry', 'cache');
}

function sharedFolder(environment) {
  if (environment.GANTRY_CACHE) return resolve(environment.GANTRY_CACHE);
  const shared = environment.XDG_CACHE_HOME;
  if (shared && isAbsolute(shared)) return join(shared, 'gantry');
  const home = environment.HOME || homeOfUser();
  return home === undefined ? undefined : join(home, '.cache', 'gantry');
}

function homeOfUser() {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

function canBeWritten(folder) {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return dirname(folder) !== folder && canBeWritten(dirname(folder));
    accessSync(folder, constants.W_OK | constants.X_OK);
    return stats.isDirectory();
  } catch {
    return false;
  }
}
