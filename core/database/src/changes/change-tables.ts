import { identifier, literal, quoteIdentifier } from '../identifiers';
import { migratingSetting } from '../search/search-tables';
import type { ChangedField, ChangeSpec, LinkSpec } from '../table-spec';
import { labelsOf, linkedLabels } from './change-labels';
import { createTargetTable, noteTargets } from './change-targets';
import { linkedIds, migratedChanges, migratedValues, previousOf, valuesOf } from './change-values';
import { noteOfFields } from './kept-fields';

/**
 * SQL of the change feed: one row of `gantry_change` for each version of every item, written by triggers in the transaction of the item.
 * Statements of this file qualify every name, because triggers run with the search path of the writer.
 *
 * The position of a row is (epoch, transaction_id, sequence). `transaction_id` is at least the id of the transaction that writes the row, and
 * at least that of every transaction that had ended when the row was written. So positions of the changes of one item are in the order
 * of its versions, also where an older transaction changes it after a younger one; and a reader that stops at the oldest
 * running transaction (`pg_snapshot_xmin`) sees no gaps.
 */

/** Separates the parts of the setting {@link originSetting}; no part has it. */
export const originSeparator = '\u001f';

/** Set for the transaction of a write: actor, source, request id, token, restored version. */
export const originSetting = 'gantry.origin';

/** The table of the feed. */
export const changeTable = 'gantry_change';

/** Creates what all tables share. The partitions of months are made by {@link createPartition}. */
export const createChangeTables = [
  'CREATE SEQUENCE IF NOT EXISTS public.gantry_change_sequence',
  `CREATE TABLE IF NOT EXISTS public.${changeTable} (
  epoch integer NOT NULL DEFAULT 1,
  transaction_id bigint NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('public.gantry_change_sequence'),
  written_by bigint NOT NULL,
  at timestamptz NOT NULL,
  item_table text NOT NULL,
  item_id bigint NOT NULL,
  version integer NOT NULL,
  action text NOT NULL,
  actor text NOT NULL,
  source text NOT NULL,
  request_id text,
  token text,
  restored_version integer,
  values jsonb NOT NULL,
  previous jsonb,
  labels jsonb) PARTITION BY RANGE (at)`,
  `CREATE TABLE IF NOT EXISTS public.gantry_change_default PARTITION OF public.${changeTable} DEFAULT`,
  `CREATE INDEX IF NOT EXISTS gantry_change_position_idx ON public.${changeTable} (epoch, transaction_id, sequence)`,
  `CREATE INDEX IF NOT EXISTS gantry_change_item_idx ON public.${changeTable} (item_table, item_id, sequence)`,
  createTargetTable,
].join(';\n');

/** Creates the triggers of a table of items, or replaces those of an earlier rule. */
export function createChangeTriggers(table: string, spec: ChangeSpec): string {
  const target = `public.${quoteIdentifier(table)}`;
  const { record, version, moved } = changeFunctions(table);
  const execute = `EXECUTE FUNCTION public.${quoteIdentifier(record)}()`;
  const statements = [
    createFunction(record, itemSource(table, spec)),
    createFunction(version, versionSource(spec)),
    createFunction(moved, movedSource),
    `CREATE OR REPLACE TRIGGER gantry_change_insert AFTER INSERT ON ${target} REFERENCING NEW TABLE AS added FOR EACH STATEMENT ${execute}`,
    `CREATE OR REPLACE TRIGGER gantry_change_update AFTER UPDATE ON ${target} REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT ${execute}`,
    `CREATE OR REPLACE TRIGGER gantry_change_moved AFTER UPDATE ON ${target} FOR EACH ROW WHEN (OLD.id <> NEW.id) EXECUTE FUNCTION public.${quoteIdentifier(moved)}()`,
    // Before the links of the item go with it.
    `CREATE OR REPLACE TRIGGER gantry_change_delete BEFORE DELETE ON ${target} FOR EACH ROW ${execute}`,
    `CREATE OR REPLACE TRIGGER gantry_change_truncate BEFORE TRUNCATE ON ${target} FOR EACH STATEMENT ${execute}`,
    // Named so that it runs after other triggers, which may change the row.
    `CREATE OR REPLACE TRIGGER zz_gantry_change_version BEFORE UPDATE ON ${target} FOR EACH ROW WHEN (OLD.version = NEW.version) EXECUTE FUNCTION public.${quoteIdentifier(version)}()`,
    noteTargets(table, spec),
  ];
  return statements.join(';\n');
}

