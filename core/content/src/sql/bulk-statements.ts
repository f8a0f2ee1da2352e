import { literal, quoteIdentifier, quoteIdentifiers } from '@gantry/core-database';
import { storedFields } from '../compile/author-fields';
import { type FieldDescriptor, type ItemTypeDescriptor, isLinked } from '../compile/descriptor';
import { metBy, rowsOf } from './rows';

/** Takes ids for so many new items. */
export function nextIdsStatement(type: ItemTypeDescriptor, count: number): string {
  const sequence = `pg_get_serial_sequence(${literal(quoteIdentifier(type.table))}, 'id')`;
  return `SELECT nextval(${sequence})::text AS id FROM generate_series(1, ${count})`;
}

/** Parameters: ids that new items must not get. */
export function reserveIdsStatement(type: ItemTypeDescriptor): string {
  const sequence = `pg_get_serial_sequence(${literal(quoteIdentifier(type.table))}, 'id')`;
  return `SELECT setval(${sequence}, GREATEST(nextval(${sequence}), (SELECT max(id) FROM unnest($1::bigint[]) AS u(id))))`;
}

/**
 * Parameters: ids, then one array for every stored field. Gives the ids of the rows that are written.
 * @param skipTaken leaves rows out that collide with others, which otherwise makes the statement fail
 */
export function insertAllStatement(type: ItemTypeDescriptor, { skipTaken = false } = {}): string {
  const fields = storedFields(type);
  const columns = quoteIdentifiers(['id', ...fields.map((field) => field.column)]);
  return (
    `INSERT INTO ${quoteIdentifier(type.table)} (${columns}) OVERRIDING SYSTEM VALUE` +
    ` SELECT ${['u.id', ...castValues(fields)].join(', ')} FROM ${unnested(fields)}${skipTaken ? ' ON CONFLICT DO NOTHING' : ''} RETURNING id::text AS id`
  );
}

/** Parameters: ids, then one array for each of the fields, which all have columns. */
export function updateAllStatement(type: ItemTypeDescriptor, fields: readonly FieldDescriptor[]): string {
  const values = castValues(fields);
  const sets = fields.map((field, index) => `${quoteIdentifier(field.column)} = ${values[index]}`);
  return (
    `UPDATE ${quoteIdentifier(type.table)} t SET ${[...sets, 'version = t.version + 1', 'updated_at = now()'].join(', ')}` +
    ` FROM ${unnested(fields)} WHERE t.id = u.id`
  );
}

/** Rows `u`, with the columns `id` and `v<position>`. */
function unnested(fields: readonly FieldDescriptor[]): string {
  const arrays = ['$1::bigint[]', ...fields.map((field, index) => `$${index + 2}::${field.kind.arrayType}`)];
  const names = ['id', ...fields.map((_field, index) => `v${index}`)];
  return `unnest(${arrays.join(', ')}) AS u(${names.join(', ')})`;
}

/** The array of a kind may be of another type, as text for JSON. */
function castValues(fields: readonly FieldDescriptor[]): readonly string[] {
  return fields.map((field, index) => field.kind.cast(`u.v${index}`, field));
}

/**
 * Parameters: one array for each of the fields. Gives the position (from 0) of every combination that an item has, and its id.
 * An item that is found stays locked until the end of the transaction.
 */
export function findByFieldsStatement(type: ItemTypeDescriptor, fields: readonly FieldDescriptor[]): string {
  const names = fields.map((_field, index) => `v${index}`);
  const arrays = fields.map((field, index) => `$${index + 1}::${field.kind.arrayType}`);
  const matches = fields.map((field, index) => `t.${quoteIdentifier(field.column)} = u.v${index}`);
  return (
    `SELECT (u.position - 1)::int AS position, t.id::text AS id` +
    ` FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS u(${[...names, 'position'].join(', ')})` +
    ` JOIN ${rowsOf(type)} t ON ${matches.join(' AND ')} ORDER BY t.id FOR UPDATE OF t`
  );
}

