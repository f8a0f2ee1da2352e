import type { ClientBase } from 'pg';
import { lt, valid } from 'semver';
import type { TableEvents } from '../events/table-events';
import { tableExists } from '../table-exists';
import type { TableSpec } from '../table-spec';
import type { ExecutedMigration, ExecutedMigrations } from './plugin-migrations';
import type { SchemaFailure } from './plan/schema-plan';

/** The record of the plugin that has these tables. */
export interface PluginRecord {
  readonly plugin: string;
  /** The version that used the tables last. */
  readonly version: string;
  /** The version that ran the last migration; null where none has run since versions are recorded. */
  readonly migratedBy: string | null;
  /** The version that renamed something last. */
  readonly renamedBy: string | null;
  /** Tables of its items. */
  readonly tables: readonly string[];
}

/** The record of a purged plugin goes. */
export const recordEvents: TableEvents = {
  async purged(client, { plugin }) {
    if (!(await tableExists(client, 'gantry_plugin_schema'))) return;
    await client.query('DELETE FROM public.gantry_plugin_schema WHERE plugin = $1', [plugin]);
  },
};

/** A plugin as its code is. */
export interface PluginVersion {
  readonly id: string;
  /** Undefined for the platform itself. */
  readonly version?: string | undefined;
  readonly migrations: readonly { readonly name: string }[];
  readonly tables: readonly TableSpec[];
}

export type PluginRecords = ReadonlyMap<string, PluginRecord>;

/** By plugin id. An absent table means that nothing is recorded. */
export async function readPluginRecords(client: ClientBase): Promise<PluginRecords> {
  if (!(await tableExists(client, 'gantry_plugin_schema'))) return new Map();
  const { rows } = await client.query<PluginRecord>(
    `SELECT plugin, version, migrated_by AS "migratedBy", renamed_by AS "renamedBy", tables FROM public.gantry_plugin_schema`,
  );
  return new Map(rows.map((row) => [row.plugin, row]));
}

/**
 * Plugins of an older version than the one that last changed the tables in a way that it cannot work with: by a migration that it has not
 * and that did more than add, or by a rename. What was only added does not keep an older version from working.
 */
export function findNewerSchemas(
  plugins: readonly PluginVersion[],
  records: PluginRecords,
  executed: ExecutedMigrations,
): readonly SchemaFailure[] {
  return plugins.flatMap((plugin) => {
    const record = records.get(plugin.id);
    if (record === undefined) return [];
    const own = new Set(plugin.migrations.map(({ name }) => name));
    const breaking = (executed.get(plugin.id) ?? []).filter(
      ({ name, breaks, declared }) => !own.has(name) && !(declared ?? breaks?.length === 0),
    );
    const changes = [
      ...(breaking.length > 0 && isOlder(plugin, record.migratedBy)
        ? [{ by: record.migratedBy ?? '', what: `ran migrations that it cannot work with: ${describeAll(breaking)}` }]
        : []),
      ...(isOlder(plugin, record.renamedBy) ? [{ by: record.renamedBy ?? '', what: 'renamed tables or columns' }] : []),
    ];
    const [change] = changes;
    if (change === undefined) return [];
    return [
      {
        plugin: plugin.id,
        code: 'SCHEMA_NEWER',
        reason: `The plugin ${plugin.id} is version ${plugin.version ?? ''}, but version ${change.by} ${changes.map(({ what }) => what).join('; it also ')}. Its tables are newer than its code.`,
        remedy: `Install version ${change.by} or a later one; or restore the backup from before the upgrade. Its data are unchanged.`,
      },
    ];
  });
}

function isOlder({ version }: PluginVersion, other: string | null): boolean {
  return (
    version !== undefined && other !== null && valid(version) !== null && valid(other) !== null && lt(version, other)
  );
}

const shown = 5;

function describeAll(migrations: readonly ExecutedMigration[]): string {
  return shortList(
    migrations.map((migration) => `${migration.name} (${describe(migration)})`),
    '; ',
  );
}

function describe({ breaks, declared }: ExecutedMigration): string {
  if (declared === false) return 'as the plugin declares';
  if (breaks === null) return 'it ran before the platform recorded what migrations change';
  return shortList(breaks, ', ');
}

function shortList(texts: readonly string[], separator: string): string {
  const rest = texts.length - shown;
  return [...texts.slice(0, shown), ...(rest > 0 ? [`${rest} more`] : [])].join(separator);
}

/** Records that a version changes tables in a way that earlier ones do not know; in the transaction of the change, or before it. */
export async function recordChange(
  client: ClientBase,
  { id, version }: Pick<PluginVersion, 'id' | 'version'>,
  column: 'migrated_by' | 'renamed_by',
): Promise<void> {
  if (version === undefined) return;
  await client.query(createTable);
  await client.query(
    `INSERT INTO public.gantry_plugin_schema (plugin, version, ${column}, tables) VALUES ($1, $2, $2, '{}')
     ON CONFLICT (plugin) DO UPDATE SET ${column} = EXCLUDED.${column}`,
    [id, version],
  );
}

const createTable = `CREATE TABLE IF NOT EXISTS public.gantry_plugin_schema (
  plugin text PRIMARY KEY, version text NOT NULL, migrated_by text, renamed_by text, tables text[] NOT NULL)`;

/** Records the versions that the tables are up to date for. Writes what has changed only. */
export async function writePluginRecords(
  client: ClientBase,
  plugins: readonly PluginVersion[],
  records: PluginRecords,
): Promise<void> {
  const rows = plugins.flatMap(({ id, version, tables }) => {
    const before = records.get(id);
    const items = tables.filter(({ search }) => search !== undefined).map(({ name }) => name);
    // Tables of types that were removed still exist.
    const all = [...new Set([...(before?.tables ?? []), ...items])].toSorted();
    const isSame = before?.version === version && before?.tables.join() === all.join();
    return version === undefined || isSame ? [] : { plugin: id, version, tables: all };
  });
  if (rows.length === 0) return;
  await client.query(createTable);
  await client.query(
    `INSERT INTO public.gantry_plugin_schema (plugin, version, tables)
     SELECT e ->> 'plugin', e ->> 'version', ARRAY(SELECT jsonb_array_elements_text(e -> 'tables'))
     FROM jsonb_array_elements($1::jsonb) AS e
     ON CONFLICT (plugin) DO UPDATE SET version = EXCLUDED.version, tables = EXCLUDED.tables`,
    [JSON.stringify(rows)],
  );
}
