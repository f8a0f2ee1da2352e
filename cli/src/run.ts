import { Interrupted } from './common/failure';
import { readProjectEnvironment } from './context/environment-file';
import { createProgram } from './program';
import { watchOutput } from './terminal/output';
import { failureFormatOf, reportFailure } from './terminal/report-failure';
import { createTerminal } from './terminal/terminal';

/**
 * Runs the command line of this process and sets its exit code: 0 when it did what was asked, 1 when it could not, 2 when
 * it was not understood, 130 when it was interrupted.
 */
export async function run(): Promise<void> {
  const words = process.argv.slice(2);
  const terminal = createTerminal(process);
  const format = failureFormatOf(words);
  const output = watchOutput(process, terminal, format);
  try {
    const environment = { ...(await readProjectEnvironment(process.env['GANTRY_PROJECT'])), ...process.env };
    const exitCode = await (await createProgram({ terminal, environment }))(words);
    process.exitCode = output.isLost() ? 1 : exitCode;
  } catch (error) {
    if (output.isFailure(error)) return;
    process.exitCode = reportFailure(terminal, error, format);
    // Interrupted work may still wait for something, such as a lock or a plugin.
    if (error instanceof Interrupted) process.exit();
  }
}
