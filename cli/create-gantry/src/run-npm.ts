import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PackageManager } from './package-manager';
import { SetupError } from './setup-error';

/** The result of a run of npm, or of another package manager. */
export interface NpmRun {
  readonly exitCode: number;
  /** Its output; empty when it printed to the terminal. */
  readonly output: string;
}

export interface NpmOptions {
  /** Ends npm when it aborts. */
  readonly signal?: AbortSignal;
  /** `show` prints to the terminal of this process, on standard error. */
  readonly output: 'show' | 'collect';
  /** npm unless given. */
  readonly manager?: PackageManager;
}

/**
 * Runs npm in a folder, as a program of Node.js: without a shell, so that no argument is interpreted.
 * @throws SetupError where it is not installed
 */
export async function runNpm(folder: string, words: readonly string[], options: NpmOptions): Promise<NpmRun> {
  const { output, signal, manager = 'npm' } = options;
  const [command, ...first] = commandOf(manager);
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
    throw new SetupError(`${manager} was not found.`, `Install ${manager}, or add its folder to PATH.`);
  }
  return { exitCode: child.exitCode ?? 1, output: text };
}

/** The one that started this process; for npm else the one that Node.js brings; else the one on PATH. */
function commandOf(manager: PackageManager): readonly [string, ...string[]] {
  const node = dirname(process.execPath);
  const started = process.env['npm_execpath'] ?? '';
  const files = [
    ...(basename(started).startsWith(manager === 'npm' ? 'npm-cli.' : `${manager}.`) ? [started] : []),
    ...(manager === 'npm'
      ? [join(node, 'node_modules/npm/bin/npm-cli.js'), join(node, '../lib/node_modules/npm/bin/npm-cli.js')]
      : []),
  ];
  const file = files.find((path) => /\.[cm]?js$/.test(path) && existsSync(path));
  return file === undefined ? [manager] : [process.execPath, file];
}
