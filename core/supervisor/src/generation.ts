import type {
  CrashAttribution,
  GenerationsReport,
  HostedPlugin,
  HostMessage,
  HostStart,
  Quarantine,
  Successor,
} from '@gantry/contracts';
import { mainThreadBusyMs, residentBytes } from '@gantry/core-common';
import { inheritedFd } from './child/spawn-child';
import { createWatchdog, defaultWatchdogTimes } from './child/watchdog';
import type { HostUsage, Watchdog } from './child/watchdog';
import { spawnHost } from './host-process';
import type { HostProcess } from './host-process';
import type { HostEnd } from './restart-policy';
import { sampleMainThread } from './sample-main-thread';
import type { ReadyMessage, SupervisorOptions } from './supervisor-options';
import type { SocketHandle } from './unavailable-server';

export type ChangeMessage = Extract<HostMessage, { readonly kind: 'change' }>;

/** One host process, from its start to its end. */
export interface Generation {
  readonly host: HostProcess;
  readonly quarantines: readonly Quarantine[];
  /** Resolves when it serves; with undefined when it ended before. */
  readonly ready: Promise<ReadyMessage | undefined>;
  readonly ended: Promise<HostEnd>;
}

export interface GenerationOptions {
  readonly quarantines: readonly Quarantine[];
  /** Set for one that is to take the place of another. */
  readonly successor?: Successor;
  /** Of one that loads its modules ahead: resolves when it is to take that place. */
  readonly succession?: Promise<Successor>;
  /** Set for one that follows another one which served and has ended. */
  readonly isRestart?: boolean;
  /** Undefined where the plugin set cannot be changed. */
  readonly generations: () => GenerationsReport | undefined;
  readonly onReady: (message: ReadyMessage) => void;
  readonly onChange: (message: ChangeMessage) => void;
  readonly onSocket: (handle: SocketHandle) => void;
  /** Called when it enters code of a plugin on its way to serve. */
  readonly onStep?: (step: string) => void;
}

/** A host that reports a crash ends itself; a plugin may prevent that. */
const crashTimeoutMs = 2_000;
/** A blocked process answers within a tenth of a second; one that collects the garbage of a full heap takes seconds. */
const sampleTimeoutMs = 10_000;

/** Starts a host process and watches over it: one that goes silent is ended. */
export function startGeneration(options: SupervisorOptions, own: GenerationOptions): Generation {
  const started = performance.now();
  let killedFor: HostEnd['killedFor'];
  let sampled: CrashAttribution | undefined;
  const endSilent = async (why: NonNullable<HostEnd['killedFor']>): Promise<void> => {
    if (killedFor !== undefined) return;
    killedFor = why;
    const stack = await sampleMainThread(host.openInspector, sampleTimeoutMs);
    sampled = stack === undefined ? undefined : attributeSample(options, stack, listener.plugins());
    host.kill('SIGKILL');
  };
  const watchdog = createWatchdog(
    options.watchdogTimes ?? defaultWatchdogTimes,
    (why) => void endSilent(why),
    usageOf(() => host.reference?.pid),
  );
  const onCrash = (): void => void setTimeout(() => host.kill('SIGKILL'), crashTimeoutMs).unref();
  const onReady = (message: ReadyMessage): void => {
    host.restorePriority();
    own.onReady(message);
  };
  const listener = createListener(watchdog, { ...own, onReady }, onCrash);
  const host = spawnHost({
    entry: options.entry,
    folder: options.folder,
    onLine: options.onLine,
    isSuccessor: own.successor !== undefined || own.succession !== undefined,
    ...(options.socket === undefined ? {} : { socketFd: options.socket.fd }),
    environment: options.environment,
    startMessage: startMessageOf(options, own),
    onMessage: listener.onMessage,
    onSocket: own.onSocket,
  });
  const ended = host.ended.then(({ exitCode, signal, lastError }): HostEnd => {
    const uptimeMs = performance.now() - started;
    const said = listener.end(lastError);
    return {
      ...{ exitCode, signal, uptimeMs },
      ...said,
      ...(killedFor === undefined ? {} : { killedFor }),
      ...(sampled === undefined ? {} : { attribution: sampled }),
    };
  });
  return { host, quarantines: own.quarantines, ready: listener.ready, ended };
}

