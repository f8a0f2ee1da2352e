import type { Database } from '@gantry/plugin-api';

/** Display names of users, by what the audit log and the change feed call them, such as `user:12`; of those that exist. */
export async function readUserNames(
  database: Pick<Database, 'query'>,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = actors.flatMap((actor) => /^user:(\d{1,18})$/.exec(actor)?.[1] ?? []);
  if (ids.length === 0) return new Map();
  const rows = await database.query<{ actor: string; name: string }>(
    `SELECT 'user:' || id AS actor, display_name AS name FROM gantry_user WHERE id = ANY ($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ actor, name }) => [actor, name]));
}
