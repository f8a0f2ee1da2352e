import type { ClientBase } from 'pg';
import { GantryError } from '@gantry/plugin-api/errors';
import { tableExists } from './table-exists';

/** The plugins that the hosts on a database run: a row for each process. */
export const runningHostTable = 'gantry_running_host';

/** A host that has written nothing for so long has ended without removing its row. */
export const silentAfterSeconds = 60;

/** @throws GantryError CONFLICT that names the hosts */
export async function assertRunsNowhere(client: ClientBase, plugin: string): Promise<void> {
  if (!(await tableExists(client, runningHostTable))) return;
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT name FROM public.${runningHostTable}
     WHERE $1 = ANY (plugins) AND seen_at > now() - interval '${silentAfterSeconds} s' ORDER BY name`,
    [plugin],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new GantryError(
    'CONFLICT',
    `A host on this database runs the plugin ${plugin}, on ${names}. Disable it there first; a host that was killed counts for ${silentAfterSeconds} s.`,
  );
}
