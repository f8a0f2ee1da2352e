import type { SchemaDifference } from '@gantry/contracts';
import { quoteIdentifier } from '../../identifiers';
import {
  changeTriggers,
  changeTable,
  createChangeTables,
  createChangeTriggers,
  createLinkTriggers,
  originSetting,
  linkTriggers,
} from '../../changes/change-tables';
import { createLinksTrigger, linksSource, linksTrigger } from '../../links/link-triggers';
import { createSearchTables, createSearchTriggers, searchTriggers } from '../../search/search-tables';
import type { ColumnSpec, TableSpec } from '../../table-spec';
import type { ActualIndex, ActualSchema, ActualTable } from '../inspect/actual-schema';
import {
  changedReferences,
  maxCounted,
  questionsOfReferences,
  type RowCounts,
  type RowQuestion,
} from './changed-references';
import { compareColumns, isComputedOtherwise, isRequiredWithoutValue, leftColumns } from './compare-columns';
import { compareForeignKey, compareIndex, comparePrimaryKey, leftUniqueIndexes } from './compare-constraints';
import {
  awaitedExtras,
  compareExtraIndex,
  leftFieldsOf,
  noTable,
  ownPart,
  withExtraFields,
  withoutInvalid,
} from './extra-columns';
import type { Normaliser } from '../inspect/normalise-columns';
import { retypedColumns } from './retyped-columns';
import { platform, type ExtensionStep, type SchemaFailure, type SchemaPlan, type SchemaStep } from './schema-plan';
import { createTable, isTrigram } from '../statements';

/** The wanted and the actual schema that a plan is made from. */
export interface PlanInput {
  readonly wanted: readonly TableSpec[];
  readonly actual: ActualSchema;
  readonly normalise: Normaliser;
  /** Answers {@link questionsOf}. */
  readonly count: RowCounts;
}

/**
 * Compares models and database. Pure. Tables with their columns and indexes come first, foreign keys after all of them,
 * so that tables may refer to each other. Nothing is ever dropped, renamed, narrowed or made required: such a
 * difference is reported with the statement a migration would need.
 */
export function planSchema(input: PlanInput): SchemaPlan {
  const failures = findFailures(input);
  const failed = new Set(failures.map((failure) => failure.plugin));
  const wanted = input.wanted.filter((table) => !failed.has(table.plugin));
  const plans = wanted.map((table) => planTable(withExtraFields(table, wanted, input.actual), { ...input, wanted }));
  const additions = [...plans.flatMap((plan) => plan.additions), ...plans.flatMap((plan) => plan.awaiting)];
  const search = [...planSearch(additions), ...planChanges(input, additions)];
  const links = plans.flatMap((plan) => plan.links);
  const trigram = planTrigram(input, [...search, ...additions]);
  return {
    steps: [
      ...[...trigram.steps, ...search, ...additions],
      ...[...plans.flatMap((plan) => plan.foreignKeys), ...links],
      ...plans.flatMap((plan) => plan.rows),
    ],
    differences: [...trigram.differences, ...plans.flatMap((plan) => plan.differences)],
    failures,
    kept: plans.flatMap((plan) => plan.kept),
    leftFields: wanted.flatMap((table) => leftFieldsOf(table, wanted, input.actual)),
  };
}

/** Rows that the plan depends on. */
export function questionsOf(wanted: readonly TableSpec[], actual: ActualSchema): readonly RowQuestion[] {
  return wanted.flatMap((table) => {
    const found = actualOf(table, actual);
    const isOpen =
      found !== undefined &&
      (leftColumns(table, found).length > 0 ||
        table.columns.some((column) => isRequiredWithoutValue(column) && !found.columns.has(column.name)));
    const isCounted = isOpen || (found !== undefined && table.singleton === true);
    return [...(isCounted ? [{ table: table.name }] : []), ...questionsOfReferences(table, actual)];
  });
}

