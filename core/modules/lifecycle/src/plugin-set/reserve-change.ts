import { hostname } from 'node:os';
import type { ClientBase } from 'pg';
import { PluginError } from '@gantry/core-loader';
import { readStoredSet, setChanged } from './stored-set';

/** Names the processes of a home: of a copy of the home on another machine, it is another one. */
export function holderOf(home: string): string {
  return `${hostname()} ${home}`;
}

/** The process that makes a change keeps its reservation; after its end others wait no longer than this. */
const heldForSeconds = 15;

export interface Reservation {
  readonly home: string;
  /** Its description for the hosts that have to wait. */
  readonly text: string;
  /** The revision that it changes; undefined where it makes another change at the moment, after which this one comes. */
  readonly expected: string | undefined;
}

/**
 * Reserves the set for a change by this host, so that another one is refused at once. What counts in the end is the revision.
 * @throws PluginError PLUGIN_SET_CHANGED
 */
export async function reserveChange(client: ClientBase, { home, text, expected }: Reservation): Promise<void> {
  const holder = holderOf(home);
  const { rowCount } = await client.query(
    `UPDATE gantry_plugin_set
     SET change_host = $1, change_text = $2, change_until = now() + interval '${heldForSeconds} s'
     WHERE name = 'plugins' AND ($3::text IS NULL OR revision = $3)
       AND (change_host IS NULL OR change_host = $1 OR change_until < now())`,
    [holder, `${hostname()}: ${text}`, expected ?? null],
  );
  if (rowCount !== 0) return;
  const { rows } = await client.query<{ change_text: string }>(
    `SELECT change_text FROM gantry_plugin_set
     WHERE name = 'plugins' AND change_host <> $1 AND change_until >= now()`,
    [holder],
  );
  const [other] = rows;
  if (other === undefined) throw setChanged(await readStoredSet(client));
  throw new PluginError(
    'PLUGIN_SET_CHANGED',
    `Another host is changing the plugins at the moment (${other.change_text})`,
    'This request changed nothing. Wait until the other change has ended, and try again',
  );
}

export const renewReservation = `UPDATE gantry_plugin_set SET change_until = now() + interval '${heldForSeconds} s'
  WHERE name = 'plugins' AND change_host = $1`;

export const releaseReservation = `UPDATE gantry_plugin_set SET change_host = NULL, change_text = NULL, change_until = NULL
  WHERE name = 'plugins' AND change_host = $1`;
