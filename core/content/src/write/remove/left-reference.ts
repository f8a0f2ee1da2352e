import { GantryError } from '@gantry/plugin-api';
import { foreignKeyViolation, quoteIdentifier } from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../../compile/descriptor';
import type { WriteDependencies } from '../write-dependencies';

/** A reference that the database keeps, and no item type in use declares. */
interface LeftReference {
  readonly table: string;
  readonly column: string;
  /** Empty where that is not known. */
  readonly plugin: string;
  /** The values are rows of a table of links. */
  readonly isLinks: boolean;
}

/**
 * The refusal of a deletion because of values of a field or type that its plugin has removed, or of a plugin that is not running; the log
 * says which, and what to do.
 * @returns undefined for references that item types in use declare
 */
export async function leftReferenceProblem(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  id: string,
  error: unknown,
): Promise<GantryError | undefined> {
  const left = await findLeftReference(dependencies, type, error);
  if (left === undefined) return undefined;
  logLeftReference(dependencies, left, `${type.code}/${id}`);
  return new GantryError(
    'ITEM_REFERENCED',
    `Failed to delete ${type.displayName}: ${id} is referred to by values of a field or type that is not in use. The log of the platform names it, and the remedy.`,
  );
}

/** Values of a plugin that is not running are its data: only what a running plugin does not declare any more is to be removed. */
function logLeftReference({ types, logger }: WriteDependencies, left: LeftReference, item: string): void {
  const { table, column, plugin, isLinks } = left;
  const fields = { plugin, table, field: isLinks ? table : column, item };
  if (!types.isServed(plugin)) {
    logger?.warn(fields, 'an item cannot be deleted because of values of a plugin that is not running; start it first');
    return;
  }
  const name = quoteIdentifier(table);
  const statement = isLinks ? `DROP TABLE ${name}` : `ALTER TABLE ${name} DROP COLUMN ${quoteIdentifier(column)}`;
  logger?.warn(
    { ...fields, statement: `${statement};` },
    'an item cannot be deleted because of a field or type that its plugin has removed; the statement removes these values',
  );
}

async function findLeftReference(
  { types, query }: WriteDependencies,
  type: ItemTypeDescriptor,
  error: unknown,
): Promise<LeftReference | undefined> {
  const violation = foreignKeyViolation(error);
  if (violation === undefined) return undefined;
  const { table, constraint } = violation;
  const [row] = await query({ sql: constraintSql, values: [quoteIdentifier(table), constraint] });
  if (row === undefined) return undefined;
  const [column, owner] = row as readonly [column: string, owner: string | null];
  const isDeclared = types
    .referrers(type.code)
    .some(({ type: { table: own }, field: { column: ofField, reference } }) =>
      reference?.linkTable === undefined ? own === table && ofField === column : reference.linkTable === table,
    );
  if (isDeclared) return undefined;
  return { table, column, isLinks: owner !== null, plugin: await pluginOf(types, query, owner ?? table) };
}

/** $1: table, $2: foreign key. Its column, and the table of items to which the table of links belongs. */
const constraintSql = `SELECT a.attname, (
    SELECT i.relname FROM pg_constraint o JOIN pg_attribute b ON b.attrelid = o.conrelid AND b.attnum = o.conkey[1]
    JOIN pg_class i ON i.oid = o.confrelid
    WHERE o.conrelid = c.conrelid AND o.contype = 'f' AND o.confdeltype = 'c' AND b.attname = 'item_id' LIMIT 1)
  FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
  WHERE c.conrelid = to_regclass($1) AND c.conname = $2`;

async function pluginOf(
  types: WriteDependencies['types'],
  query: WriteDependencies['query'],
  table: string,
): Promise<string> {
  const own = types.all.find(({ descriptor }) => descriptor.table === table)?.descriptor.plugin;
  if (own !== undefined) return own;
  const [known] = await query({ sql: "SELECT to_regclass('public.gantry_plugin_schema') IS NOT NULL", values: [] });
  if (known?.[0] !== true) return '';
  const sql = 'SELECT plugin FROM public.gantry_plugin_schema WHERE $1 = ANY (tables)';
  const [row] = await query({ sql, values: [table] });
  return typeof row?.[0] === 'string' ? row[0] : '';
}
