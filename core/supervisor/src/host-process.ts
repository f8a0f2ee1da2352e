import { getHeapStatistics } from 'node:v8';
import type { HostMessage, HostStart, LauncherMessage } from '@gantry/contracts';
import { endsWithin, sendSignal, type Logger } from '@gantry/core-common';
import { parseHostMessage } from './child/messages';
import { spawnChild } from './child/spawn-child';
import type { Child } from './child/spawn-child';
import type { SocketHandle } from './unavailable-server';

export interface StopTimes {
  /** For draining after the request to stop. */
  readonly drainMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly termMs: number;
}

export interface HostProcess extends Pick<
  Child,
  'reference' | 'gone' | 'ended' | 'limit' | 'kill' | 'restorePriority'
> {
  send(message: LauncherMessage): void;
  /**
   * Makes the process open its inspector, on a port of loopback that the system chooses. A client of the port has full
   * control of the process, so this is only for one that is ended next. @returns the WebSocket address
   */
  openInspector(): Promise<string>;
  /** Lets it finish what it has begun, and ends it by signals when it does not. */
  stop(message: LauncherMessage, times: StopTimes, logger: Logger): Promise<void>;
}

export interface SpawnHostOptions {
  /** JavaScript file of the host process. */
  readonly entry: string;
  readonly folder: string;
  /** Of the user who started the platform. */
  readonly environment: NodeJS.ProcessEnv;
  /** The message of the launcher; the host loads its modules while it waits for it. */
  readonly startMessage: Promise<HostStart>;
  /** A socket that the host is given. */
  readonly socketFd?: number;
  /** Whether another host serves, which comes first until its priority is restored. */
  readonly isSuccessor: boolean;
  readonly onMessage: (message: HostMessage) => void;
  /** Takes a copy of the socket on which the host listens. */
  readonly onSocket: (handle: SocketHandle) => void;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

export function spawnHost(options: SpawnHostOptions): HostProcess {
  const { environment, socketFd } = options;
  const inspector = createInspectorOpener(() => {
    if (child.reference !== undefined) sendSignal(child.reference.pid, 'SIGUSR1');
  });
  const child = spawnChild({
    program: process.execPath,
    args: [...hostFlags(environment), options.entry],
    cwd: options.folder,
    env: environment,
    isBackground: options.isSuccessor,
    output: {
      onLine: (line, stream) => {
        if (stream === 'stdout' || !inspector.takesLine(line)) options.onLine(line, stream);
      },
    },
    channel: {
      parse: parseHostMessage,
      onMessage: (message, handle) => {
        if (message.kind === 'socket' && isSocketHandle(handle)) options.onSocket(handle);
        options.onMessage(message);
      },
      startMessage: options.startMessage,
      ...(socketFd === undefined ? {} : { inheritFd: socketFd }),
    },
  });
  return {
    ...child,
    openInspector: inspector.open,
    stop: async (message, times, logger) => {
      child.send(message);
      if (await endsWithin(child.ended, times.drainMs)) return;
      logger.warn('the host does not finish in time and is sent SIGTERM', { afterMs: times.drainMs });
      if (await child.stop(times.termMs)) return;
      logger.warn('the host does not end after SIGTERM and is killed');
    },
  };
}

/**
 * Newer versions of Node.js let short-lived objects take twice as much memory before they clean up. A host that streams
 * has many of them and gains nothing by it. From the small heap that Node.js begins with, a host cleans up 18 times while it starts instead
 * of 7: a tenth of the processor time of a start. NODE_OPTIONS overrides this.
 */
function hostFlags({ NODE_OPTIONS: chosen = '' }: NodeJS.ProcessEnv): readonly string[] {
  const isChosen = (name: RegExp): boolean => name.test(chosen);
  return [
    inspectorFlag,
    ...(isChosen(/semi[-_]space/) ? [] : ['--max-semi-space-size=16', '--min-semi-space-size=16']),
    ...(isChosen(/old[-_]space/)
      ? []
      : [
          '--initial-old-space-size=128',
          ...(heapLimitMiB() <= maxHeapMiB ? [] : [`--max-old-space-size=${maxHeapMiB}`]),
        ]),
  ];
}

/**
 * Far more than a host needs. Each garbage collection of a full heap blocks the process for a second per GiB, and there are many before
 * it ends: with the 4 GiB that Node.js would take, a leak stopped the platform for minutes.
 */
const maxHeapMiB = 1024;

/** The heap limit that Node.js chooses by the memory of the machine. */
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
