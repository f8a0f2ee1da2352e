import type { Database, TypeEvent } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import type { TableEvents } from './table-events';

/** Renames and purges come one after the other, because both hold the schema lock: the order of the ids is that of the commits. */
const createTables = `
  CREATE TABLE IF NOT EXISTS public.gantry_type_event (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz(3) NOT NULL DEFAULT now(), event jsonb NOT NULL);
  CREATE TABLE IF NOT EXISTS public.gantry_type_event_reader (plugin text PRIMARY KEY, last_id bigint NOT NULL)`;

/** Renames and purges are stored for plugins, which have them at their next start, or a little later. */
export const storedTypeEvents: TableEvents = {
  async renamed(client, { plugin, types }) {
    const renamed = types.map(({ code, earlierCode, fields }) => ({
      type: code,
      ...(earlierCode === undefined ? {} : { earlierType: earlierCode }),
      fields: fields.map(({ from, to }) => ({ from, to })),
    }));
    if (renamed.length > 0) await store(client, { kind: 'renamed', plugin, types: renamed });
  },
  async purged(client, { plugin, types, extraFields }) {
    const extra = extraFields.map(({ type, fields }) => ({ type, fields }));
    await store(client, { kind: 'purged', plugin, types, ...(extra.length === 0 ? {} : { extraFields: extra }) });
    await client.query('DELETE FROM public.gantry_type_event_reader WHERE plugin = $1', [plugin]);
  },
};

async function store(client: ClientBase, event: TypeEvent): Promise<void> {
  await client.query(createTables);
  await client.query('INSERT INTO public.gantry_type_event (event) VALUES ($1::jsonb)', [JSON.stringify(event)]);
}

/** Rows that plugins store by names of item types follow renames and purges. */
export interface TypeEvents {
  /** Hands the events that the plugin has not had, in order, in one transaction with the note that it has. */
  deliver(plugin: string, handle: (event: TypeEvent, database: Database) => Promise<void>): Promise<void>;
  /** The id of the last one; `0` without any. */
  last(): Promise<string>;
}

export function createTypeEvents(database: Database): TypeEvents {
  const exists = async (): Promise<boolean> => {
    const [row] = await database.query<{ found: boolean }>(
      "SELECT to_regclass('public.gantry_type_event') IS NOT NULL AS found",
    );
    return row?.found === true;
  };
  return {
    async deliver(plugin, handle) {
      if (await exists()) await database.transaction((transaction) => deliver(transaction, plugin, handle));
    },
    async last() {
      if (!(await exists())) return '0';
      const [row] = await database.query<{ id: string }>(
        'SELECT coalesce(max(id), 0)::text AS id FROM public.gantry_type_event',
      );
      return row?.id ?? '0';
    },
  };
}

async function deliver(
  transaction: Database,
  plugin: string,
  handle: (event: TypeEvent, database: Database) => Promise<void>,
): Promise<void> {
  // The row is locked: of several hosts that start at once, one hands an event over.
  const [reader] = await transaction.query<{ last: string }>(
    `INSERT INTO public.gantry_type_event_reader AS r (plugin, last_id) VALUES ($1, 0)
     ON CONFLICT (plugin) DO UPDATE SET last_id = r.last_id RETURNING last_id::text AS last`,
    [plugin],
  );
  const events = await transaction.query<{ id: string; event: TypeEvent }>(
    'SELECT id::text AS id, event FROM public.gantry_type_event WHERE id > $1 ORDER BY id',
    [reader?.last ?? '0'],
  );
  for (const { event } of events) await handle(event, transaction);
  const last = events.at(-1);
  if (last === undefined) return;
  await transaction.query('UPDATE public.gantry_type_event_reader SET last_id = $2 WHERE plugin = $1', [
    plugin,
    last.id,
  ]);
}