/** Parameters: ids. Gives `id` and for each of the fields `f<position>`: its text, or its targets' ids in order. */
export function currentValuesStatement(
  type: ItemTypeDescriptor,
  fields: readonly FieldDescriptor[],
  lock: '' | ' FOR UPDATE OF t' = '',
): string {
  const values = fields.map((field, index) => `${shownValue(field)} AS f${index}`);
  return (
    `SELECT ${['t.id::text AS id', ...values].join(', ')} FROM ${rowsOf(type)} t` +
    ` WHERE t.id = ANY($1::bigint[]) ORDER BY t.id${lock}`
  );
}

/** Locks an item until the end of the transaction, if the policy of the type shows it. Others may still refer to it at the same time. */
export function lockStatement(type: ItemTypeDescriptor, id: string): string {
  return `SELECT t.id FROM ${rowsOf(type)} t WHERE t.id = ${BigInt(id)} FOR NO KEY UPDATE OF t`;
}

/**
 * One row of an item, also where the policy does not show it or a field: `version`; `met`, whether it meets each of the conditions; for
 * each of the fields `f<position>` as {@link currentValuesStatement} has it, and for each of the columns `c<position>`.
 */
export function stateStatement(
  type: ItemTypeDescriptor,
  id: string,
  parts: Readonly<Record<'conditions' | 'columns', readonly string[]>> & {
    readonly fields: readonly FieldDescriptor[];
  },
): string {
  const values = [
    't.version',
    `${metBy(parts.conditions)} AS met`,
    ...parts.fields.map((field, index) => `${currentValue(field)} AS f${index}`),
    ...parts.columns.map((column, index) => `t.${quoteIdentifier(column)} AS c${index}`),
  ];
  return `SELECT ${values.join(', ')} FROM ${quoteIdentifier(type.table)} t WHERE t.id = ${BigInt(id)}`;
}

/** Parameters: ids. Gives `id`, and arrays with the JSON of the fields as payloads have it (`json`) and with their texts (`text`). */
export function storedJsonStatement(type: ItemTypeDescriptor, fields: readonly FieldDescriptor[]): string {
  const shown = ({ shownOn }: FieldDescriptor, sql: string): string =>
    shownOn === undefined ? sql : `CASE WHEN ${shownOn} THEN ${sql} END`;
  const json = fields.map((field) => shown(field, payloadJson(field)));
  const text = fields.map((field) =>
    shown(field, isLinked(field) ? 'NULL::text' : `t.${quoteIdentifier(field.column)}::text`),
  );
  return (
    `SELECT t.id::text AS id, ARRAY[${json.join(', ')}]::text[] AS json, ARRAY[${text.join(', ')}]::text[] AS text` +
    ` FROM ${rowsOf(type)} t WHERE t.id = ANY($1::bigint[])`
  );
}

function payloadJson(field: FieldDescriptor): string {
  if (isLinked(field)) {
    return `(SELECT coalesce(json_agg(l.target_id ORDER BY l.position), '[]')::text FROM ${linkTable(field)} l WHERE l.item_id = t.id)`;
  }
  const column = `t.${quoteIdentifier(field.column)}`;
  return field.reference === undefined ? field.kind.json(column) : `${column}::text`;
}

/** Parameters: ids of items. */
export function unlinkAllStatement(field: FieldDescriptor): string {
  return `DELETE FROM ${linkTable(field)} WHERE item_id = ANY($1::bigint[])`;
}

/** Parameters: ids of items, ids of targets, positions. */
export function linkAllStatement(field: FieldDescriptor): string {
  return (
    `INSERT INTO ${linkTable(field)} (item_id, target_id, position)` +
    ' SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::int[])'
  );
}

/** A field that the policy does not show on the item has no value here. */
function shownValue(field: FieldDescriptor): string {
  const { shownOn } = field;
  return shownOn === undefined ? currentValue(field) : `CASE WHEN ${shownOn} THEN ${currentValue(field)} END`;
}

function currentValue(field: FieldDescriptor): string {
  if (!isLinked(field)) return `t.${quoteIdentifier(field.column)}::text`;
  return `ARRAY(SELECT l.target_id::text FROM ${linkTable(field)} l WHERE l.item_id = t.id ORDER BY l.position)`;
}

function linkTable(field: FieldDescriptor): string {
  return quoteIdentifier(field.reference?.linkTable ?? '');
}