/** Replaces the fields that the triggers of a table of items keep. */
export function replaceKeptFields(table: string, fields: ChangeSpec['fields']): string {
  return createFunction(changeFunctions(table).record, itemSource(table, { fields }));
}

/** The triggers of a table of items and the sources of their functions, as {@link createChangeTriggers} makes them. */
export function changeTriggers(table: string, spec: ChangeSpec): ReadonlyMap<string, string> {
  const source = itemSource(table, spec);
  return new Map([
    ['gantry_change_insert', source],
    ['gantry_change_update', source],
    ['gantry_change_delete', source],
    ['gantry_change_truncate', source],
    ['gantry_change_moved', movedSource],
    ['zz_gantry_change_version', versionSource(spec)],
  ]);
}

/** Creates the triggers of a link table. */
export function createLinkTriggers(table: string, spec: LinkSpec): string {
  const target = `public.${quoteIdentifier(table)}`;
  const { record } = changeFunctions(table);
  const execute = `FOR EACH STATEMENT EXECUTE FUNCTION public.${quoteIdentifier(record)}()`;
  return [
    createFunction(record, linkSource(table, spec)),
    `CREATE OR REPLACE TRIGGER gantry_change_insert AFTER INSERT ON ${target} REFERENCING NEW TABLE AS added ${execute}`,
    `CREATE OR REPLACE TRIGGER gantry_change_update AFTER UPDATE ON ${target} REFERENCING OLD TABLE AS removed NEW TABLE AS added ${execute}`,
    `CREATE OR REPLACE TRIGGER gantry_change_delete AFTER DELETE ON ${target} REFERENCING OLD TABLE AS removed ${execute}`,
    `CREATE OR REPLACE TRIGGER gantry_change_truncate BEFORE TRUNCATE ON ${target} ${execute}`,
  ].join(';\n');
}

/** The triggers of a link table and the sources of their functions. */
export function linkTriggers(table: string, spec: LinkSpec): ReadonlyMap<string, string> {
  const source = linkSource(table, spec);
  return new Map(
    ['gantry_change_insert', 'gantry_change_update', 'gantry_change_delete', 'gantry_change_truncate'].map((name) => [
      name,
      source,
    ]),
  );
}

/** Names of the functions of the triggers of a table; a link table has the first one alone. */
export function changeFunctions(table: string): {
  readonly record: string;
  readonly version: string;
  readonly moved: string;
} {
  return {
    record: identifier('gantry_change', table),
    version: identifier('gantry_change_version', table),
    moved: identifier('gantry_change_moved', table),
  };
}

function createFunction(name: string, source: string): string {
  // With the rights of the owner, so that a role that may write to one table needs none on the feed.
  return (
    `CREATE OR REPLACE FUNCTION public.${quoteIdentifier(name)}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER` +
    ` SET search_path = pg_catalog, pg_temp ${indexesOnly} AS $gantry$${source}$gantry$`
  );
}

/**
 * A session keeps the plans of its first rows. With the plan that reads a small table as a whole, a large import took time by the square
 * of its items. Part of the sources, too, because a trigger is replaced when its source is another one.
 */
const indexesOnly = 'SET enable_seqscan = off';

/** A change without a higher version, as SQL of people and plugins may make it, becomes a new version. */
function versionSource({ generated = [] }: ChangeSpec): string {
  // A trigger before the change sees no values of generated columns.
  const names = `ARRAY[${generated.map(literal).join(', ')}]`;
  const differs = generated.length === 0 ? 'OLD *<> NEW' : `to_jsonb(OLD) - ${names} <> to_jsonb(NEW) - ${names}`;
  return `
BEGIN
  IF ${differs} THEN
    NEW.version := OLD.version + 1;
    IF NEW.updated_at = OLD.updated_at THEN NEW.updated_at := now(); END IF;
  END IF;
  RETURN NEW;
END
`;
}

/** Set for the rest of a statement that changes ids: to look for such rows costs as much as to write the change. */
const movedSetting = 'gantry.has_moved';

const movedSource = `
BEGIN
  PERFORM set_config('${movedSetting}', 'on', true);
  RETURN NULL;
END
`;

/** Of a name that is a variable of the function and a column of the items, unqualified as only variables are. */
const variablesFirst = '#variable_conflict use_variable';

const columns =
  'transaction_id, written_by, at, item_table, item_id, version, action, actor, source, request_id, token, restored_version, values, previous, labels';

