import type { SchemaDifference } from '@gantry/contracts';
import { quoteIdentifier, quoteIdentifiers } from '../../identifiers';
import type { ForeignKeySpec, IndexSpec, TableSpec } from '../../table-spec';
import type { ActualForeignKey, ActualIndex, ActualSchema, ActualTable } from '../inspect/actual-schema';
import { redirected } from './changed-references';
import type { ForeignKeyStep, IndexStep } from './schema-plan';
import { addForeignKey, createIndex, isTrigram } from '../statements';

/** A step to take, a difference to report, or nothing. */
export interface Comparison<Step> {
  readonly steps: readonly Step[];
  readonly differences: readonly SchemaDifference[];
}

const same = { steps: [], differences: [] } as const;

/** Compares one wanted index; `actual` is the table as it is, undefined when it is yet to be made. */
export function compareIndex(
  table: TableSpec,
  index: IndexSpec,
  actual: ActualTable | undefined,
  schema: ActualSchema,
): Comparison<IndexStep> {
  const found = actual?.indexes.get(index.name);
  if (found?.valid === true && isSameIndex(index, found)) return same;
  const trigramSchema = schema.trigram.status === 'installed' ? schema.trigram.schema : undefined;
  const statement = createIndex(table.name, index, trigramSchema);
  if (found !== undefined) return differingIndex(table, index, found, statement);
  const name = quoteIdentifier(index.name);
  const taken = schema.relationKinds.get(index.name);
  if (taken !== undefined) {
    return reported(table, `Index ${name} cannot be created: ${taken} has the same name.`, statement);
  }
  const twin = findTwinIndex(table, index, actual);
  if (twin !== undefined) {
    const old = quoteIdentifier(twin.name);
    return reported(
      table,
      `Index ${old} is equivalent to ${name} of the model.`,
      `ALTER INDEX ${old} RENAME TO ${name}`,
    );
  }
  if (isTrigram(index) && schema.trigram.status === 'unavailable') return same;
  const { columns } = index;
  return {
    steps: [{ plugin: table.plugin, table: table.name, kind: 'index', name: index.name, columns, statement }],
    differences: [],
  };
}

/** Compares one wanted foreign key. */
export function compareForeignKey(
  table: TableSpec,
  key: ForeignKeySpec,
  actual: ActualTable | undefined,
): Comparison<ForeignKeyStep> {
  const statement = addForeignKey(table.name, key);
  const others = redirected(key, actual);
  if (others.length > 0) return redirection(table, key, others, statement);
  const found = actual?.foreignKeys.get(key.name);
  if (found !== undefined) return differingForeignKey(table, key, found, statement);
  const twin = findTwinKey(table, key, actual);
  if (twin !== undefined) {
    const [old, name] = [quoteIdentifier(twin.name), quoteIdentifier(key.name)];
    return reported(
      table,
      `Foreign key ${old} does what ${name} of the model is for.`,
      `ALTER TABLE ${quoteIdentifier(table.name)} RENAME CONSTRAINT ${old} TO ${name}`,
    );
  }
  const { column, referencedTable } = key;
  return {
    steps: [
      {
        plugin: table.plugin,
        table: table.name,
        kind: 'foreign-key',
        name: key.name,
        column,
        referencedTable,
        statement,
      },
    ],
    differences: [],
  };
}

/** An index of another name that does what a wanted one is for. */
export function findTwinIndex(
  table: TableSpec,
  index: IndexSpec,
  actual: ActualTable | undefined,
): ActualIndex | undefined {
  return unwanted(table.indexes, actual?.indexes).find((candidate) => isSameIndex(index, candidate));
}

/** A foreign key of another name that does what a wanted one is for. */
export function findTwinKey(
  table: TableSpec,
  key: ForeignKeySpec,
  actual: ActualTable | undefined,
): ActualForeignKey | undefined {
  return unwanted(table.foreignKeys, actual?.foreignKeys).find((candidate) => isSameForeignKey(key, candidate));
}

/** The primary key is never changed: too much hangs on it. */
export function comparePrimaryKey(table: TableSpec, actual: ActualTable): readonly SchemaDifference[] {
  if (table.primaryKey.join('\n') === actual.primaryKey.join('\n')) return [];
  const inDatabase = actual.primaryKey.length === 0 ? 'absent' : `(${quoteIdentifiers(actual.primaryKey)})`;
  const wanted = `(${quoteIdentifiers(table.primaryKey)})`;
  return reported(
    table,
    `The primary key is ${inDatabase} in the database and ${wanted} in the model.`,
    `ALTER TABLE ${quoteIdentifier(table.name)} ADD PRIMARY KEY ${wanted}`,
  ).differences;
}

/** No value refers to the other table any more. */
function redirection(
  table: TableSpec,
  key: ForeignKeySpec,
  others: readonly ActualForeignKey[],
  statement: string,
): Comparison<ForeignKeyStep> {
  const { name, column, referencedTable } = key;
  const drops = others.map((other) => `DROP CONSTRAINT ${quoteIdentifier(other.name)}`);
  const drop = `ALTER TABLE ${quoteIdentifier(table.name)} ${drops.join(', ')}`;
  const step = { plugin: table.plugin, table: table.name, kind: 'foreign-key', name, column, referencedTable } as const;
  return { steps: [{ ...step, statement: `${drop}; ${statement}` }], differences: [] };
}

