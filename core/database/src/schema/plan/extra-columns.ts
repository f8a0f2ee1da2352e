import { fieldsKept } from '../../changes/kept-fields';
import { identifier, quoteIdentifier } from '../../identifiers';
import type { ChangedField, IndexSpec, TableSpec } from '../../table-spec';
import type { ActualSchema, ActualTable } from '../inspect/actual-schema';
import { compareIndex, findTwinIndex, type Comparison } from './compare-constraints';
import type { IndexStep, LeftField } from './schema-plan';

/** Between the id of a plugin and the name of an extra column, or field. No declared name has it. */
export const extraSeparator = '$';

/** The beginning of the names of the extra columns of a plugin. */
export function extraPrefix(plugin: string): string {
  return identifier(plugin) + extraSeparator;
}

/**
 * The part of a table that one plugin is responsible for: its extra columns, or all but those of others, each with its indexes and
 * foreign keys.
 */
export function ownPart({ plugin, isExtra, columns }: TableSpec, actual: ActualTable): ActualTable {
  const own = new Set(columns.map(({ name }) => name));
  const isOwn = (column: string | null): boolean =>
    isExtra === true
      ? column?.startsWith(extraPrefix(plugin)) === true
      : column === null || isOwnersColumn(column, own);
  // An index of extra columns may have the id, too.
  const isPart = (names: readonly (string | null)[]): boolean =>
    isExtra === true ? names.some(isOwn) : names.every(isOwn);
  const part = <T>(known: ReadonlyMap<string, T>, test: (one: T) => boolean): ReadonlyMap<string, T> =>
    new Map([...known].filter(([, one]) => test(one)));
  return {
    ...actual,
    columns: part(actual.columns, ({ name }) => isOwn(name)),
    indexes: part(actual.indexes, (index) => isPart(index.columns)),
    foreignKeys: part(actual.foreignKeys, (key) => isPart(key.columns)),
  };
}

function isOwnersColumn(column: string, own: ReadonlySet<string>): boolean {
  return own.has(column) || !column.includes(extraSeparator);
}

/** A table without anything. */
export function noTable(name: string): ActualTable {
  const none = new Map<string, never>();
  return { name, columns: none, primaryKey: [], indexes: none, foreignKeys: none, triggers: none };
}

/** An index that was to be created concurrently and is not valid is created again. */
export function withoutInvalid(actual: ActualTable | undefined, schema: ActualSchema) {
  if (actual === undefined) return { indexed: undefined, found: schema };
  const valid = new Map([...actual.indexes].filter(([, index]) => index.valid));
  const isGone = (name: string): boolean => actual.indexes.has(name) && !valid.has(name);
  const relationKinds = new Map([...schema.relationKinds].filter(([name]) => !isGone(name)));
  return { indexed: { ...actual, indexes: valid }, found: { ...schema, relationKinds } };
}

/**
 * Compares an index of extra columns. It is created concurrently, as the table may have many rows and people who write to it; one that
 * has the name of before a rename of the table gets that of today.
 */
export function compareExtraIndex(
  table: TableSpec,
  index: IndexSpec,
  actual: ActualTable | undefined,
  schema: ActualSchema,
): Comparison<IndexStep> {
  const twin = actual?.indexes.has(index.name) === true ? undefined : findTwinIndex(table, index, actual);
  if (twin === undefined) {
    const { steps, differences } = compareIndex(table, index, actual, schema);
    return { steps: steps.map(concurrently), differences };
  }
  const { name, columns } = index;
  const statement = `ALTER INDEX ${quoteIdentifier(twin.name)} RENAME TO ${quoteIdentifier(name)}`;
  return {
    steps: [{ plugin: table.plugin, table: table.name, kind: 'index', name, columns, statement }],
    differences: [],
  };
}

function concurrently(step: IndexStep): IndexStep {
  return { ...step, statement: step.statement.replace(/INDEX(?= )/, 'INDEX CONCURRENTLY'), isConcurrent: true };
}

/** Plugins with extra columns that the table has yet to get. */
export function awaitedExtras({ name }: TableSpec, wanted: readonly TableSpec[], actual: ActualTable | undefined) {
  return extrasOf(name, wanted)
    .filter(({ columns }) => columns.some((column) => actual?.columns.has(column.name) !== true))
    .map(({ plugin }) => plugin);
}

/**
 * The table with the extra fields that its change feed keeps: those of the plugins that are there, and those that it has kept before, as
 * their plugins may be disabled, or be in use by another host.
 */
export function withExtraFields(table: TableSpec, wanted: readonly TableSpec[], schema: ActualSchema): TableSpec {
  const { changes, name } = table;
  if (changes === undefined || table.isExtra === true) return table;
  const extras = extrasOf(name, wanted).flatMap((extra) => extra.changes ?? []);
  const present = extras.flatMap(({ fields }) => fields);
  const left = leftFields(table, present, schema);
  const added = [...present, ...left].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const generated = [changes, ...extras].flatMap((spec) => spec.generated ?? []);
  if (added.length + generated.length === 0) return table;
  const fields = [...changes.fields, ...added];
  return { ...table, changes: generated.length === 0 ? { fields } : { fields, generated } };
}

/** The fields of {@link withExtraFields} whose plugins are not there. */
export function leftFieldsOf(
  table: TableSpec,
  wanted: readonly TableSpec[],
  schema: ActualSchema,
): readonly LeftField[] {
  if (table.isExtra === true) return [];
  const present = extrasOf(table.name, wanted).flatMap((extra) => extra.changes?.fields ?? []);
  const columns = schema.tables.get(table.name)?.columns;
  return leftFields(table, present, schema).flatMap(({ name, column }) => {
    const type = columns?.get(column)?.type;
    return type === undefined ? [] : [{ table: table.name, name, column, type }];
  });
}

function leftFields(
  { name, changes }: TableSpec,
  present: readonly ChangedField[],
  schema: ActualSchema,
): readonly ChangedField[] {
  const known = new Set(
    [...(changes?.fields ?? []), ...present].flatMap((field) => [field.name, field.column || (field.linkTable ?? '')]),
  );
  return keptBefore(name, schema).filter(
    (field) => !known.has(field.name) && !known.has(field.column || (field.linkTable ?? '')),
  );
}

function extrasOf(name: string, wanted: readonly TableSpec[]): readonly TableSpec[] {
  return wanted.filter((table) => table.isExtra === true && table.name === name);
}

/** Without those whose values were dropped. */
function keptBefore(name: string, { tables, relationKinds }: ActualSchema): readonly ChangedField[] {
  const actual = tables.get(name);
  const isThere = ({ column, linkTable }: ChangedField): boolean =>
    linkTable === undefined ? actual?.columns.has(column) === true : relationKinds.has(linkTable);
  return fieldsKept(actual?.triggers).filter((field) => field.name.includes(extraSeparator) && isThere(field));
}