function planTable(table: TableSpec, { wanted, actual: schema, normalise, count }: PlanInput) {
  const { plugin, name, isExtra = false } = table;
  const actual = actualOf(table, schema);
  const { indexed, found } = isExtra ? withoutInvalid(actual, schema) : withoutRecomputed(table, schema, normalise);
  const indexes = table.indexes.map((index) =>
    isExtra ? compareExtraIndex(table, index, indexed, found) : compareIndex(table, index, indexed, found),
  );
  const foreignKeys = table.foreignKeys.map((key) => compareForeignKey(table, key, actual));
  const columns = actual && compareColumns(table, actual, normalise, count({ table: name }) > 0);
  const creation: SchemaStep = { plugin, table: name, kind: 'table', statement: createTable(table) };
  const needs = isExtra ? [] : awaitedExtras(table, wanted, schema.tables.get(name));
  const triggers = isExtra ? [] : planTriggers(table, actual);
  const indexSteps = indexes.flatMap((one) => one.steps);
  return {
    additions: [
      ...(columns === undefined ? [creation] : columns.steps),
      ...(isExtra ? [] : indexSteps),
      ...(needs.length === 0 ? triggers : []),
    ],
    /** These name extra columns that are added before. */
    awaiting: [
      ...(needs.length === 0 ? [] : triggers.map((step) => ({ ...step, needs }))),
      ...(isExtra ? indexSteps : []),
    ],
    foreignKeys: foreignKeys.flatMap((one) => one.steps),
    links: planLinks(table, schema),
    rows: planRow(table, count),
    differences: [
      ...(actual === undefined || isExtra ? [] : comparePrimaryKey(table, actual)),
      ...(columns?.differences ?? []),
      ...[...indexes, ...foreignKeys].flatMap((one) => one.differences),
      ...(actual === undefined ? [] : leftUniqueIndexes(table, actual)),
    ],
    kept: columns?.kept ?? [],
  };
}

/** The part of the table in the database that the plugin of the wanted one is responsible for. */
function actualOf(table: TableSpec, { tables }: ActualSchema): ActualTable | undefined {
  const actual = tables.get(table.name);
  // Its owner makes it before the extra columns.
  if (table.isExtra === true && actual === undefined) return noTable(table.name);
  return actual && ownPart(table, actual);
}

/** An index goes with a column that is computed again, and is to be made again after it. */
function withoutRecomputed(table: TableSpec, schema: ActualSchema, normalise: Normaliser) {
  const actual = actualOf(table, schema);
  const names =
    actual && table.columns.filter((one) => isComputedOtherwise(one, actual, normalise)).map(({ name }) => name);
  if (actual === undefined || names === undefined || names.length === 0) return { indexed: actual, found: schema };
  const isGone = ({ columns }: ActualIndex): boolean => columns.some((name) => name !== null && names.includes(name));
  const gone = new Set([...actual.indexes].flatMap(([name, index]) => (isGone(index) ? [name] : [])));
  const without = <T>(known: ReadonlyMap<string, T>) => new Map([...known].filter(([name]) => !gone.has(name)));
  return {
    indexed: { ...actual, indexes: without(actual.indexes) },
    found: { ...schema, relationKinds: without(schema.relationKinds) },
  };
}

/** The triggers that search and change feed need; all of one kind again when one is missing or has another rule. */
export function planTriggers(
  { plugin, name: table, search, changes, links }: TableSpec,
  actual: ActualTable | undefined,
): readonly SchemaStep[] {
  const isMissing = (wanted: ReadonlyMap<string, string>): boolean =>
    [...wanted].some(([name, source]) => actual?.triggers.get(name) !== source);
  const steps: SchemaStep[] = [];
  if (search !== undefined && isMissing(searchTriggers(table, search))) {
    steps.push({ plugin, table, kind: 'search', statement: createSearchTriggers(table, search) });
  }
  if (changes !== undefined && isMissing(changeTriggers(table, changes))) {
    steps.push({ plugin, table, kind: 'changes', statement: createChangeTriggers(table, changes) });
  }
  if (links !== undefined && isMissing(linkTriggers(table, links))) {
    steps.push({ plugin, table, kind: 'changes', statement: createLinkTriggers(table, links) });
  }
  return steps;
}

