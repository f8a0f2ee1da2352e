import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where programs that are fetched or unpacked are kept: shared by all copies of the repository that a user has. */
export function cacheFolder(environment = process.env) {
  const shared = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache');
  return environment.GANTRY_CACHE || join(shared, 'gantry');
}
