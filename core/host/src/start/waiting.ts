import { untilAvailable } from '@gantry/core-database';
import type { HealthPart } from '@gantry/core-http';
import type { WithDatabase } from '@gantry/core-content';
import { isExposed } from '../config';
import type { HostOptions } from '../host-options';
import type { ServiceWorkers } from '../temporal/service-workers';

/** The cause for which a start waits. */
export interface Waiting {
  /** Waits for a database that is not available yet. */
  readonly withDatabase: WithDatabase;
  /** From here on, their part counts. */
  watch(workers: ServiceWorkers): void;
  /** The answer for other machines: credentials are known only after the start, so that before it they see the status alone. */
  shown(): readonly HealthPart[];
}

export function createWaiting({ config, logger }: Pick<HostOptions, 'config' | 'logger'>): Waiting {
  let database: HealthPart | undefined;
  let workers: ServiceWorkers | undefined;
  const onWait = (reason: string | undefined): void => {
    database = reason === undefined ? undefined : { name: 'database', status: 'down', message: reason };
  };
  return {
    withDatabase: (work) => untilAvailable(work, { databaseUrl: config.databaseUrl, logger, onWait }),
    watch: (started) => void (workers = started),
    shown() {
      if (isExposed(config) || config.publicUrl !== undefined) return [];
      const waiting = workers?.health().filter(({ status }) => status !== 'up') ?? [];
      return database === undefined ? waiting : [database, ...waiting];
    },
  };
}
