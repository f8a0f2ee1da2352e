import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnChild } from '@gantry/core-supervisor/child';
import type { Child } from '@gantry/core-supervisor/child';

export interface RunOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
  /** Absolute folder that the program fills. */
  readonly folder: string;
  /** Gets the bytes that the folder has, again and again. */
  readonly onSize?: (bytes: number) => void;
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
  let lastLine: string | undefined;
  const child = spawnChild({
    program,
    args,
    env: options.environment,
    output: {
      onLine: (line, stream) => {
        if (stream === 'stderr' && line.trim() !== '') lastLine = line.trim();
      },
    },
    signal: options.signal,
  });
  const watch = watchGrowth(child, options);
  const { exitCode, lastError } = await child.ended.finally(watch.stop);
  options.signal.throwIfAborted();
  if (exitCode === 0) return;
  throw new Error(watch.reason() ?? lastLine ?? lastError ?? `it ended with exit code ${exitCode ?? 'unknown'}`);
}

interface GrowthWatch {
  /** Why the program was ended, if it was. */
  reason(): string | undefined;
  stop(): void;
}

function watchGrowth(child: Child, options: RunOptions): GrowthWatch {
  const { idleMs = defaultIdleMs, timeoutMs = defaultTimeoutMs } = options;
  const started = performance.now();
  let grown = { size: 0, at: started };
  let reason: string | undefined;
  const look = async (): Promise<void> => {
    const size = await sizeOf(options.folder);
    options.onSize?.(size);
    const now = performance.now();
    if (size !== grown.size) grown = { size, at: now };
    if (now - grown.at > idleMs) reason = `no data arrived for ${Math.round(idleMs / 1000)} s`;
    else if (now - started > timeoutMs) reason = `it took longer than ${Math.round(timeoutMs / 60_000)} minutes`;
    if (reason !== undefined) child.kill('SIGKILL');
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
