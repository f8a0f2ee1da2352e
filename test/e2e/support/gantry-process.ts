import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const command = join(__dirname, '..', '..', '..', 'cli', 'bin', 'gantry.js');

/** A `gantry up` as a person starts it: the built command in a separate process. */
export interface GantryProcess {
  readonly pid: number;
  /** Resolves with the address of the banner. @throws when it ends before */
  readonly ready: Promise<string>;
  /** All that it has printed. */
  output(): string;
  /** Sends Ctrl-C and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Ends what a failed test left; harmless when it has ended. */
  kill(): void;
}

/**
 * Starts `gantry up` with more words, such as `--only order --port 0`.
 * @param cwd folder of the project; that of the test run unless given
 */
export function startGantry(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string = process.cwd(),
): GantryProcess {
  const child = spawn(process.execPath, [command, 'up', ...words], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = once(child, 'close') as Promise<[number | null]>;
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /^ *Address +(\S+)[^]*^ *Stop/m.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`gantry up ${words.join(' ')} ended:\n${output}`)));
  });
  // A caller that does not await it must not fail with it.
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ready,
    output: () => output,
    stop: async () => {
      child.kill('SIGINT');
      return (await ended)[0];
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
