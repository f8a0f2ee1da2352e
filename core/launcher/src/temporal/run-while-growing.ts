import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sendSignal } from '@gantry/core-common';

export interface RunOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
  /** Absolute folder that the program fills. */
  readonly folder: string;
  /** A program that adds nothing to the folder for so long is ended. */
  readonly idleMs?: number;
  /** And any program after so long. */
  readonly timeoutMs?: number;
}

const defaultIdleMs = 30_000;
const defaultTimeoutMs = 15 * 60_000;
const pollIntervalMs = 500;

/**
 * Runs a program that downloads. A slow line is no reason to end it, silence is.
 * @throws Error with the last line that the program wrote.
 */
export async function runWhileGrowing(program: string, args: readonly string[], options: RunOptions): Promise<void> {
  options.signal.throwIfAborted();
  const child = spawn(program, [...args], {
    env: options.environment,
    // A separate process group, so that what it starts ends with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => errors.push(chunk));
  const watch = watchGrowth(child, options);
  const onAbort = (): void => end(child);
  options.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const code = await exitOf(child);
    options.signal.throwIfAborted();
    if (code === 0) return;
    throw new Error(watch.reason() ?? lastLine(errors.join('')) ?? `it ended with exit code ${code ?? 'unknown'}`);
  } finally {
    watch.stop();
    options.signal.removeEventListener('abort', onAbort);
    end(child);
  }
}

interface GrowthWatch {
  /** Why the program was ended, if it was. */
  reason(): string | undefined;
  stop(): void;
}

function watchGrowth(child: ChildProcess, options: RunOptions): GrowthWatch {
  const { idleMs = defaultIdleMs, timeoutMs = defaultTimeoutMs } = options;
  const started = performance.now();
  let grown = { size: 0, at: started };
  let reason: string | undefined;
  const look = async (): Promise<void> => {
    const size = await sizeOf(options.folder);
    const now = performance.now();
    if (size !== grown.size) grown = { size, at: now };
    if (now - grown.at > idleMs) reason = `no data arrived for ${Math.round(idleMs / 1000)} s`;
    else if (now - started > timeoutMs) reason = `it took longer than ${Math.round(timeoutMs / 60_000)} minutes`;
    if (reason !== undefined) end(child);
  };
  const timer = setInterval(() => void look(), pollIntervalMs);
  timer.unref();
  return { reason: () => reason, stop: () => clearInterval(timer) };
}

/** Bytes of all files below a folder; files that vanish in the meantime do not count. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((total, size) => total + size, 0);
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}

function end(child: ChildProcess): void {
  if (child.pid !== undefined) sendSignal(child.pid, 'SIGKILL', 'group');
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1)?.trim() || undefined;
}
