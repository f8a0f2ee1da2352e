import { up } from '@gantry/launcher';

/** Runs the command line of this process. */
export async function run(): Promise<void> {
  process.exitCode = await up();
}
