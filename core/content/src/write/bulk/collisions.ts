import type { ErrorDetail } from '@gantry/contracts';
import type { BulkOutcome, BulkTransaction, Collision } from './bulk-write';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import { findByFieldsStatement } from '../../sql/bulk-statements';
import { quoteIdentifier } from '@gantry/core-database';
import { uniqueSetsOf, type UniqueSet } from '../../compile/link-models';
import type { NewRow } from '../rows/create-rows';

type Query = BulkTransaction['query'];

/** The outcomes of new rows, of which those without an id were left out: they collide with an item, which is named. */
export async function outcomesOf(
  { descriptor: type, model }: CompiledItemType,
  rows: readonly NewRow[],
  ids: readonly (string | undefined)[],
  query: Query,
): Promise<readonly BulkOutcome[]> {
  const refused = rows.map(({ values }, index) => (ids[index] === undefined ? values : undefined));
  const declared = await findCollisions(type, uniqueSetsOf(type, model), refused, query);
  const rest = refused.map((values, index) => (declared.has(index) ? undefined : values));
  const others = await findCollisions(type, await undeclaredSets(type, rest, query), rest, query);
  const collisions = new Map([...declared, ...others]);
  return ids.map((id, index) =>
    id === undefined ? collided(type, collisions.get(index), rows[index]?.id) : { status: 'written', id },
  );
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
    const taken: ErrorDetail = {
      path: 'id',
      code: 'NOT_UNIQUE',
      message: `another ${type.displayName} has the id ${id}`,
    };
    return { status: 'refused', problems: [taken] };
  }
  const fields = collision?.fields ?? [];
  const message = `another ${type.displayName} has the same ${fields.length === 0 ? 'unique values' : fields.join(', ')}`;
  const problem = { path: fields[0] ?? '', code: 'NOT_UNIQUE', message };
  return { status: 'refused', problems: [problem], ...(collision === undefined ? {} : { collision }) };
}
