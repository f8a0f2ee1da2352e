import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database, Logger } from '@gantry/plugin-api';
import { runningHostTable, silentAfterSeconds } from '@gantry/core-database';

/** Several times before it counts as ended. */
const noteEveryMs = (silentAfterSeconds * 1_000) / 3;

/** A day: hosts that were killed have left their rows. */
const forgetAfterSeconds = 86_400;

export interface RunningHost {
  /** Writes down which plugins this process runs, unless it did so a short time ago. */
  note(): Promise<void>;
  /** It runs none any more. */
  remove(): Promise<void>;
}

interface RunningHostOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Of the platform. */
  readonly version: string;
  /** Ids of the plugins that this process runs. */
  readonly runningPlugins: () => readonly string[];
}

/** The plugins that this process runs, for commands on any host that delete what the database has of a plugin. */
export function createRunningHost({ database, logger, version, runningPlugins }: RunningHostOptions): RunningHost {
  const id = randomUUID();
  let notedAt = Number.NEGATIVE_INFINITY;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      // A database that does not answer has its own part in the health of the host.
      logger.debug({ err: error }, 'the plugins of this host could not be noted');
    }
  };
  return {
    note: async () => {
      if (performance.now() - notedAt < noteEveryMs) return;
      await attempt(async () => {
        await database.query(
          `WITH forgotten AS (DELETE FROM ${runningHostTable} WHERE seen_at < now() - interval '${forgetAfterSeconds} s')
           INSERT INTO ${runningHostTable} (id, name, plugins, seen_at, version) VALUES ($1, $2, $3, now(), $4)
           ON CONFLICT (id) DO UPDATE SET plugins = excluded.plugins, seen_at = now()`,
          [id, hostname(), runningPlugins(), version],
        );
        notedAt = performance.now();
      });
    },
    remove: () => attempt(() => database.query(`DELETE FROM ${runningHostTable} WHERE id = $1`, [id])),
  };
}