/** Unique indexes of rules that the model does not have any more, by the names that such rules get. They still refuse items. */
export function leftUniqueIndexes(table: TableSpec, actual: ActualTable): readonly SchemaDifference[] {
  const columns = new Set(table.columns.map(({ name }) => name));
  const isOfRule = ({ name }: ActualIndex): boolean =>
    name.startsWith(`${table.name}_`) && /_(?:key|[0-9a-f]{10})$/.test(name);
  return unwanted(table.indexes, actual.indexes)
    .filter((index) => index.unique && !index.primary && isOfRule(index))
    .filter((index) => index.columns.every((column) => column !== null && columns.has(column)))
    .filter((index) => !table.indexes.some((wanted) => isSameIndex(wanted, index)))
    .flatMap((index) => {
      const name = quoteIdentifier(index.name);
      const description = `Index ${name} is ${describeIndex(index)} in the database and not in the model: items with the same values are refused.`;
      const statement = index.ofConstraint
        ? `ALTER TABLE ${quoteIdentifier(table.name)} DROP CONSTRAINT ${name}`
        : `DROP INDEX ${name}`;
      return reported(table, description, statement).differences;
    });
}

function differingIndex(table: TableSpec, index: IndexSpec, found: ActualIndex, statement: string): Comparison<never> {
  const name = quoteIdentifier(index.name);
  if (isSameIndex(index, found)) {
    return reported(table, `Index ${name} is not valid: its creation was interrupted.`, `REINDEX INDEX ${name}`);
  }
  return reported(
    table,
    `Index ${name} is ${describeIndex(found)} in the database and ${describeIndex(wantedIndex(index))} in the model.`,
    `DROP INDEX ${name}; ${statement}`,
  );
}

function differingForeignKey(
  table: TableSpec,
  key: ForeignKeySpec,
  found: ActualForeignKey,
  statement: string,
): Comparison<never> {
  const [target, name] = [quoteIdentifier(table.name), quoteIdentifier(key.name)];
  if (!isSameForeignKey(key, found)) {
    return reported(
      table,
      `Foreign key ${name} is ${describeForeignKey(found)} in the database and ${describeForeignKey(wantedKey(key))} in the model.`,
      `ALTER TABLE ${target} DROP CONSTRAINT ${name}; ${statement}`,
    );
  }
  if (found.validated) return same;
  return reported(
    table,
    `Foreign key ${name} was never checked against the rows.`,
    `ALTER TABLE ${target} VALIDATE CONSTRAINT ${name}`,
  );
}

/** Constraints and indexes of the database under names that the model does not use. */
function unwanted<T>(
  wanted: readonly { readonly name: string }[],
  actual: ReadonlyMap<string, T> | undefined,
): readonly T[] {
  const names = new Set(wanted.map((one) => one.name));
  return [...(actual ?? [])].filter(([name]) => !names.has(name)).map(([, value]) => value);
}

type IndexShape = Pick<ActualIndex, 'unique' | 'method' | 'columns' | 'operatorClasses' | 'maxBytes' | 'special'>;

function wantedIndex(index: IndexSpec): IndexShape {
  const { unique, method, columns, maxBytes } = index;
  const operatorClasses = columns.map(() => index.operatorClass ?? null);
  return { unique, method, columns, operatorClasses, ...(maxBytes === undefined ? {} : { maxBytes }), special: false };
}

function isSameIndex(wanted: IndexSpec, actual: IndexShape): boolean {
  return (
    !actual.special &&
    wanted.unique === actual.unique &&
    wanted.method === actual.method &&
    wanted.maxBytes === actual.maxBytes &&
    wanted.columns.length === actual.columns.length &&
    wanted.columns.every((column, position) => column === actual.columns[position]) &&
    actual.operatorClasses.every((operatorClass) => operatorClass === (wanted.operatorClass ?? null))
  );
}

function describeIndex(index: IndexShape): string {
  const columns = index.columns.map((column, position) => {
    const operatorClass = index.operatorClasses[position] ?? null;
    return `${column === null ? '<expression>' : quoteIdentifier(column)}${operatorClass === null ? '' : ` ${operatorClass}`}`;
  });
  const special = index.special ? ' with a condition or options' : '';
  const limit = index.maxBytes === undefined ? '' : ` of values of at most ${index.maxBytes} bytes`;
  return `${index.unique ? 'unique ' : ''}${index.method} (${columns.join(', ')})${limit}${special}`;
}

type ForeignKeyShape = Omit<ActualForeignKey, 'name' | 'validated'>;

function wantedKey(key: ForeignKeySpec): ForeignKeyShape {
  const { referencedTable, onDelete } = key;
  return { columns: [key.column], referencedTable, referencedColumns: ['id'], onDelete, onUpdate: 'NO ACTION' };
}

function isSameForeignKey(wanted: ForeignKeySpec, actual: ForeignKeyShape): boolean {
  return describeForeignKey(wantedKey(wanted)) === describeForeignKey(actual);
}

function describeForeignKey(key: ForeignKeyShape): string {
  const onUpdate = key.onUpdate === 'NO ACTION' ? '' : ` ON UPDATE ${key.onUpdate}`;
  return `(${quoteIdentifiers(key.columns)}) to ${quoteIdentifier(key.referencedTable)} (${quoteIdentifiers(key.referencedColumns)}) ON DELETE ${key.onDelete}${onUpdate}`;
}

function reported(table: TableSpec, description: string, statement: string): Comparison<never> {
  return {
    steps: [],
    differences: [{ plugin: table.plugin, table: table.name, description, statement: `${statement};` }],
  };
}
