/** A command line that is not understood; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** @param remedy Unless given, the help; {@link withHelpOf} makes it that of the command */
  constructor(
    message: string,
    readonly remedy = seeHelp([]),
  ) {
    super(message);
  }
}

/** Where the help of a command is. */
export function seeHelp(command: readonly string[]): string {
  return `See: gantry ${[...command, '--help'].join(' ')}`;
}

/** The error; if it has no remedy, the remedy is the help of the command. */
export function withHelpOf(command: readonly string[], error: unknown): unknown {
  const isGeneral = error instanceof UsageError && error.remedy === seeHelp([]);
  return isGeneral ? new UsageError(error.message, seeHelp(command)) : error;
}
