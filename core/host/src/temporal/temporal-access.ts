import { GantryError, type Temporal } from '@gantry/plugin-api';
import type { Client, Connection } from '@temporalio/client';
import type { HealthPart } from '@gantry/core-http';
import { createRetryInterceptor } from './call-retries';
import { explainAbsence, notConnected } from './explain-absence';
import { readTemporalSettings, type TemporalSettings } from './settings';

/** The host's client of Temporal, shared by all plugins. */
export interface TemporalAccess extends Temporal {
  /** How Temporal is, asked within a second. */
  health(): Promise<HealthPart>;
  /** Whether there is one that does not answer. */
  isUnavailable(): Promise<boolean>;
  close(): Promise<void>;
}

const healthDeadlineMs = 1_000;

/** Milliseconds. By default, gRPC reconnects only every two minutes to a server that was unavailable for long. */
const reconnect = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 3_000 } as const;

/** The Temporal that the environment names. @throws ConfigError */
export function openTemporal(environment: Readonly<Record<string, string | undefined>>): TemporalAccess {
  return createTemporalAccess(readTemporalSettings(environment));
}

/** The connection is made when it is first used and finds its way back by itself. */
export function createTemporalAccess(settings: TemporalSettings | undefined): TemporalAccess {
  if (settings === undefined) return noAccess;
  let opened: ReturnType<typeof connect> | undefined;
  const open = (): ReturnType<typeof connect> => (opened ??= connect(settings));
  const health = async (): Promise<HealthPart> => {
    const { connection } = await open();
    try {
      await connection.withDeadline(Date.now() + healthDeadlineMs, () =>
        connection.workflowService.describeNamespace({ namespace: settings.namespace }),
      );
      return { name: 'temporal', status: 'up' };
    } catch (error) {
      return { name: 'temporal', status: 'degraded', message: await explainAbsence(settings, error) };
    }
  };
  return {
    namespace: settings.namespace,
    client: async <T>() => (await open()).client as T,
    health,
    isUnavailable: async () => (await health()).status !== 'up',
    close: async () => {
      if (opened !== undefined) await (await opened).connection.close();
    },
  };
}

/** The package is large: it is loaded only where something uses Temporal. */
async function connect({
  connection: options,
  namespace,
}: TemporalSettings): Promise<{ readonly client: Client; readonly connection: Connection }> {
  const parts = await import('@temporalio/client');
  const { Client: ClientClass, Connection: ConnectionClass } = parts;
  const connection = ConnectionClass.lazy({
    ...options,
    channelArgs: reconnect,
    interceptors: [createRetryInterceptor(parts)],
  });
  return { connection, client: new ClientClass({ connection, namespace }) };
}

const noAccess: TemporalAccess = {
  namespace: 'default',
  client: () => Promise.reject(new GantryError('UNAVAILABLE', notConnected)),
  health: () => Promise.resolve({ name: 'temporal', status: 'degraded', message: notConnected }),
  isUnavailable: () => Promise.resolve(false),
  close: () => Promise.resolve(),
};