/**
 * Every expression of PL/pgSQL is prepared again in each transaction, which for one row costs as much as a column of the statement: so
 * there are few of them, and what is used in statements alone is written there.
 */
const ownId = 'pg_current_xact_id()::text::bigint';
const isMigrating = `coalesce(current_setting('${migratingSetting}', true), '') <> ''`;

function itemSource(table: string, spec: ChangeSpec): string {
  const insert = `INSERT INTO public.${changeTable} (${columns})`;
  const migrated = { source: 'migration' } as const;
  return `
-- ${indexesOnly}; targets are noted${noteOfFields(spec.fields)}
${variablesFirst}
DECLARE
  origin text[] := string_to_array(nullif(current_setting('${originSetting}', true), ''), chr(31));
  ids bigint[] := ARRAY[${ownId}, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1];
BEGIN
  IF ${isMigrating} THEN
    IF TG_OP = 'INSERT' THEN
      ${insert} SELECT ${rowColumns(table, 'n', `'created'`, migrated)}, ${migratedValues('n', spec)}, NULL, NULL FROM added n;
    ELSIF TG_OP = 'UPDATE' THEN
      ${insert}
      SELECT ${rowColumns(table, 'n', `'updated'`, migrated)}, ${migratedValues('n', spec)}, ${migratedChanges(spec)}, NULL
      FROM added n JOIN removed o ON o.id = n.id WHERE o.* *<> n.*;
      ${movedRows(table, (row) => migratedValues(row, spec), 'NULL', migrated)}
    ELSIF TG_OP = 'DELETE' THEN
      ${insert} VALUES (${rowColumns(table, 'OLD', `'deleted'`, migrated)}, ${migratedValues('OLD', spec)}, NULL, NULL);
      RETURN OLD;
    ELSE
      ${insert} SELECT ${rowColumns(table, 't', `'deleted'`, migrated)}, ${migratedValues('t', spec)}, NULL, NULL
      FROM public.${quoteIdentifier(table)} t;
    END IF;
  ELSIF TG_OP = 'INSERT' THEN
    ${insert}
    SELECT ${rowColumns(table, 'n', `CASE WHEN coalesce(origin[5], '') = '' THEN 'created' ELSE 'restored' END`)},
      ${valuesOf('n', spec, () => `'[]'::jsonb`)}, NULL, ${labelsOf('n', spec, () => 'NULL::jsonb')} FROM added n;
  ELSIF TG_OP = 'UPDATE' THEN
    ${insert}
    SELECT ${rowColumns(table, 'n', `'updated'`)}, ${valuesOf('n', spec, linkedIds)}, ${previousOf(spec)}, ${labelsOf('n', spec, linkedLabels)}
    FROM added n JOIN removed o ON o.id = n.id WHERE o.version <> n.version;
    IF current_setting('${movedSetting}', true) = 'on' THEN
      PERFORM set_config('${movedSetting}', '', true);
      ${movedRows(table, (row) => valuesOf(row, spec, linkedIds), labelsOf('n', spec, linkedLabels))}
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    ${insert}
    VALUES (${rowColumns(table, 'OLD', `'deleted'`)}, ${valuesOf('OLD', spec, linkedIds)}, NULL, ${labelsOf('OLD', spec, linkedLabels)});
    RETURN OLD;
  ELSE
    ${insert} SELECT ${rowColumns(table, 't', `'deleted'`)}, ${valuesOf('t', spec, linkedIds)}, NULL, NULL
    FROM public.${quoteIdentifier(table)} t;
  END IF;
  RETURN NULL;
END
`;
}

/** An item with another id is another item. */
function movedRows(table: string, values: (row: string) => string, labels: string, fallback?: Fallback): string {
  return `INSERT INTO public.${changeTable} (${columns})
      SELECT ${rowColumns(table, 'o', `'deleted'`, fallback)}, ${values('o')}, NULL, NULL
      FROM removed o WHERE NOT EXISTS (SELECT FROM added n WHERE n.id = o.id);
      INSERT INTO public.${changeTable} (${columns})
      SELECT ${rowColumns(table, 'n', `'created'`, fallback)}, ${values('n')}, NULL, ${labels}
      FROM added n WHERE NOT EXISTS (SELECT FROM removed o WHERE o.id = n.id);`;
}

/** By which way an item is changed where the transaction does not say it. */
interface Fallback {
  readonly source: 'sql' | 'migration';
}

