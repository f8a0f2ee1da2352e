import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { endsWithin, referenceOf, sendSignal, type ProcessReference } from '@gantry/core-common';
import { lastErrorOf, readLines } from './child-output';
import { lowerPriority } from './priority';

export interface ChildOptions<M> {
  readonly program: string;
  readonly args: readonly string[];
  /** The folder of this process unless given. */
  readonly cwd?: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Whether other processes come first: for some seconds at most, or as long as it runs. */
  readonly isBackground?: boolean | 'always';
  /** Another user than that of this process. */
  readonly identity?: { readonly uid?: number; readonly gid?: number };
  readonly output: ChildOutput;
  /** Messages over IPC, for a child that is a Node process. */
  readonly channel?: ChildChannel<M>;
  /** Ends the child at once when it aborts. */
  readonly signal?: AbortSignal;
}

export type ChildOutput =
  /** Line by line; a child of this kind ends with this process at the latest. */
  | { readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void }
  /** Into an open file; a child of this kind is a server that outlives this process. */
  | { readonly log: number };

export interface ChildChannel<M> {
  /** @returns undefined for a message that is not for us: plugins share the channel's process and may send others */
  readonly parse: (message: unknown) => M | undefined;
  readonly onMessage: (message: M, handle: unknown) => void;
  /** The one message that the child starts with, when it is known: the child loads its modules in the meantime. */
  readonly startMessage: Promise<object>;
  /** Given to the child as {@link inheritedFd}. */
  readonly inheritFd?: number;
}

/** The file descriptor after that of the channel. */
export const inheritedFd = 4;

/** How a child ended. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether this process ended it because its time was up. */
  readonly timedOut: boolean;
  /** An error that it printed shortly before its end, or why it could not be started. */
  readonly lastError?: string;
}

export interface Child {
  /** Undefined for one that could not be started. */
  readonly reference: ProcessReference | undefined;
  /** Resolves when the process is gone. */
  readonly gone: Promise<unknown>;
  /** Resolves when the process is gone and all it printed was read. */
  readonly ended: Promise<ChildEnd>;
  isGone(): boolean;
  /** For one that was started in the background, and does not stay there. */
  restorePriority(): void;
  /** Does nothing when the child is gone. */
  send(message: object): void;
  /** Ends it when so much time has passed from now on. Replaces the earlier limit; undefined removes it. */
  limit(timeoutMs: number | undefined): void;
  /** To the process and everything it started; nothing when it is gone. */
  kill(name: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL when it has not ended in time. @returns whether it had */
  stop(timeoutMs: number): Promise<boolean>;
}

const tailLines = 60;
/** A process that the child has started in another group may keep the pipes open after the child is gone. */
const drainMs = 1_000;

/**
 * Starts a process in a separate group, so that Ctrl-C in the terminal reaches only this one, which then decides the order,
 * and so that it ends together with all that it started. That it cannot be started is reported as its end.
 */
export function spawnChild<M>(options: ChildOptions<M>): Child {
  const outlives = 'log' in options.output;
  const child = start(options);
  const { isBackground = false } = options;
  const lowered =
    isBackground !== false && child.pid !== undefined ? lowerPriority(child.pid, isBackground === 'always') : undefined;
  const tail: string[] = [];
  const drained = readOutput(child, options.output, tail);
  let timedOut = false;
  let isGone = false;
  let timer: NodeJS.Timeout | undefined;
  const kill = (name: NodeJS.Signals): void => {
    // The number of one that is gone may belong to another process.
    if (child.pid !== undefined && !isGone) sendSignal(child.pid, name, 'group');
  };
  const abort = (): void => kill('SIGKILL');
  const gone = exitOf(child).finally(() => {
    // Processes that it had started must not outlive it.
    if (!outlives) kill('SIGKILL');
    isGone = true;
    lowered?.forget();
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
  });
  const ended = gone.then(async (end): Promise<ChildEnd> => {
    await endsWithin(drained, drainMs);
    const lastError = end.lastError ?? lastErrorOf(tail);
    return { ...end, timedOut, ...(lastError === undefined ? {} : { lastError }) };
  });
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted === true) abort();
  if (options.channel !== undefined) openChannel(child, options.channel);
  return {
    reference: child.pid === undefined ? undefined : referenceOf(child.pid),
    gone,
    ended,
    isGone: () => isGone,
    restorePriority: () => {
      if (!isGone) void lowered?.restore();
    },
    send: (message) => send(child, message),
    limit: (timeoutMs) => {
      clearTimeout(timer);
      if (timeoutMs === undefined || isGone) return;
      timer = setTimeout(() => {
        timedOut = true;
        kill('SIGKILL');
      }, timeoutMs);
    },
    kill,
    stop: async (timeoutMs) => {
      kill('SIGTERM');
      const inTime = await endsWithin(ended, timeoutMs);
      kill('SIGKILL');
      await ended;
      return inTime;
    },
  };
}

function start<M>({ program, args, cwd, env, identity, output, channel }: ChildOptions<M>): ChildProcess {
  const streams: StdioOptions = 'log' in output ? ['ignore', output.log, output.log] : ['ignore', 'pipe', 'pipe'];
  const ipc: StdioOptions = channel === undefined ? [] : ['ipc'];
  const inherited = channel?.inheritFd === undefined ? [] : [channel.inheritFd];
  const stdio = [...streams, ...ipc, ...inherited];
  const child = spawn(program, args, { ...identity, cwd, env, detached: true, stdio });
  if ('log' in output) child.unref();
  return child;
}

async function readOutput(child: ChildProcess, output: ChildOutput, tail: string[]): Promise<void> {
  if ('log' in output) return;
  const onErrorLine = (line: string): void => {
    tail.push(line);
    if (tail.length > tailLines) tail.shift();
    output.onLine(line, 'stderr');
  };
  await Promise.all([
    readLines(child.stdout, (line) => output.onLine(line, 'stdout')),
    readLines(child.stderr, onErrorLine),
  ]);
}

function exitOf(child: ChildProcess): Promise<Omit<ChildEnd, 'timedOut'>> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.on('error', (error) => {
      // Also sent for a message that could not be delivered; only a process that never started has no number.
      if (child.pid === undefined) resolve({ exitCode: null, signal: null, lastError: error.message });
    });
  });
}

function openChannel<M>(child: ChildProcess, { parse, onMessage, startMessage }: ChildChannel<M>): void {
  child.on('message', (message, handle: unknown) => {
    const parsed = parse(message);
    if (parsed !== undefined) onMessage(parsed, handle);
  });
  // If it never comes, the caller that waits for it ends the child.
  startMessage.then(
    (message) => send(child, message),
    () => {},
  );
}

function send(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => {});
}
