import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withRemedy } from '../common/with-remedy';

/**
 * Opens a file for writing, and fails at once if that is not possible.
 * @param named what the person called it, where another file is written first
 */
export async function openOutput(file: string, named = file): Promise<WriteStream> {
  try {
    const stream = (await open(file, 'w')).createWriteStream();
    // Write errors do not name the file.
    return stream.on('error', (error) => void Object.assign(error, { path: named }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw Object.assign(error as Error, { path: named });
    throw withRemedy(`The folder ${dirname(named)} does not exist.`, 'Create it, or name another file.', error);
  }
}
