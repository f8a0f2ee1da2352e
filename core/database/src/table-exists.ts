import type { ClientBase } from 'pg';

/** Whether the schema `public` has a table; a platform of an earlier version, or one that starts for the first time, has not all. */
export async function tableExists(client: Pick<ClientBase, 'query'>, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = $1) AS found`,
    [name],
  );
  return rows[0]?.found === true;
}
