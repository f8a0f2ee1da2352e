import { accessSync, constants, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { homeOfUser } from './home-of-user';

type Environment = Readonly<NodeJS.ProcessEnv>;

/** The folder that takes programs which are obtained; the first of `cacheFolders`. */
export function cacheFolder(environment: Environment, home: string): string {
  return cacheFolders(environment, home)[0];
}

/**
 * The folders with programs that were obtained: `GANTRY_CACHE`, else the folder `gantry` in XDG_CACHE_HOME or ~/.cache, which
 * all projects of a user share, and the folder `cache` of the home. The shared one is first, unless it cannot be written.
 * Scripts of the repository, which run before anything is installed, have the same rule in scripts/lib/cache-folder.mjs.
 */
export function cacheFolders(environment: Environment, home: string): readonly [string, ...string[]] {
  const own = join(home, 'cache');
  const shared = sharedFolder(environment);
  if (shared === undefined) return [own];
  return canBeWritten(shared) ? [shared, own] : [own, shared];
}

function sharedFolder(environment: Environment): string | undefined {
  if (environment['GANTRY_CACHE']) return resolve(environment['GANTRY_CACHE']);
  // Relative paths in XDG_CACHE_HOME are invalid (XDG Base Directory Specification).
  const shared = environment['XDG_CACHE_HOME'];
  if (shared && isAbsolute(shared)) return join(shared, 'gantry');
  const home = homeOfUser(environment);
  return home === undefined ? undefined : join(home, '.cache', 'gantry');
}

/** Whether the folder can be written, or made in the nearest folder above it that exists. */
function canBeWritten(folder: string): boolean {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return dirname(folder) !== folder && canBeWritten(dirname(folder));
    accessSync(folder, constants.W_OK | constants.X_OK);
    return stats.isDirectory();
  } catch {
    return false;
  }
}