/** The trigger that fills a table of links; after the foreign keys, which its first links must meet. */
function planLinks(table: TableSpec, { tables }: ActualSchema): readonly SchemaStep[] {
  const { itemLinks, name, plugin } = table;
  if (itemLinks === undefined) return [];
  const { triggers } = tables.get(itemLinks.itemTable) ?? {};
  const isThere = tables.has(name) && triggers?.get(linksTrigger(name)) === linksSource(name, itemLinks);
  return isThere ? [] : [{ plugin, table: name, kind: 'links', statement: createLinksTrigger(table, itemLinks) }];
}

/** The row of a table that has exactly one; after what notes its creation. */
function planRow({ name: table, plugin, singleton }: TableSpec, count: RowCounts): readonly SchemaStep[] {
  if (singleton === undefined || count({ table }) > 0) return [];
  // The plugin is the author of the item; the parts have the separator of the setting between them.
  const origin = `SET LOCAL ${originSetting} = E'plugin:${plugin}\\x1fplugin'`;
  return [{ plugin, table, kind: 'row', statement: `${origin}; INSERT INTO ${quoteIdentifier(table)} DEFAULT VALUES` }];
}

/** Readers ask for it also while no plugin has items. */
function planChanges({ wanted, actual }: PlanInput, additions: readonly SchemaStep[]): readonly SchemaStep[] {
  const isMissing = !actual.hasChanges && wanted.some(({ plugin }) => plugin === platform);
  if (!isMissing && !additions.some((step) => step.kind === 'changes')) return [];
  return [{ plugin: platform, table: changeTable, kind: 'changes', statement: createChangeTables }];
}

/** Plans the tables and functions that the triggers of the search write to, or call. */
function planSearch(additions: readonly SchemaStep[]): readonly SchemaStep[] {
  if (!additions.some((step) => step.kind === 'search')) return [];
  return [{ plugin: platform, table: 'gantry_search', kind: 'search', statement: createSearchTables }];
}

/** Failures of tables by themselves, then of those that refer to a table which for that reason is not made, and so on. */
function findFailures(input: PlanInput): readonly SchemaFailure[] {
  const failures = input.wanted.flatMap((table) => [
    ...nameFailures(table, input.actual),
    ...typeFailures(table, input),
    ...retypedFailures(table, input),
    ...leftFailures(table, input),
    ...singletonFailures(table, input),
    ...changedReferences(table, input.actual, input.count),
  ]);
  for (;;) {
    const failed = new Set(failures.map((failure) => failure.plugin));
    const sound = input.wanted.filter((table) => !failed.has(table.plugin));
    const made = sound.filter(({ isExtra }) => isExtra !== true).map((table) => table.name);
    const available = new Set([...input.actual.tables.keys(), ...made]);
    const found = sound.flatMap((table) => referenceFailures(table, available));
    if (found.length === 0) return failures;
    failures.push(...found);
  }
}

function nameFailures(table: TableSpec, actual: ActualSchema): readonly SchemaFailure[] {
  const kind = actual.relationKinds.get(table.name);
  if (kind === undefined || actual.tables.has(table.name)) return [];
  return [
    {
      plugin: table.plugin,
      code: 'SCHEMA_NAME_TAKEN',
      reason: `Table ${quoteIdentifier(table.name)} cannot be created: the database already has ${kind} of that name.`,
      remedy: `Rename or remove it, or use a separate database for the platform.`,
    },
  ];
}

function typeFailures(table: TableSpec, { normalise }: PlanInput): readonly SchemaFailure[] {
  return table.columns.flatMap((column): readonly SchemaFailure[] => {
    const normal = normalise(column);
    if (normal.status === 'valid') return [];
    const byDefault = column.default === undefined ? '' : ` with the default ${column.default}`;
    if (column.generated !== undefined) return [invalidExpression(table, column, normal.reason)];
    return [
      {
        plugin: table.plugin,
        code: 'SCHEMA_TYPE_INVALID',
        reason: `Table ${quoteIdentifier(table.name)}, column ${quoteIdentifier(column.name)}: PostgreSQL rejects the type ${column.type}${byDefault}: ${normal.reason}.`,
        remedy: 'Correct type and default of the field, or create the type in a migration of the plugin.',
      },
    ];
  });
}

