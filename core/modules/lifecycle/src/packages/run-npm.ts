import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnChild } from '@gantry/core-supervisor/child';
import { PluginError } from '@gantry/core-loader';

export interface NpmOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The program and its first arguments; the npm of this machine unless given. */
  readonly command?: readonly [string, ...string[]];
}

/** The result of a run of npm. */
export interface NpmRun {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  /** Both streams, as they came. */
  readonly output: string;
}

/** Of each stream; what is printed beyond that is not kept. */
const maxCharacters = 1_000_000;

/**
 * Runs npm as a program of Node.js: without a shell, so that no argument is interpreted. Everything that it started ends with it.
 * @throws PluginError PLUGIN_NOT_FETCHED where there is no npm; the signal's reason when it aborts
 */
export async function runNpm(words: readonly string[], options: NpmOptions): Promise<NpmRun> {
  const { cwd, environment, timeoutMs, signal, command = npmCommand(environment['npm_execpath']) } = options;
  const [program, ...first] = command;
  let stdout = '';
  let output = '';
  signal?.throwIfAborted();
  const child = spawnChild({
    program,
    args: [...first, ...words],
    cwd,
    env: environment,
    output: {
      onLine: (line, stream) => {
        if (stream === 'stdout' && stdout.length < maxCharacters) stdout += `${line}\n`;
        if (output.length < maxCharacters) output += `${line}\n`;
      },
    },
    ...(signal === undefined ? {} : { signal }),
  });
  child.limit(timeoutMs);
  const { exitCode, timedOut, lastError } = await child.ended;
  signal?.throwIfAborted();
  if (child.reference === undefined) throw npmMissing(lastError);
  return { exitCode, timedOut, stdout, output };
}

function npmMissing(reason = 'it cannot be started'): PluginError {
  return new PluginError(
    'PLUGIN_NOT_FETCHED',
    `npm was not found: ${reason}`,
    'Install Node.js with npm, or add the folder of npm to PATH',
  );
}

/**
 * The npm that started this process, else the one that Node.js brings, else the one on PATH.
 * @param started `npm_execpath` of the environment
 */
export function npmCommand(started = ''): readonly [string, ...string[]] {
  const node = dirname(process.execPath);
  const files = [
    started,
    join(node, 'node_modules/npm/bin/npm-cli.js'),
    join(node, '../lib/node_modules/npm/bin/npm-cli.js'),
  ];
  const file = files.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
  return file === undefined ? ['npm'] : [process.execPath, file];
}
