import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './setup-error';

/** What came of a run of npm. */
export interface NpmRun {
  readonly exitCode: number;
  /** What it printed; empty when it printed to the terminal. */
  readonly output: string;
}

export interface NpmOptions {
  /** Ends npm when it aborts. */
  readonly signal?: AbortSignal;
  /** `show` prints to the terminal of this process, on standard error. */
  readonly output: 'show' | 'collect';
}

/**
 * Runs npm in a folder, as a program of Node.js: without a shell, so that no argument is interpreted.
 * @throws SetupError where there is no npm
 */
export async function runNpm(folder: string, words: readonly string[], options: NpmOptions): Promise<NpmRun> {
  const { output, signal } = options;
  const [command, ...first] = npmCommand();
  const stdio = output === 'show' ? 2 : 'pipe';
  const child = spawn(command, [...first, ...words], {
    cwd: folder,
    stdio: ['ignore', stdio, stdio],
    ...(signal === undefined ? {} : { signal, killSignal: 'SIGTERM' }),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  try {
    await once(child, 'close');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) throw error;
    throw new SetupError('npm was not found.', 'Install Node.js with npm, or add the folder of npm to PATH.');
  }
  return { exitCode: child.exitCode ?? 1, output: text };
}

/** The npm that started this process, else the one that Node.js brings, else the one on PATH. */
function npmCommand(): readonly [string, ...string[]] {
  const node = dirname(process.execPath);
  const files = [
    process.env['npm_execpath'] ?? '',
    join(node, 'node_modules/npm/bin/npm-cli.js'),
    join(node, '../lib/node_modules/npm/bin/npm-cli.js'),
  ];
  const file = files.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
  return file === undefined ? ['npm'] : [process.execPath, file];
}
