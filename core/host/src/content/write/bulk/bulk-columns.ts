import type { BulkChange, BulkOutcome, BulkTransaction, Collision } from './bulk-write';
import {
  type CompiledItemType,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  isLinked,
} from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import {
  findByFieldsStatement,
  insertAllStatement,
  linkAllStatement,
  nextIdsStatement,
  reserveIdsStatement,
  unlinkAllStatement,
  updateAllStatement,
} from '../../sql/bulk-statements';
import { quoteIdentifier } from '../../../database/identifiers';
import { uniqueSetsOf, type UniqueSet } from '../../compile/link-models';
import { writtenFields } from '../../compile/author-fields';
import { storedFields } from '../../sql/insert-statement';

type Query = BulkTransaction['query'];

/** Inserts all rows with one statement; those that collide with an item are refused, and the item is named. */
export async function insertRows(
  { descriptor: type, stored = type, model }: CompiledItemType,
  rows: readonly StoredValues[],
  query: Query,
  given?: readonly string[],
): Promise<readonly BulkOutcome[]> {
  if (rows.length === 0) return [];
  const ids = given ?? (await query<{ id: string }>(nextIdsStatement(type), [rows.length])).map(({ id }) => id);
  const arrays = storedFields(stored).map((field) => rows.map((row) => row.get(field.name) ?? null));
  const written = new Set(
    (await query<{ id: string }>(insertAllStatement(stored), [ids, ...arrays])).map(({ id }) => id),
  );
  const made = rows.map((values, index) => ({ id: ids[index] ?? '', values }));
  await addLinks(
    stored,
    made.filter(({ id }) => written.has(id)),
    query,
  );
  const refused = made.map(({ id, values }) => (written.has(id) ? undefined : values));
  const declared = await findCollisions(type, uniqueSetsOf(type, model), refused, query);
  const rest = refused.map((values, index) => (declared.has(index) ? undefined : values));
  const others = await findCollisions(type, await undeclaredSets(type, rest, query), rest, query);
  const collisions = new Map([...declared, ...others]);
  return made.map(({ id }, index) =>
    written.has(id) ? { status: 'written', id } : collided(type, collisions.get(index), given?.[index]),
  );
}

export async function reserveIds(type: ItemTypeDescriptor, ids: readonly string[], query: Query): Promise<void> {
  if (ids.length > 0) await query(reserveIdsStatement(type), [ids]);
}

/** Updates the rows, those with the same changed fields with one statement. A collision makes it throw. */
export async function updateRows(
  type: ItemTypeDescriptor,
  changes: readonly BulkChange[],
  query: Query,
): Promise<readonly BulkOutcome[]> {
  for (const group of groupsOf(changes)) {
    const changed = writtenFields(type).filter((field) => group[0]?.values.has(field.name));
    const stored = changed.filter((field) => field.column !== '');
    const arrays = stored.map((field) => group.map(({ values }) => values.get(field.name) ?? null));
    const ids = group.map(({ id }) => id);
    await query(updateAllStatement(type, stored), [ids, ...arrays]);
    for (const field of changed.filter(({ column }) => column === '')) await query(unlinkAllStatement(field), [ids]);
    await addLinks(type, group, query);
  }
  return changes.map(({ id }) => ({ status: 'written', id }));
}

/** Changes of the same fields together. */
function groupsOf(changes: readonly BulkChange[]): Iterable<readonly BulkChange[]> {
  const groups = new Map<string, BulkChange[]>();
  for (const change of changes) {
    const key = [...change.values.keys()].join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return groups.values();
}

/** Adds the links of the fields that the values hold; there must be none of these fields yet. */
export async function addLinks(type: ItemTypeDescriptor, rows: readonly BulkChange[], query: Query): Promise<void> {
  for (const field of type.fields.filter(isLinked)) {
    const links = rows.flatMap(({ id, values }) => linksOf(id, values.get(field.name)));
    if (links.length === 0) continue;
    const arrays = [
      links.map(({ item }) => item),
      links.map(({ target }) => target),
      links.map(({ position }) => position),
    ];
    await query(linkAllStatement(field), arrays);
  }
}

function linksOf(item: string, value: StoredValue | undefined) {
  const targets: readonly string[] = Array.isArray(value) ? value : [];
  return targets.map((target, index) => ({ item, target, position: index + 1 }));
}

/**
 * Columns and expressions of unique indexes that neither the type nor its model declares: a migration made them, or an earlier
 * version has left them. Only those of columns whose fields are shown.
 */
async function undeclaredSets(
  { table, fields }: ItemTypeDescriptor,
  rows: readonly (StoredValues | undefined)[],
  query: Query,
): Promise<readonly Pick<UniqueSet, 'fields'>[]> {
  if (rows.every((row) => row === undefined)) return [];
  const nameOf = (column: string): readonly string[] =>
    fields.flatMap((field) => (field.column === column && field.shownOn === undefined ? field.name : []));
  const indexes = await query<{ columns: readonly string[] }>(uniqueColumnsStatement, [quoteIdentifier(table)]);
  return indexes
    .map(({ columns }) => ({ columns, fields: columns.flatMap(nameOf) }))
    .filter((set) => set.fields.length === set.columns.length);
}

/** Parameter: the table. */
const uniqueColumnsStatement = `SELECT array_agg(a.attname::text ORDER BY k.position) AS columns
  FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, position)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
  WHERE i.indrelid = to_regclass($1) AND i.indisunique AND NOT i.indisprimary
    AND i.indexprs IS NULL AND i.indpred IS NULL AND k.position <= i.indnkeyatts
  GROUP BY i.indexrelid`;

/** By position: the item that has the same unique values. Rows that were written are undefined. */
async function findCollisions(
  type: ItemTypeDescriptor,
  sets: readonly Pick<UniqueSet, 'fields'>[],
  rows: readonly (StoredValues | undefined)[],
  query: Query,
): Promise<ReadonlyMap<number, Collision>> {
  const found = new Map<number, Collision>();
  if (rows.every((row) => row === undefined)) return found;
  for (const { fields: names } of sets) {
    const fields = names.flatMap((name): FieldDescriptor[] =>
      type.fields.filter((field) => field.name === name && field.column !== ''),
    );
    const arrays = fields.map((field) => rows.map((row) => row?.get(field.name) ?? null));
    const same = await query<{ position: number; id: string }>(findByFieldsStatement(type, fields), arrays);
    for (const { position, id } of same) if (!found.has(position)) found.set(position, { id, fields: names });
  }
  return found;
}

function collided(type: ItemTypeDescriptor, collision: Collision | undefined, id: string | undefined): BulkOutcome {
  if (collision === undefined && id !== undefined) {
    const taken = { path: 'id', code: 'NOT_UNIQUE', message: `another ${type.displayName} has the id ${id}` };
    return { status: 'refused', problems: [taken] };
  }
  const fields = collision?.fields ?? [];
  const message = `another ${type.displayName} has the same ${fields.length === 0 ? 'unique values' : fields.join(', ')}`;
  const problem = { path: fields[0] ?? '', code: 'NOT_UNIQUE', message };
  return { status: 'refused', problems: [problem], ...(collision === undefined ? {} : { collision }) };
}
