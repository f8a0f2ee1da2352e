import { GantryError, type Temporal } from '@gantry/plugin-api';
import type { Client, Connection } from '@temporalio/client';
import type { HealthPart } from '../http/health';
import type { TemporalSettings } from './settings';

/** The host's client of Temporal, shared by all plugins. */
export interface TemporalAccess extends Temporal {
  /** How Temporal is, asked within a second; undefined where no plugin uses it and none is named. */
  health(): Promise<HealthPart>;
  close(): Promise<void>;
}

const healthDeadlineMs = 1_000;

const remedy =
  'Orders and operations wait meanwhile and go on by themselves when it is there. `gantry up` without TEMPORAL_ADDRESS brings its own.';

/** The connection is made when it is first used and finds its way back by itself. */
export function createTemporalAccess(settings: TemporalSettings | undefined): TemporalAccess {
  let opened: Promise<{ readonly client: Client; readonly connection: Connection }> | undefined;
  const open = () => (opened ??= settings === undefined ? Promise.reject(notNamed()) : connect(settings));
  return {
    namespace: settings?.namespace ?? 'default',
    async client<T>() {
      if (settings === undefined) throw notNamed();
      return (await open()).client as T;
    },
    health: async () => {
      if (settings === undefined) return { name: 'temporal', status: 'degraded', message: `No Temporal is connected. ${remedy}` };
      const { connection } = await open();
      try {
        await connection.withDeadline(Date.now() + healthDeadlineMs, () => connection.workflowService.getSystemInfo({}));
        return { name: 'temporal', status: 'up' };
      } catch {
        return { name: 'temporal', status: 'degraded', message: `Temporal at ${settings.address} does not answer. ${remedy}` };
      }
    },
    close: async () => {
      if (opened !== undefined) await (await opened).connection.close();
    },
  };
}

/** The package is large: it is loaded only where something uses Temporal. */
async function connect({ connection: options, namespace }: TemporalSettings) {
  const { Client, Connection } = await import('@temporalio/client');
  const connection = Connection.lazy(options);
  return { connection, client: new Client({ connection, namespace }) };
}

function notNamed(): GantryError {
  return new GantryError('UNAVAILABLE', `No Temporal is connected. ${remedy}`);
}