function invalidExpression({ plugin, name }: TableSpec, column: ColumnSpec, reason: string): SchemaFailure {
  return {
    plugin,
    code: 'SCHEMA_TYPE_INVALID',
    reason: `Table ${quoteIdentifier(name)}, column ${quoteIdentifier(column.name)}: PostgreSQL rejects the expression ${column.generated?.expression} of the computed field: ${reason}.`,
    remedy:
      'Correct the expression: it may read the fields that it names in braces and no other columns, and must give the same value at any time.',
  };
}

function retypedFailures(table: TableSpec, { actual, normalise }: PlanInput): readonly SchemaFailure[] {
  const found = actualOf(table, actual);
  return found === undefined ? [] : retypedColumns(table, found, normalise);
}

/** Without a row, the column is removed. */
function leftFailures(table: TableSpec, { actual, count }: PlanInput): readonly SchemaFailure[] {
  const found = actualOf(table, actual);
  return found === undefined || count({ table: table.name }) === 0 ? [] : leftColumns(table, found);
}

function singletonFailures({ plugin, name, singleton }: TableSpec, { count }: PlanInput): readonly SchemaFailure[] {
  const rows = singleton === undefined ? 0 : count({ table: name });
  if (rows <= 1) return [];
  return [
    {
      plugin,
      code: 'SCHEMA_SINGLETON_ROWS',
      reason: `Table ${quoteIdentifier(name)} has ${rows === maxCounted ? `at least ${rows}` : rows} rows, and its type is a singleton, which has one item.`,
      remedy: 'Delete the other items before, or take singleton out of the declaration of the type.',
    },
  ];
}

function referenceFailures(table: TableSpec, available: ReadonlySet<string>): readonly SchemaFailure[] {
  if (table.isExtra === true && !available.has(table.name)) return [missingOwner(table)];
  return table.foreignKeys
    .filter((key) => !available.has(key.referencedTable))
    .map((key) => missingReference(table.plugin, table.name, key.column, key.referencedTable));
}

function missingOwner({ plugin, name }: TableSpec): SchemaFailure {
  return {
    plugin,
    code: 'SCHEMA_REFERENCE_MISSING',
    reason: `Table ${quoteIdentifier(name)}, to which ${plugin} adds fields, does not exist.`,
    remedy: 'Enable the plugin that owns that table; if the plugin failed, fix it first.',
  };
}

/** A table that another one refers to is neither there nor made. */
export function missingReference(
  plugin: string,
  table: string,
  column: string,
  referencedTable: string,
): SchemaFailure {
  return {
    plugin,
    code: 'SCHEMA_REFERENCE_MISSING',
    reason: `Table ${quoteIdentifier(table)}, column ${quoteIdentifier(column)} refers to table ${quoteIdentifier(referencedTable)}, which does not exist.`,
    remedy: 'Enable the plugin that owns that table; if the plugin failed, fix it first.',
  };
}

interface TrigramPlan {
  readonly steps: readonly ExtensionStep[];
  readonly differences: readonly SchemaDifference[];
}

function planTrigram({ wanted, actual }: PlanInput, additions: readonly SchemaStep[]): TrigramPlan {
  const names = new Set(wanted.flatMap((table) => table.indexes.filter(isTrigram).map((index) => index.name)));
  const statement = 'CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public';
  switch (actual.trigram.status) {
    case 'installed':
      return { steps: [], differences: [] };
    case 'installable': {
      const isNeeded = additions.some(
        (step) => (step.kind === 'index' && names.has(step.name)) || (step.kind === 'search' && !actual.hasSearch),
      );
      return {
        steps: isNeeded ? [{ plugin: platform, table: '', kind: 'extension', statement }] : [],
        differences: [],
      };
    }
    case 'unavailable': {
      if (names.size === 0) return { steps: [], differences: [] };
      const description =
        `The extension pg_trgm is missing and cannot be created, because ${actual.trigram.reason}: ` +
        'searching with CONTAINS reads whole tables. Ask an administrator to run the statement in this database, then start again.';
      return { steps: [], differences: [{ plugin: platform, table: '', description, statement: `${statement};` }] };
    }
  }
}
