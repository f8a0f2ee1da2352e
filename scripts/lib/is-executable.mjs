import { accessSync, constants } from 'node:fs';

/** Whether this user can run a file. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
