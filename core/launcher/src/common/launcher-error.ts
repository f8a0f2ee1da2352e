/**
 * A problem that the person at the terminal can fix. The command line prints `message` and `remedy` and no stack.
 * @public
 */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';

  constructor(
    /** One sentence: what is wrong and where. */
    message: string,
    /** One sentence: what to do about it. */
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** By name and not by instanceof, so that it also holds for an error of another copy of this package. */
export function isLauncherError(error: unknown): error is LauncherError {
  return error instanceof Error && error.name === 'LauncherError' && 'remedy' in error;
}
