import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
