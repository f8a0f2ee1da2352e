/** A command line that is not understood; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly remedy = 'See: gantry --help',
  ) {
    super(message);
  }
}
