import { GantryError, isGantryError } from '@gantry/plugin-api';

/** The message to clients when the storage of the images cannot be used; the log has the cause. */
export function storageFailure(title: string, error: unknown): GantryError {
  if (isGantryError(error)) return error;
  return new GantryError(
    'UNAVAILABLE',
    `The image storage is unavailable: ${title} ${reasonOf(error)}. Try again later.`,
    {
      cause: error,
    },
  );
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'has no space left';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'must not be written to';
    default:
      return 'cannot be used';
  }
}