function usageOf(pid: () => number | undefined): HostUsage {
  const ofHost = (read: (pid: number) => number | undefined) => (): number | undefined => {
    const known = pid();
    return known === undefined ? undefined : read(known);
  };
  return { memory: ofHost(residentBytes), busyMs: ofHost(mainThreadBusyMs) };
}

function attributeSample(
  { attributeStack }: SupervisorOptions,
  stack: string,
  plugins: readonly HostedPlugin[],
): CrashAttribution | undefined {
  const found = attributeStack(stack, plugins);
  if (found === undefined) return undefined;
  return { plugin: found.plugin, evidence: 'main-thread-sample', detail: found.position };
}

/** Takes in what a host reports. */
interface Listener {
  readonly onMessage: (message: HostMessage) => void;
  readonly ready: Generation['ready'];
  plugins(): readonly HostedPlugin[];
  /** To be called when the host is gone. @param lastError what it printed. @returns what it reported until then */
  end(lastError: string | undefined): Omit<HostEnd, 'uptimeMs' | 'exitCode' | 'signal' | 'killedFor'>;
}

function createListener(watchdog: Watchdog, own: GenerationOptions, onCrash: () => void): Listener {
  let wasReady = false;
  let fatal: HostEnd['fatal'];
  let plugins: readonly HostedPlugin[] = [];
  let crash: Extract<HostMessage, { readonly kind: 'crash' }> | undefined;
  let resolveReady = (_message: ReadyMessage | undefined): void => {};
  const ready = new Promise<ReadyMessage | undefined>((resolve) => {
    resolveReady = resolve;
  });
  const onMessage = (message: HostMessage): void => {
    switch (message.kind) {
      case 'entering':
        if (!wasReady) own.onStep?.(`${message.phase} ${message.plugin}`);
        return watchdog.entering(message, message.timeoutMs);
      case 'left':
        return watchdog.left(message);
      case 'alive':
        return watchdog.alive(message.memory);
      case 'change':
        return own.onChange(message);
      case 'plugins':
        plugins = message.plugins;
        return undefined;
      case 'crash':
        crash = message;
        return onCrash();
      case 'fatal':
        fatal = message;
        return undefined;
      case 'socket':
        return undefined;
      case 'ready':
        wasReady = true;
        watchdog.alive();
        resolveReady(message);
        return own.onReady(message);
    }
  };
  const end: Listener['end'] = (printed) => {
    const entered = watchdog.current();
    watchdog.stop();
    resolveReady(undefined);
    const attribution = crash?.attribution;
    const lastError = crash?.error ?? printed;
    return {
      wasReady,
      requiredPlugins: plugins.filter(({ isRequired }) => isRequired).map(({ id }) => id),
      ...(fatal === undefined ? {} : { fatal }),
      ...(entered === undefined ? {} : { entered }),
      ...(attribution === undefined ? {} : { attribution }),
      ...(lastError === undefined ? {} : { lastError }),
    };
  };
  return { onMessage, ready, plugins: () => plugins, end };
}

async function startMessageOf(options: SupervisorOptions, own: GenerationOptions): Promise<HostStart> {
  const successor = own.succession === undefined ? own.successor : await own.succession;
  const environment = await options.settings();
  const generations = own.generations();
  return {
    kind: 'start',
    environment,
    quarantines: own.quarantines,
    ...(options.socket === undefined ? {} : { listenFd: inheritedFd }),
    ...(generations === undefined ? {} : { generations }),
    ...(successor === undefined ? {} : { successor }),
    ...(own.isRestart === true ? { isRestart: true } : {}),
  };
}
