import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';

const project = join(__dirname, '..', '..', '..');

/** A `gantry up` that is ready. */
export interface Platform {
  readonly pid: number;
  /** Stays the same when the host is started again. */
  readonly address: string;
  output(): string;
  /** Ctrl-C. @returns the exit code */
  stop(): Promise<number | null>;
  /** kill -9 of the launcher alone. */
  kill(): Promise<void>;
}

/** A `gantry up` from its start to its end. */
export interface PlatformProcess extends Omit<Platform, 'address'> {
  /** Resolves with the address of the banner. */
  readonly ready: Promise<string>;
  readonly ended: Promise<number | null>;
}

export function startPlatform(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): PlatformProcess {
  const child = spawn(process.execPath, [join(project, 'cli', 'bin', 'gantry.js'), ...words], {
    cwd: project,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      hasEnded = true;
      resolve(code);
    });
  });
  const addressOf = (): string | undefined => /^ +Address +(\S+)[\s\S]*^ +Stop /m.exec(output)?.[1];
  const ready = eventually(() => hasEnded || addressOf() !== undefined).then(() => {
    const address = addressOf();
    if (address === undefined) throw new Error(`gantry ${words.join(' ')} ended before it was ready:\n${output}`);
    return address;
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ready,
    ended,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
