import { spawn } from 'node:child_process';
import { getHeapStatistics } from 'node:v8';
import type { HostMessage, LauncherMessage } from '@gantry/contracts';
import { referenceOf, sendSignal } from '@gantry/core-common';
import type { ProcessReference } from '@gantry/core-common';
import { lastErrorOf } from './last-error';
import { parseHostMessage } from './parse-host-message';
import { readLines } from './read-lines';
import type { SocketHandle } from './unavailable-server';

export interface HostExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastError?: string;
}

export interface HostProcess {
  readonly reference: ProcessReference | undefined;
  /** Resolves when the process is gone. */
  readonly gone: Promise<unknown>;
  /** Resolves when the process is gone and all it printed has been read. */
  readonly exited: Promise<HostExit>;
  send(message: LauncherMessage): void;
  /**
   * Makes the process open its inspector, on a port of loopback that the system chooses. A client of the port has full
   * control of the process, so this is only for one that is ended next. @returns the WebSocket address
   */
  openInspector(): Promise<string>;
  /** To the process and everything it started. */
  kill(signal: NodeJS.Signals): void;
}

export interface SpawnHostOptions {
  /** JavaScript file of the host process. */
  readonly entry: string;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The rest of the environment, if it is not known yet: the host loads its modules in the meantime. */
  readonly coming?: Promise<Readonly<Record<string, string>>> | undefined;
  /** A socket that the host is given, as file descriptor {@link hostSocketFd}. */
  readonly socketFd?: number;
  readonly onMessage: (message: HostMessage) => void;
  /** Takes a copy of the socket on which the host listens. */
  readonly onSocket: (handle: SocketHandle) => void;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

/** The one after the channel over which host and launcher speak. */
export const hostSocketFd = 4;

const tailLines = 60;
/** A grandchild may keep the pipes open after the host itself is gone. */
const drainMs = 1_000;

/** Starts a host process in a separate group, so that Ctrl-C in the terminal reaches only the launcher. */
export function spawnHost(options: SpawnHostOptions): HostProcess {
  const child = spawn(process.execPath, [...hostFlags(options.environment), options.entry], {
    cwd: options.folder,
    env: { ...options.environment, ...(options.coming === undefined ? {} : { GANTRY_AWAIT_ENVIRONMENT: '1' }) },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', ...(options.socketFd === undefined ? [] : [options.socketFd])],
  });
  const tail: string[] = [];
  const inspector = createInspectorOpener(() => child.kill('SIGUSR1'));
  const onErrorLine = (line: string): void => {
    if (inspector.takesLine(line)) return;
    tail.push(line);
    if (tail.length > tailLines) tail.shift();
    options.onLine(line, 'stderr');
  };
  const drained = Promise.all([
    readLines(child.stdout, (line) => options.onLine(line, 'stdout')),
    readLines(child.stderr, onErrorLine),
  ]);
  child.on('message', (message, handle: unknown) => {
    const parsed = parseHostMessage(message);
    if (parsed?.kind === 'socket' && isSocketHandle(handle)) options.onSocket(handle);
    if (parsed !== undefined) options.onMessage(parsed);
  });
  const reference = child.pid === undefined ? undefined : referenceOf(child.pid);
  const exited = new Promise<Omit<HostExit, 'lastError'>>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', () => {
      // Also sent for a message that could not be delivered; only a process that never started has no number.
      if (child.pid === undefined) resolve({ exitCode: null, signal: null });
    });
  });
  const send = (message: LauncherMessage): void => {
    if (child.connected) child.send(message, () => {});
  };
  // If it never comes, the caller that waits for it ends the host.
  options.coming?.then(
    (values) => send({ kind: 'environment', values }),
    () => {},
  );
  return {
    reference,
    gone: exited,
    exited: exited.then(async (exit) => {
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
      const lastError = lastErrorOf(tail);
      return lastError === undefined ? exit : { ...exit, lastError };
    }),
    send,
    openInspector: inspector.open,
    kill: (signal) => {
      if (child.pid !== undefined) sendSignal(child.pid, signal, 'group');
    },
  };
}

/**
 * Newer versions of Node.js let short-lived objects take twice as much memory before they clean up. A host that streams
 * has many of them and gains nothing by it; NODE_OPTIONS overrides this.
 */
function hostFlags({ NODE_OPTIONS: chosen = '' }: NodeJS.ProcessEnv): readonly string[] {
  const isChosen = (name: RegExp): boolean => name.test(chosen);
  return [
    inspectorFlag,
    ...(isChosen(/semi[-_]space/) ? [] : ['--max-semi-space-size=16']),
    ...(isChosen(/old[-_]space/) || heapLimitMiB() <= maxHeapMiB ? [] : [`--max-old-space-size=${maxHeapMiB}`]),
  ];
}

/**
 * Far more than a host needs. Each garbage collection of a full heap blocks the process for a second per GiB, and there are many before
 * it ends: with the 4 GiB that Node.js would take, a leak stopped the platform for minutes.
 */
const maxHeapMiB = 1024;

/** What Node.js chooses by the memory of the machine. */
function heapLimitMiB(): number {
  return getHeapStatistics().heap_size_limit / 1024 / 1024;
}

/** Opens nothing by itself: where the inspector listens when a signal asks for it. */
const inspectorFlag = '--inspect-port=127.0.0.1:0';

interface InspectorOpener {
  readonly open: () => Promise<string>;
  /** @returns whether the line is about the inspector that was asked for, and of no interest to anybody else */
  takesLine(line: string): boolean;
}

/** Node reports the address of its inspector on standard error only. */
function createInspectorOpener(requestInspector: () => void): InspectorOpener {
  let resolveAddress: ((address: string) => void) | undefined;
  return {
    open: () =>
      new Promise((resolve) => {
        resolveAddress = resolve;
        requestInspector();
      }),
    takesLine: (line) => {
      if (resolveAddress === undefined) return false;
      const [, address] = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/\S+)$/.exec(line) ?? [];
      if (address !== undefined) resolveAddress(address);
      return address !== undefined || line.startsWith('For help, see: ') || line === 'Debugger attached.';
    },
  };
}

function isSocketHandle(handle: unknown): handle is SocketHandle {
  return typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function';
}