/** session_user, as current_user is the owner of the function. */
function rowColumns(table: string, row: string, action: string, { source }: Fallback = { source: 'sql' }): string {
  return (
    `greatest(ids[1], ids[2]), ids[1], now(), ${literal(table)}, ${row}.id, ${row}.version, ${action},` +
    ` coalesce(origin[1], 'database:' || session_user), coalesce(origin[2], ${literal(source)}),` +
    ` nullif(origin[3], ''), nullif(origin[4], ''), nullif(origin[5], '')::integer`
  );
}

/**
 * A change of links belongs to the row that the same transaction wrote for the item; without one, the item gets a new version, whose row
 * has the links as they are now.
 */
function linkSource(table: string, spec: LinkSpec): string {
  const links = `public.${quoteIdentifier(table)}`;
  const items = `public.${quoteIdentifier(spec.itemTable)}`;
  const field: ChangedField = { ...spec, linkTable: table, column: '' };
  const labels =
    spec.target === undefined
      ? 'c.labels'
      : `nullif(coalesce(c.labels, '{}') - ${literal(spec.name)} || jsonb_strip_nulls(jsonb_build_object(${literal(spec.name)}, ${linkedLabels('i', field)})), '{}')`;
  return `
-- ${indexesOnly}
${variablesFirst}
DECLARE
  own bigint := ${ownId};
  touched bigint[];
  was jsonb := '{}';
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM ${links};
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT item_id) INTO touched FROM added;
    SELECT coalesce(jsonb_object_agg(i.id, coalesce(b.ids, '[]')), '{}') INTO was FROM unnest(touched) AS i (id) LEFT JOIN LATERAL (
      SELECT jsonb_agg(l.target_id ORDER BY l.position) AS ids FROM ${links} l WHERE l.item_id = i.id
      AND NOT EXISTS (SELECT FROM added a WHERE a.item_id = l.item_id AND a.target_id = l.target_id)) b ON true;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT item_id) INTO touched FROM removed;
    SELECT coalesce(jsonb_object_agg(i.id, b.ids), '{}') INTO was FROM unnest(touched) AS i (id) CROSS JOIN LATERAL (
      SELECT jsonb_agg(x.target_id ORDER BY x.position) AS ids FROM (
        SELECT l.target_id, l.position FROM ${links} l WHERE l.item_id = i.id
        UNION ALL SELECT r.target_id, r.position FROM removed r WHERE r.item_id = i.id) x) b;
  ELSE
    SELECT array_agg(DISTINCT u.item_id) INTO touched FROM (SELECT item_id FROM added UNION SELECT item_id FROM removed) u;
    SELECT coalesce(jsonb_object_agg(i.id, coalesce(b.ids, '[]')), '{}') INTO was FROM unnest(touched) AS i (id) LEFT JOIN LATERAL (
      SELECT jsonb_agg(x.target_id ORDER BY x.position) AS ids FROM (
        SELECT l.target_id, l.position FROM ${links} l WHERE l.item_id = i.id
        AND NOT EXISTS (SELECT FROM added a WHERE a.item_id = l.item_id AND a.target_id = l.target_id)
        UNION ALL SELECT r.target_id, r.position FROM removed r WHERE r.item_id = i.id) x) b ON true;
  END IF;
  IF touched IS NULL THEN RETURN NULL; END IF;
  UPDATE ${items} SET version = version + 1, updated_at = now() WHERE id = ANY (touched)
    AND NOT EXISTS (SELECT FROM public.${changeTable} c WHERE c.at = now() AND c.written_by = own
      AND c.item_table = ${literal(spec.itemTable)} AND c.item_id = id);
  UPDATE public.${changeTable} c SET
    values = jsonb_set(c.values, ARRAY[${literal(spec.name)}], ${linkedIds('i', field)}),
    previous = CASE WHEN c.action = 'updated' THEN jsonb_build_object(${literal(spec.name)}, was -> i.id::text) || coalesce(c.previous, '{}') END,
    labels = ${labels}
  FROM unnest(touched) AS i (id)
  WHERE c.at = now() AND c.written_by = own AND c.item_table = ${literal(spec.itemTable)} AND c.item_id = i.id
    AND c.action <> 'deleted' AND c.sequence = (
      SELECT max(x.sequence) FROM public.${changeTable} x
      WHERE x.at = now() AND x.written_by = own AND x.item_table = ${literal(spec.itemTable)} AND x.item_id = i.id);
  RETURN NULL;
END
`;
}
