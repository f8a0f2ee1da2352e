import { withRemedy } from '../common/with-remedy';
import { reportFailure, type FailureFormat } from './report-failure';
import type { Terminal } from './terminal';

/** The state of standard output. */
export interface Output {
  /** Whether printed output was lost although it has a reader. */
  isLost(): boolean;
  /** Whether the error is that of standard output, which is dealt with already. */
  isFailure(error: unknown): boolean;
}

/**
 * Deals with a standard output that cannot be written. The command runs to its end, so that it leaves nothing behind, such
 * as a database that it started. A reader that has gone away has what it wants: `gantry items export article | head`.
 */
export function watchOutput({ stdout, stderr }: NodeJS.Process, terminal: Terminal, format: FailureFormat): Output {
  let failure: NodeJS.ErrnoException | undefined;
  const isLost = (): boolean => failure !== undefined && failure.code !== 'EPIPE';
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (failure !== undefined) return;
    failure = error;
    if (!isLost()) return;
    reportFailure(terminal, lostOutput(error), { ...format, verbose: false });
    process.exitCode = 1;
  });
  // There is no reader to notify.
  stderr.on('error', () => undefined);
  return { isLost, isFailure: (error) => failure !== undefined && error === failure };
}

function lostOutput(error: NodeJS.ErrnoException): Error {
  const reason = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
  return withRemedy(
    `The output could not be written: ${reason}.`,
    'The output is incomplete. Write it to another disk or file.',
    error,
    'OUTPUT_LOST',
  );
}
