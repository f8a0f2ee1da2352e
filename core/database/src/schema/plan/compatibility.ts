import type { ClientBase } from 'pg';
import { findLosses } from '../trial/classify-change';
import { isFilledByTriggers, readTableStates, type TableState, type TableStates } from '../trial/table-states';

/** The structure that the code of a version relies on, at one moment of a transaction. */
export interface Structure {
  readonly tables: TableStates;
  /** By oid of the table. */
  readonly conditions: ReadonlyMap<string, TableConditions>;
  /** Of functions, views, types and triggers, by their names. */
  readonly definitions: Readonly<Record<string, string>>;
}

interface TableConditions {
  readonly rows: number;
  /** Rows that this transaction has changed or deleted; 1 where PostgreSQL does not count them. */
  readonly changed: number;
  /** Numbers of the columns that get a value where a statement gives none. */
  readonly filled: readonly number[];
  /** Rules that new rows have to satisfy, with their columns; null for a rule about the whole row. */
  readonly rules: Readonly<Record<string, readonly [definition: string, columns: readonly number[] | null]>>;
}

const conditionsQuery = `
  WITH rule (table_oid, name, definition, columns) AS (
    SELECT conrelid, 'the constraint ' || conname, pg_get_constraintdef(oid), conkey FROM pg_constraint
      WHERE conrelid <> 0 AND contype IN ('c', 'f', 'p', 'u', 'x')
    UNION ALL SELECT i.indrelid, 'the unique index ' || c.relname, pg_get_indexdef(c.oid), i.indkey::int2[] FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisunique AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid)
    UNION ALL SELECT tgrelid, 'the trigger ' || tgname, pg_get_triggerdef(oid), NULL FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT polrelid, 'the policy ' || polname,
      concat_ws(' ', polcmd, polroles, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), NULL FROM pg_policy)
  SELECT c.oid::text AS oid, greatest(c.reltuples, 0)::float8 AS rows,
    CASE current_setting('track_counts') WHEN 'on'
      THEN (pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid))::int ELSE 1 END AS changed,
    ARRAY(SELECT a.attnum::int FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
      AND (a.atthasdef OR a.attidentity <> '' OR NOT a.attnotnull)) AS filled,
    coalesce((SELECT json_object_agg(r.name, json_build_array(r.definition, to_json(r.columns))) FROM rule r WHERE r.table_oid = c.oid), '{}') AS rules
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;

const definitionsQuery = `
  SELECT coalesce(json_object_agg(name, definition), '{}') AS definitions FROM (
    SELECT 'the function ' || p.oid::regprocedure AS name, concat_ws(' ', p.prosrc, p.prorettype::regtype, p.proconfig) AS definition
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    UNION ALL SELECT 'the view ' || c.oid::regclass, pg_get_viewdef(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('v', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    UNION ALL SELECT 'the type ' || t.oid::regtype, concat_ws(' ', t.typbasetype::regtype, t.typnotnull,
      (SELECT string_agg(pg_get_constraintdef(k.oid), ' ' ORDER BY k.oid) FROM pg_constraint k WHERE k.contypid = t.oid),
      (SELECT string_agg(e.enumlabel, ' ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
      FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
      WHERE t.typtype IN ('d', 'e') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema') AS found`;

export async function readStructure(client: ClientBase): Promise<Structure> {
  const { rows } = await client.query<TableConditions & { readonly oid: string }>(conditionsQuery);
  const found = await client.query<Pick<Structure, 'definitions'>>(definitionsQuery);
  return {
    tables: await readTableStates(
      client,
      rows.map(({ oid }) => oid),
    ),
    conditions: new Map(rows.map(({ oid, ...conditions }) => [oid, conditions])),
    definitions: found.rows[0]?.definitions ?? {},
  };
}

/**
 * Why code that was written for the structure before may fail on the one after it; nothing where something was only added: tables,
 * columns that need no value, and indexes. What is not known to be an addition counts.
 */
export function findBreaks(before: Structure, after: Structure): readonly string[] {
  const changed = Object.entries(before.definitions).flatMap(([name, definition]) => {
    const now = after.definitions[name];
    if (now === definition) return [];
    return [`${now === undefined ? 'removes' : 'changes'} ${name}`];
  });
  return [...[...before.tables].flatMap(([oid, table]) => breaksOf(oid, table, before, after)), ...changed];
}

function breaksOf(oid: string, table: TableState, before: Structure, after: Structure): readonly string[] {
  const now = after.tables.get(oid);
  const [earlier, later] = [before.conditions.get(oid), after.conditions.get(oid)];
  if (earlier === undefined || isFilledByTriggers(table.name)) return [];
  const losses = findLosses(table, now, Math.round(earlier.rows), commandOf(table, now, later)).map(({ text }) => text);
  if (now === undefined || later === undefined) return losses;
  return [...losses, ...columnBreaks(table, now, earlier, later), ...ruleBreaks(table, earlier, later)];
}

/** The statement that explains best what became of the rows. */
function commandOf(before: TableState, after: TableState | undefined, later: TableConditions | undefined): string {
  if (later !== undefined && later.changed > 0) return 'UPDATE';
  if (after === undefined || after.file === before.file) return 'INSERT';
  const isRewrittenForColumns = JSON.stringify(before.columns) !== JSON.stringify(after.columns);
  return isRewrittenForColumns ? 'INSERT' : 'TRUNCATE';
}

function columnBreaks(
  before: TableState,
  after: TableState,
  earlier: TableConditions,
  later: TableConditions,
): readonly string[] {
  return Object.entries(after.columns).flatMap(([number, [name, type, isRequired]]) => {
    const column = `${after.name}.${name}`;
    const was = before.columns[number];
    const isFilled = later.filled.includes(Number(number));
    if (was === undefined) return isFilled ? [] : [`adds the column ${column}, which needs a value`];
    const [, typeBefore, wasRequired] = was;
    const wasFilled = earlier.filled.includes(Number(number));
    const isRetyped = typeBefore !== type && before.file === after.file;
    return [
      ...(isRetyped ? [`changes the type of ${column} from ${typeBefore} to ${type}`] : []),
      ...(isRequired && !wasRequired ? [`requires a value in ${column}`] : []),
      ...(wasRequired && !isRequired ? [`allows ${column} to have no value`] : []),
      ...(wasFilled && !isFilled && wasRequired ? [`removes the default of ${column}`] : []),
    ];
  });
}

/** A rule of columns that are new with it binds no earlier code. */
function ruleBreaks(before: TableState, earlier: TableConditions, later: TableConditions): readonly string[] {
  const removed = Object.entries(earlier.rules).flatMap(([name, [definition]]) => {
    const now = later.rules[name];
    if (now?.[0] === definition) return [];
    return [`${now === undefined ? 'removes' : 'changes'} ${name} of ${before.name}`];
  });
  const added = Object.entries(later.rules).flatMap(([name, [, columns]]) => {
    const bindsNewOnly = columns?.every((number) => number > 0 && before.columns[String(number)] === undefined);
    return earlier.rules[name] !== undefined || bindsNewOnly === true ? [] : [`adds ${name} of ${before.name}`];
  });
  return [...removed, ...added];
}
