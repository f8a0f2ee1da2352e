import type { ErrorDetail } from '@gantry/contracts';
import type { JsonObject } from '@gantry/core-common';
import { quoteIdentifier } from '@gantry/core-database';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { parseNewItem, sentFields } from './values/payload';
import type { Precondition } from './precondition';
import { createRows } from './rows/create-rows';
import { writableType } from '../policy/scope';
import { assertSound } from './reference-check';
import type { WriteDependencies, WrittenRow } from './write-dependencies';
import { foundRow } from './write-problems';
import { write } from './write-transaction';

/** Values of an earlier version. */
interface Restored {
  /** The version that has them. */
  readonly version: number;
  readonly payload: JsonObject;
  /** Only finds out what is wrong: nothing is written, and no hook runs. */
  readonly isDryRun?: true;
}

export interface Revert extends Restored {
  readonly precondition: Precondition;
}

export interface Recreation extends Restored {
  /** The last version before the deletion. */
  readonly after: number;
  /** Values of extra fields whose plugins are not in use. */
  readonly left?: StoredValues;
  /** When it was created first; now where that is not known. */
  readonly createdAt: Date | undefined;
}

/** An item that was deleted gets its id, and the version after its last one. */
export async function recreate(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  id: string,
  { payload, after, left, createdAt }: Omit<Recreation, 'version' | 'isDryRun'>,
): Promise<WrittenRow> {
  const { scope, repository, isDryRun } = dependencies;
  const type = writableType(scope, 'create', given);
  const { descriptor } = type;
  const { values, problems: refused } = parseNewItem(type, payload);
  const empty = await fieldsLeftEmpty(dependencies, descriptor, payload, refused);
  const problems = refused.filter(({ path, code }) => code !== 'REQUIRED' || !empty.some(({ name }) => name === path));
  const found = isDryRun === true ? await collisions(dependencies, descriptor, { id, values }) : [];
  await assertSound(dependencies, descriptor, 'restore', values, [...problems, ...found]);
  if (isDryRun === true) return { id, json: '', version: after };
  return write(dependencies, { type: descriptor, action: 'restore', values }, async (session) => {
    const earlier = { version: after + 1, createdAt, empty };
    const restored = {
      values: new Map([...values, ...(left ?? [])]),
      set: sentFields(descriptor, payload),
      id,
      earlier,
    };
    const options = { readBack: () => repository.reading(scope, descriptor, id) };
    const { row } = await createRows(session, type, [restored], options);
    return foundRow(descriptor, id, row);
  });
}

/**
 * Required fields that the version has no value of, and that may stay empty: items that were there when a field became required may
 * have it empty as well. PostgreSQL refuses it where the column was made when there was no item.
 */
async function fieldsLeftEmpty(
  { query }: WriteDependencies,
  { table, fields }: ItemTypeDescriptor,
  payload: JsonObject,
  problems: readonly ErrorDetail[],
): Promise<readonly FieldDescriptor[]> {
  const missing = new Set(problems.flatMap(({ path, code }) => (code === 'REQUIRED' ? [path] : [])));
  const empty = fields.filter(({ name }) => missing.has(name) && (payload[name] ?? null) === null);
  if (empty.length === 0) return [];
  const sql = 'SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attnotnull';
  const filled = new Set((await query({ sql, values: [quoteIdentifier(table)] })).map(([name]) => String(name)));
  return empty.filter(({ column }) => !filled.has(column));
}

/** A problem for each key that another item has, which the database would refuse. */
export async function collisions(
  { query }: WriteDependencies,
  type: ItemTypeDescriptor,
  { id, values }: { readonly id: string; readonly values: StoredValues },
): Promise<readonly ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  for (const names of type.unique) {
    const fields = type.fields.filter(({ name, column }) => names.includes(name) && column !== '');
    const found = fields.map((field) => values.get(field.name) ?? null);
    // A part that does not change is not among the values; the database decides then.
    if (found.some((value) => value === null) || fields.length < names.length) continue;
    const conditions = fields.map(
      ({ column, columnType }, index) => `t.${quoteIdentifier(column)} = $${index + 2}::${columnType}`,
    );
    const sql = `SELECT t.id::text FROM ${quoteIdentifier(type.table)} t WHERE t.id <> $1::bigint AND ${conditions.join(' AND ')} LIMIT 1`;
    const [row] = await query({ sql, values: [id, ...found] });
    if (row === undefined) continue;
    const message = `another ${type.displayName} has the same ${names.join(', ')}`;
    problems.push({ path: names[0] ?? '', code: 'NOT_UNIQUE', message });
  }
  return problems;
}
