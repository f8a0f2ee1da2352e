import { plainLines } from './plain';
import { UsageError } from './usage-error';

export interface Failure {
  readonly text: string;
  readonly exitCode: number;
}

/** The report of an error: one sentence and its remedy; a stack only if requested. */
export function describeFailure(error: unknown, isVerbose: boolean): Failure {
  const exitCode = exitCodeOf(error);
  const stack = isVerbose && error instanceof Error ? `\n${stackOf(error)}` : '';
  const remedy = remedyOf(error);
  const remedyLine = remedy ? `\n  ${remedy}` : '';
  // It may contain names from files and responses.
  return { text: plainLines(`gantry: ${messageOf(error)}${remedyLine}${stack}`), exitCode };
}

/** Ctrl-C, or a signal that asks to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  return error instanceof Interrupted ? 130 : 1;
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
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
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
