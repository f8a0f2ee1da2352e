import type { Database } from '@gantry/plugin-api';
import { literal } from './identifiers';
import { platform } from './schema/plan/schema-plan';
import type { TableSpec } from './table-spec';

type Statements = Pick<Database, 'query'>;

/** Small JSON values that parts of the platform store by a name. */
export const settingTable: TableSpec = {
  plugin: platform,
  name: 'gantry_setting',
  columns: [
    { name: 'id', type: 'BIGINT', nullable: false, identity: true },
    { name: 'name', type: 'text', nullable: false },
    { name: 'value', type: 'JSONB', nullable: false },
  ],
  primaryKey: ['id'],
  indexes: [{ name: 'gantry_setting_name_key', columns: ['name'], unique: true, method: 'btree' }],
  foreignKeys: [],
};

/** SQL expression: the value, as JSONB; null where there is none. */
export function settingValue(name: string): string {
  return `(SELECT value FROM public.gantry_setting WHERE name = ${literal(name)})`;
}

/** Statement that adds one to a setting, which is a number from then on. */
export function raiseSetting(name: string): string {
  return `INSERT INTO public.gantry_setting (name, value) VALUES (${literal(name)}, '1'::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = to_jsonb((gantry_setting.value)::text::bigint + 1)`;
}

/** @returns undefined where there is none */
export async function readSetting(database: Statements, name: string): Promise<unknown> {
  const [row] = await database.query<{ value: unknown }>('SELECT value FROM public.gantry_setting WHERE name = $1', [
    name,
  ]);
  return row?.value;
}

/** Locks a setting until the end of the transaction; without effect where there is none. */
export async function lockSetting(database: Statements, name: string): Promise<void> {
  await database.query('SELECT FROM public.gantry_setting WHERE name = $1 FOR UPDATE', [name]);
}

const insert = 'INSERT INTO public.gantry_setting (name, value) VALUES ($1, $2::jsonb) ON CONFLICT (name) DO';

export async function writeSetting(database: Statements, name: string, value: unknown): Promise<void> {
  await database.query(`${insert} UPDATE SET value = EXCLUDED.value`, [name, JSON.stringify(value)]);
}

/** Stores it unless there is one. */
export async function insertSetting(database: Statements, name: string, value: unknown): Promise<void> {
  await database.query(`${insert} NOTHING`, [name, JSON.stringify(value)]);
}

/** Adds members to the JSON object; those that it has stay. */
export async function addToSetting(database: Statements, name: string, members: object): Promise<void> {
  await database.query(`${insert} UPDATE SET value = EXCLUDED.value || gantry_setting.value`, [
    name,
    JSON.stringify(members),
  ]);
}

/** @returns whether there was one */
export async function removeSetting(database: Statements, name: string): Promise<boolean> {
  const removed = await database.query('DELETE FROM public.gantry_setting WHERE name = $1 RETURNING name', [name]);
  return removed.length > 0;
}
