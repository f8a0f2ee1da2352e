/** A problem that the person at the terminal can fix. The command line prints `message` and `remedy` and no stack. */
export class SetupError extends Error {
  override readonly name = 'SetupError';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}
