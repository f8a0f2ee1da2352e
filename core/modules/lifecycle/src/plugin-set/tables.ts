import type { ClientBase } from 'pg';
import {
  createTable,
  platform,
  runningHostTable,
  tableExists,
  type ColumnSpec,
  type PluginSchema,
  type TableSpec,
} from '@gantry/core-database';
import { releaseSchemaLock, takeSchemaLock } from '@gantry/core-database/schema-lock';

const lockTimeoutMs = 120_000;

const tables: readonly TableSpec[] = [
  table(
    'gantry_plugin_set',
    ['name'],
    [
      // Always `plugins`: there is one set.
      text('name'),
      whole('generation'),
      text('revision'),
      json('plugins'),
      { ...json('previous'), nullable: true },
      text('changed_by'),
      time('changed_at'),
      // The host that is changing the set, with what it does.
      { ...text('change_host'), nullable: true },
      { ...text('change_text'), nullable: true },
      { ...time('change_until'), nullable: true },
    ],
  ),
  table(
    runningHostTable,
    ['id'],
    [
      ...[text('id'), text('name'), { name: 'plugins', type: 'text[]', nullable: false }, time('seen_at')],
      // Of the platform; hosts of earlier versions write none.
      { ...text('version'), nullable: true },
    ],
  ),
];

/** The plugin set that all hosts on the database share. */
export const pluginSetSchema: PluginSchema = { id: platform, migrations: [], tables };

/** The set is read before anything else of the schema is known. */
export async function ensureSetTables(client: ClientBase): Promise<void> {
  if (await haveAll(client)) return;
  await takeSchemaLock(client, lockTimeoutMs);
  for (const spec of tables) if (!(await tableExists(client, spec.name))) await client.query(createTable(spec));
  await client.query(`ALTER TABLE ${runningHostTable} ADD COLUMN IF NOT EXISTS version text`);
  await releaseSchemaLock(client);
}

async function haveAll(client: ClientBase): Promise<boolean> {
  for (const { name } of tables) if (!(await tableExists(client, name))) return false;
  const { rows } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'public.${runningHostTable}'::regclass AND attname = 'version'`,
  );
  return rows.length > 0;
}

function table(name: string, primaryKey: readonly string[], columns: readonly ColumnSpec[]): TableSpec {
  return { plugin: platform, name, columns, primaryKey, indexes: [], foreignKeys: [] };
}

function text(name: string): ColumnSpec {
  return { name, type: 'text', nullable: false };
}

function whole(name: string): ColumnSpec {
  return { name, type: 'BIGINT', nullable: false };
}

function json(name: string): ColumnSpec {
  return { name, type: 'JSONB', nullable: false };
}

function time(name: string): ColumnSpec {
  return { name, type: 'TIMESTAMPTZ(3)', nullable: false };
}
