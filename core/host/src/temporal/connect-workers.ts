import type { Logger } from '@gantry/plugin-api';
import type { NativeConnection } from '@temporalio/worker';
import { explainAbsence } from './explain-absence';
import { pause } from './pause';
import type { TemporalSettings } from './settings';

export interface ConnectOptions {
  readonly settings: TemporalSettings;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called when an attempt has failed. */
  readonly onFailure: () => void;
}

/** Polling the embedded server before it is up costs little; an external cluster is polled less often. */
const retryMs = { embedded: { first: 50, max: 500 }, own: { first: 500, max: 10_000 } } as const;

/** Tries until Temporal answers. @returns undefined when the signal aborts. */
export async function connectWorkers(options: ConnectOptions): Promise<NativeConnection | undefined> {
  const { settings, logger, signal, onFailure } = options;
  const { first, max } = retryMs[settings.stateFile === undefined ? 'own' : 'embedded'];
  for (let delay: number = first; !signal.aborted; delay = Math.min(delay * 2, max)) {
    try {
      return await openConnection(settings);
    } catch (error) {
      if (delay === first) await logFailure(settings, logger, error);
      onFailure();
      await pause(delay, signal);
    }
  }
  return undefined;
}

/** @throws the SDK's error when Temporal does not answer. */
export async function openConnection({ connection, address }: TemporalSettings): Promise<NativeConnection> {
  const { NativeConnection: Native } = await import('@temporalio/worker');
  return Native.connect({ ...connection, address });
}

/** The start of the embedded one takes a moment and is not worth a log line. */
async function logFailure(settings: TemporalSettings, logger: Logger, error: unknown): Promise<void> {
  if (settings.stateFile !== undefined) return;
  logger.warn({ address: settings.address, reason: String(error) }, await explainAbsence(settings, error));
}
