import type { HostMessage, LauncherMessage, Quarantine } from '@gantry/contracts';
import { parseConfig } from './config';
import { createHost, type Host } from './create-host';
import { describeFailure } from './describe-failure';
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
  try {
    const config = parseConfig(process.env);
    const host = await createHost({
      config,
      logger: createLogger(config.logLevel),
      environment: process.env,
      quarantines: readQuarantines(process.env['GANTRY_QUARANTINE']),
      tell,
    });
    process.off('disconnect', abandon);
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
  const end = (): void => {
    ending ??= host.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.once('disconnect', end);
  process.on('message', (message: Partial<LauncherMessage>) => {
    if (message.kind === 'stop') end();
  });
}

function readQuarantines(text: string | undefined): readonly Quarantine[] {
  return text === undefined || text === '' ? [] : (JSON.parse(text) as readonly Quarantine[]);
}

void main();
