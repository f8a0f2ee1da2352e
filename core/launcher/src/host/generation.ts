import type { GenerationsReport, HostMessage, Quarantine, Successor } from '@gantry/contracts';
import type { Life } from './life';
import type { ReadyMessage, RunHostOptions } from './host-run';
import { hostSocketFd, spawnHost } from './spawn-host';
import type { HostProcess } from './spawn-host';
import { createHostWatch, defaultWatchTimes } from './watch';
import type { HostWatch } from './watch';

export type ChangeMessage = Extract<HostMessage, { readonly kind: 'change' }>;

/** One host process, from its start to its end. */
export interface Generation {
  readonly host: HostProcess;
  readonly quarantines: readonly Quarantine[];
  /** Resolves when it serves; with undefined when it ended before. */
  readonly ready: Promise<ReadyMessage | undefined>;
  readonly life: Promise<Life>;
}

export interface GenerationOptions {
  readonly quarantines: readonly Quarantine[];
  /** Set for one that shall take the place of another. */
  readonly successor?: Successor;
  readonly generations: GenerationsReport | undefined;
  /** The rest of its environment, where that is not known yet. */
  readonly coming?: RunHostOptions['coming'];
  readonly onReady: (message: ReadyMessage) => void;
  readonly onChange: (message: ChangeMessage) => void;
  /** Called when it enters code of a plugin on its way to serve. */
  readonly onStep?: (step: string) => void;
}

/** Starts a host process and watches over it: one that goes silent is ended. */
export function startGeneration(options: RunHostOptions, own: GenerationOptions): Generation {
  const started = performance.now();
  let killedFor: Life['killedFor'];
  const watch = createHostWatch(options.watchTimes ?? defaultWatchTimes, (why) => {
    killedFor ??= why;
    host.kill('SIGKILL');
  });
  const listener = createListener(watch, own);
  const host = spawnHost({
    entry: options.entry,
    folder: options.folder,
    onLine: options.onLine,
    ...(options.socket === undefined ? {} : { socketFd: options.socket.fd }),
    environment: environmentOf(options, own),
    coming: own.coming,
    onMessage: listener.onMessage,
  });
  const life = host.exited.then((exit): Life => {
    // What it had started must not outlive it.
    host.kill('SIGKILL');
    const uptimeMs = performance.now() - started;
    return { ...exit, ...listener.end(), uptimeMs, ...(killedFor === undefined ? {} : { killedFor }) };
  });
  return { host, quarantines: own.quarantines, ready: listener.ready, life };
}

/** Takes in what a host says of itself. */
interface Listener {
  readonly onMessage: (message: HostMessage) => void;
  readonly ready: Generation['ready'];
  /** To be called when the host is gone. @returns what it has said of its life */
  end(): Pick<Life, 'wasReady' | 'fatal' | 'entered'>;
}

function createListener(watch: HostWatch, own: GenerationOptions): Listener {
  let wasReady = false;
  let fatal: Life['fatal'];
  let nowReady = (_message: ReadyMessage | undefined): void => {};
  const ready = new Promise<ReadyMessage | undefined>((resolve) => {
    nowReady = resolve;
  });
  const onMessage = (message: HostMessage): void => {
    switch (message.kind) {
      case 'entering':
        if (!wasReady) own.onStep?.(`${message.phase} ${message.plugin}`);
        return watch.entering(message, message.timeoutMs);
      case 'left':
        return watch.left(message);
      case 'alive':
        return watch.alive();
      case 'change':
        return own.onChange(message);
      case 'fatal':
        fatal = message;
        return undefined;
      case 'ready':
        wasReady = true;
        watch.alive();
        nowReady(message);
        return own.onReady(message);
    }
  };
  const end: Listener['end'] = () => {
    const entered = watch.current();
    watch.stop();
    nowReady(undefined);
    return { wasReady, ...(fatal === undefined ? {} : { fatal }), ...(entered === undefined ? {} : { entered }) };
  };
  return { onMessage, ready, end };
}

function environmentOf(options: RunHostOptions, own: GenerationOptions): NodeJS.ProcessEnv {
  return {
    ...options.environment(),
    GANTRY_QUARANTINE: JSON.stringify(own.quarantines),
    ...(options.socket === undefined ? {} : { GANTRY_LISTEN_FD: String(hostSocketFd) }),
    ...(own.generations === undefined ? {} : { GANTRY_GENERATIONS: JSON.stringify(own.generations) }),
    ...(own.successor === undefined ? {} : { GANTRY_SUCCESSOR: JSON.stringify(own.successor) }),
  };
}
