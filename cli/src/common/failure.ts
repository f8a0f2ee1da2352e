import type { Failure as Answer } from '@gantry/contracts';
import type { FailureCode } from './failure-codes';
import { plainLines } from './plain';
import { UsageError } from './usage-error';

export interface Failure {
  /** For a person: one sentence and its remedy; a stack only if requested. */
  readonly text: string;
  /** For programs (--json): one line, `{ "error": { … } }`. */
  readonly json: string;
  readonly exitCode: number;
}

/** The report of an error. */
export function describeFailure(error: unknown, isVerbose: boolean): Failure {
  const exitCode = exitCodeOf(error);
  const message = messageOf(error);
  const stack = isVerbose && error instanceof Error ? stackOf(error) : '';
  const remedy = remedyOf(error) ?? '';
  const report = {
    code: codeOf(error),
    message,
    ...(remedy === '' ? {} : { remedy }),
    ...partsOf(error),
    ...(stack === '' ? {} : { stack }),
    exitCode,
  };
  const text = [`gantry: ${message}`, ...(remedy === '' ? [] : [`  ${remedy}`]), ...(stack === '' ? [] : [stack])];
  // It may contain names from files and responses.
  return { text: plainLines(text.join('\n')), json: JSON.stringify({ error: report }), exitCode };
}

/** The person who was asked said no. */
export class Declined extends Error {
  override readonly name = 'Declined';
  readonly remedy = '';
}

/** Ctrl-C, or a signal that asks to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  return error instanceof Interrupted ? 130 : 1;
}

/** By the name of the class, so that it also holds for errors of host and launcher. */
const codesByName: Readonly<Record<string, FailureCode>> = {
  UsageError: 'USAGE',
  Interrupted: 'INTERRUPTED',
  Declined: 'NOT_CONFIRMED',
  LauncherError: 'PLATFORM_NOT_USABLE',
  TransferError: 'TRANSFER_FAILED',
  ConfigError: 'CONFIG_INVALID',
};

/** That of the platform or of the host where there is one, so that it is the same as over HTTP. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'INTERNAL' satisfies FailureCode;
  const known = codesByName[error.name];
  if (known !== undefined) return known;
  if (fileProblem(error) !== undefined) return 'FILE_NOT_USABLE' satisfies FailureCode;
  const isOwn = 'remedy' in error;
  const own = isOwn || error.name === 'GantryError' ? wordOf(error) : undefined;
  return own ?? answerOf(error)?.code ?? ((isOwn ? 'FAILED' : 'INTERNAL') satisfies FailureCode);
}

function wordOf(error: object): string | undefined {
  return 'code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(error.code)
    ? error.code
    : undefined;
}

/** The answer of the platform, which `refusalOf` passes on. */
function answerOf({ cause }: Error): Partial<Answer['error']> | undefined {
  if (typeof cause !== 'object' || cause === null || cause instanceof Error) return undefined;
  return wordOf(cause) === undefined ? undefined : cause;
}

/** Facts for programs in addition to the code: which values are wrong, and what a deletion would do. */
function partsOf(error: unknown): Partial<Pick<Answer['error'], 'details' | 'deletion' | 'requestId'>> {
  if (!(error instanceof Error)) return {};
  const { details, deletion, requestId }: Partial<Answer['error']> = answerOf(error) ?? error;
  return {
    ...(details === undefined ? {} : { details }),
    ...(deletion === undefined ? {} : { deletion }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const system = fileProblem(error);
  if (system !== undefined) return system;
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Errors of host and launcher that a person can fix carry their remedy. */
function remedyOf(error: unknown): string | undefined {
  if (error instanceof Interrupted) return undefined;
  if (typeof error !== 'object' || error === null) return unexpected;
  if ('remedy' in error && typeof error.remedy === 'string') return error.remedy;
  if (fileProblem(error) !== undefined) return 'Check the path and the permissions, and try again.';
  if ('name' in error && error.name === 'GantryError') {
    return 'code' in error && error.code === 'UNAVAILABLE'
      ? 'Check whether PostgreSQL is running: gantry doctor'
      : undefined;
  }
  return unexpected;
}

const unexpected = 'This is an unexpected error; run the command with --verbose to see the stack trace.';

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'is not accessible to this user',
  EPERM: 'is not accessible to this user',
  EISDIR: 'is a folder',
  ENOTDIR: 'has a parent that is not a folder',
  ENOSPC: 'does not fit on the disk',
  EROFS: 'is on a disk that cannot be written',
};

function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return undefined;
  const known = 'code' in error ? fileProblems[String(error.code)] : undefined;
  return known === undefined ? undefined : `${error.path} ${known}.`;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
