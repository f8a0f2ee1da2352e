import { describeFailure, Interrupted } from './failure';
import { createProgram } from './program';
import { createTerminal } from './terminal/terminal';

/**
 * Runs the command line of this process and sets its exit code: 0 when it did what was asked, 1 when it could not, 2 when
 * it was not understood, 130 when it was interrupted.
 */
export async function run(): Promise<void> {
  const words = process.argv.slice(2);
  const terminal = createTerminal(process);
  endQuietlyWithoutReader();
  try {
    process.exitCode = await (await createProgram({ terminal, environment: process.env }))(words);
  } catch (error) {
    const { text, exitCode } = describeFailure(error, words.includes('--verbose'));
    terminal.error(text);
    process.exitCode = exitCode;
    // What was interrupted may still wait for something, such as a lock or a plugin.
    if (error instanceof Interrupted) process.exit();
  }
}

/** `gantry items export article | head`: the reader has what it wants. */
function endQuietlyWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
