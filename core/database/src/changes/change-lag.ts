import type { HostDatabase } from '../create-database';

/** Behind which transaction readers of the change feed stop. */
export interface ChangeLag {
  /** How long it has been open; undefined where PostgreSQL does not show that to its user. */
  readonly seconds: number | undefined;
  /** Process id of its session; undefined for a prepared transaction. */
  readonly pid: number | undefined;
  /** For example `gantry write`, or the id of a prepared transaction. */
  readonly name: string;
}

/** Sessions of all databases: positions follow the transaction ids of the server. */
const oldest = `SELECT extract(epoch FROM clock_timestamp() - since)::float8, pid, name FROM (
    SELECT backend_xid AS id, xact_start AS since, pid, application_name AS name FROM pg_stat_activity
    WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
    UNION ALL SELECT transaction, prepared, NULL, gid FROM pg_prepared_xacts) AS t
  ORDER BY age(id) DESC LIMIT 1`;

/** The oldest transaction that may still write; undefined when there is none, and readers see all that is committed. */
export async function readChangeLag(database: Pick<HostDatabase, 'query'>): Promise<ChangeLag | undefined> {
  const [row] = await database.query({ sql: oldest });
  if (row === undefined) return undefined;
  const [seconds, pid, name] = row as readonly [number | null, number | null, string | null];
  return { seconds: seconds === null ? undefined : Math.max(0, seconds), pid: pid ?? undefined, name: name ?? '' };
}
