import { endsWithin } from '@gantry/core-common';
import type { HostDatabase } from '@gantry/core-database';
import type { PluginRegistryOptions } from '@gantry/core-loader';
import type { Logger } from '@gantry/plugin-api';

const answerLimitMs = 1_000;

interface OutageOptions {
  readonly logger: Logger;
  readonly isTemporalUnavailable?: () => Promise<boolean>;
}

/** Asks the services that the start of a plugin may wait for: PostgreSQL, and Temporal where the plugin has a worker. */
export function createOutages(
  database: Pick<HostDatabase, 'ping'>,
  { logger, isTemporalUnavailable }: OutageOptions,
): NonNullable<PluginRegistryOptions['isWaiting']> {
  let known: string | undefined;
  return async ({ id, contributes }) => {
    const usesTemporal = contributes.taskQueues.length > 0;
    const down = (await isUnavailable(database)) ? 'PostgreSQL' : undefined;
    const service = down ?? (usesTemporal && (await isTemporalUnavailable?.()) === true ? 'Temporal' : undefined);
    if (service !== undefined && service !== known) {
      logger.warn({ plugin: id, phase: 'start' }, `${service} does not answer; its time limit waits`);
    }
    known = service;
    return service !== undefined;
  };
}

async function isUnavailable(database: Pick<HostDatabase, 'ping'>): Promise<boolean> {
  return !(await endsWithin(database.ping(), answerLimitMs).catch(() => false));
}
