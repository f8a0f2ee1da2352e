/**
 * The codes of errors of the command line that have none of the platform, and what each means. `scripts/generate-docs.mjs`
 * lists them in `docs/errors.md`.
 */
export const failureCodes = {
  USAGE: 'The command line is not valid',
  INTERRUPTED: 'Ctrl-C or a signal interrupted the command',
  NOT_CONFIRMED: 'The confirmation was declined',
  NO_ANSWER: 'The platform cannot be reached, or does not answer in time',
  PLATFORM_NOT_USABLE: 'The platform of the home cannot be used: its settings, servers, files or backups',
  TRANSFER_FAILED: 'The file cannot be imported or exported as a whole',
  FILE_NOT_USABLE: 'A file or folder does not exist, or cannot be read or written',
  OUTPUT_LOST: 'Standard output could not be written',
  CONFIG_INVALID: 'A setting is not valid',
  FAILED: 'The command failed; `remedy` names the fix',
  INTERNAL: 'An unexpected error; `--verbose` shows the stack trace',
} as const satisfies Record<string, string>;

export type FailureCode = keyof typeof failureCodes;
