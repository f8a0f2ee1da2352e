import type {
  GenerationsReport,
  HostMessage,
  LauncherMessage,
  PluginChange,
  Quarantine,
  Successor,
} from '@gantry/contracts';
import { parseConfig } from './config';
import { createHost, type Host } from './create-host';
import { describeFailure } from './describe-failure';
import { standAlone, type Generations } from './generations';
import { createLogger } from './logger';

const signOfLifeMs = 5_000;

/**
 * The host process. Started by the outer process (`gantry up`), which it tells over IPC how the start goes; it ends
 * when it is told to, on SIGTERM or SIGINT, and when the outer process is gone.
 */
async function main(): Promise<void> {
  const logger = createLogger('info');
  const abandon = (): void => process.exit(1);
  process.once('disconnect', abandon);
  process.on('message', leaveWhenTold);
  // Until here, the modules were loaded.
  Object.assign(process.env, await lateEnvironment());
  const generations = followGenerations(process.env['GANTRY_GENERATIONS']);
  try {
    const config = parseConfig(process.env);
    const socket = process.env['GANTRY_LISTEN_FD'];
    const successor = readJson<Successor>(process.env['GANTRY_SUCCESSOR']);
    const host = await createHost({
      config,
      logger: createLogger(config.logLevel),
      environment: process.env,
      quarantines: readJson<readonly Quarantine[]>(process.env['GANTRY_QUARANTINE']) ?? [],
      tell,
      generations,
      ...(socket ? { socket: { fd: Number(socket) } } : {}),
      ...(successor === undefined ? {} : { successor }),
    });
    process.off('disconnect', abandon);
    process.off('message', leaveWhenTold);
    endWhenTold(host);
    tell({ kind: 'ready', address: host.address, report: host.report, types: host.types });
    if (process.send === undefined) logger.info({ address: host.address }, 'ready');
    setInterval(() => tell({ kind: 'alive' }), signOfLifeMs).unref();
  } catch (error) {
    const failure = describeFailure(error, process.env);
    logger.error(
      failure.isExpected ? { code: failure.code } : { code: failure.code, err: error },
      `${failure.message} ${failure.remedy}`,
    );
    tell({ kind: 'fatal', code: failure.code, message: failure.message, remedy: failure.remedy });
    await flushed();
    process.exit(1);
  }
}

/** The outer process starts this one while it still starts the servers, and then tells where they are. */
function lateEnvironment(): Promise<Readonly<Record<string, string>>> {
  if (process.env['GANTRY_AWAIT_ENVIRONMENT'] !== '1' || !process.connected) return Promise.resolve({});
  return new Promise((resolve) => {
    process.on('message', function listen(message: Partial<LauncherMessage>) {
      if (message.kind !== 'environment' || message.values === undefined) return;
      process.off('message', listen);
      resolve(message.values);
    });
  });
}

/** Nothing is served yet and what runs in the database is a transaction: a start that is not wanted any more just ends. */
function leaveWhenTold(message: Partial<LauncherMessage>): void {
  if (message.kind === 'stop') process.exit(0);
}

function tell(message: HostMessage): void {
  if (process.connected) process.send?.(message);
}

/** IPC messages are written asynchronously; the outer process must get the last one. */
function flushed(): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || process.send === undefined) resolve();
    else process.send({ kind: 'alive' } satisfies HostMessage, () => resolve());
  });
}

function endWhenTold(host: Host): void {
  let ending: Promise<void> | undefined;
  const end = (work: () => Promise<void>): void => {
    ending ??= work().finally(() => process.exit(0));
  };
  const stop = (): void => end(() => host.stop());
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  process.on('message', (message: Partial<LauncherMessage>) => {
    if (message.kind === 'stop') stop();
    if (message.kind === 'retire') end(() => host.retire());
  });
}

/**
 * What the outer process told of the generations last; it tells at the start and after every change. Whoever asks for a
 * change finds it from then on, also before the outer process has told of it.
 */
function followGenerations(text: string | undefined): Generations {
  const first = readJson<GenerationsReport>(text);
  if (first === undefined) return standAlone;
  let told = first;
  let untold: readonly PluginChange[] = [];
  process.on('message', (message: Partial<LauncherMessage>) => {
    if (message.kind !== 'generations' || message.report === undefined) return;
    told = message.report;
    const known = new Set(told.changes.map(({ id }) => id));
    untold = untold.filter(({ id }) => !known.has(id));
  });
  return {
    report: () => ({ ...told, changes: [...untold, ...told.changes] }),
    request: (change, decisions) => {
      untold = [change, ...untold];
      tell({ kind: 'change', id: change.id, action: change.action, decisions });
    },
  };
}

/** What the outer process passes on in the environment. */
function readJson<T>(text: string | undefined): T | undefined {
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as T);
}

void main();
