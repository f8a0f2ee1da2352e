import { Declined, describeFailure } from '../common/failure';
import type { Terminal } from './terminal';

/** How errors are shown. */
export interface FailureFormat {
  /** Whether a program reads them. */
  readonly json: boolean;
  /** Whether stacks are shown. */
  readonly verbose: boolean;
}

/**
 * The one place that shows an error: text for a person; with --json one line on standard error, so that standard output only ever
 * has results, also where a part of one was written before.
 * @returns the exit code
 */
export function reportFailure(terminal: Terminal, error: unknown, { json, verbose }: FailureFormat): number {
  const failure = describeFailure(error, verbose);
  if (json) terminal.stderr.write(`${failure.json}\n`);
  else if (error instanceof Declined) terminal.note(error.message);
  else terminal.error(failure.text);
  return failure.exitCode;
}

/** The format that the words of a command line ask for, also where they are not understood. */
export function failureFormatOf(words: readonly string[]): FailureFormat {
  const end = words.indexOf('--');
  const options = end < 0 ? words : words.slice(0, end);
  return { json: isSet('json', options), verbose: isSet('verbose', options) };
}

/** As the parser reads a flag: the last one counts, and `--json false` is one without it. */
function isSet(name: string, words: readonly string[]): boolean {
  const index = words.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (index < 0) return false;
  return words[index] === `--${name}` ? words[index + 1] !== 'false' : words[index] === `--${name}=true`;
}
