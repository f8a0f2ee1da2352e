import { identifier, literal, quoteIdentifier } from '../identifiers';
import type { SearchSpec } from '../table-spec';

/**
 * SQL of the search table: one entry for each item of every table with a {@link SearchSpec}, kept by triggers in the transaction
 * of the item. Statements of this file qualify every name, because triggers run with the search path of the writer.
 */

/** Separates the texts of several label fields in an entry; no text of one line has it. */
export const labelSeparator = '\u001f';

/** Characters of each text that an entry keeps. */
const longestText = 1_000;

/** Characters of a code or label that exact and prefix look-ups compare. */
const longestKey = 200;

/** The expression by which the indexes find the codes of an entry. */
export const codeKey = `(lower(left(code, ${longestKey})) COLLATE "C")`;

/** The same of labels. */
export const labelKey = `(lower(left(label, ${longestKey})) COLLATE "C")`;

/** The expression of the trigram index: one scan finds labels and codes. */
export const searchedText = `(coalesce(label, '') || chr(31) || coalesce(code, ''))`;

/** Set on connections of migrations, whose tables are read again afterwards: meanwhile columns may be missing. */
export const migratingSetting = 'gantry.is_migrating';

const removeFunction = 'gantry_search_remove';

/** Body of the function that all tables share; a change of it is applied at the next start. */
const removeSource = `
#variable_conflict use_variable
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.gantry_search WHERE item_table = TG_TABLE_NAME;
  ELSE
    DELETE FROM public.gantry_search s USING removed r WHERE s.item_id = r.id AND s.item_table = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END
`;

/** Creates what all tables share, without the trigram index. */
export const createSearchTables = [
  `CREATE TABLE IF NOT EXISTS public.gantry_search (
  item_table text NOT NULL, item_id bigint NOT NULL, code text, label text, PRIMARY KEY (item_id, item_table))`,
  `CREATE TABLE IF NOT EXISTS public.gantry_search_tables (item_table text PRIMARY KEY, is_complete boolean NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS gantry_search_code_idx ON public.gantry_search (item_table, ${codeKey}, item_id)`,
  `CREATE INDEX IF NOT EXISTS gantry_search_label_idx ON public.gantry_search (item_table, ${labelKey}, item_id)`,
  createFunction(removeFunction, removeSource),
].join(';\n');

export const searchTrigrams = 'gantry_search_text_trgm';

/** @param trigramSchema schema of the extension that brings the operator class */
export function createSearchTrigrams(trigramSchema: string): string {
  const operatorClass = `${quoteIdentifier(trigramSchema)}.gin_trgm_ops`;
  return `CREATE INDEX IF NOT EXISTS ${searchTrigrams} ON public.gantry_search USING gin (${searchedText} ${operatorClass})`;
}

/** Name of the function of the triggers of a table. */
export function searchFunction(table: string): string {
  return identifier('gantry_search', table);
}

/** Creates the triggers of a table, or replaces those of an earlier rule, and marks its entries as incomplete. */
export function createSearchTriggers(table: string, spec: SearchSpec): string {
  const target = `public.${quoteIdentifier(table)}`;
  const save = searchFunction(table);
  return [
    createFunction(save, saveSource(table, spec)),
    `CREATE OR REPLACE TRIGGER gantry_search_insert AFTER INSERT ON ${target} REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.${quoteIdentifier(save)}()`,
    // A statement-level trigger would collect the rows of every update; this one compares, and mostly does nothing.
    `CREATE OR REPLACE TRIGGER gantry_search_update AFTER UPDATE ON ${target} FOR EACH ROW EXECUTE FUNCTION public.${quoteIdentifier(save)}()`,
    `CREATE OR REPLACE TRIGGER gantry_search_delete AFTER DELETE ON ${target} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.${removeFunction}()`,
    `CREATE OR REPLACE TRIGGER gantry_search_truncate AFTER TRUNCATE ON ${target} FOR EACH STATEMENT EXECUTE FUNCTION public.${removeFunction}()`,
    `INSERT INTO public.gantry_search_tables (item_table, is_complete) VALUES (${literal(table)}, false) ON CONFLICT (item_table) DO UPDATE SET is_complete = false`,
  ].join(';\n');
}

/** The triggers of a table and the sources of their functions, as {@link createSearchTriggers} makes them. */
export function searchTriggers(table: string, spec: SearchSpec): ReadonlyMap<string, string> {
  const save = saveSource(table, spec);
  return new Map([
    ['gantry_search_insert', save],
    ['gantry_search_update', save],
    ['gantry_search_delete', removeSource],
    ['gantry_search_truncate', removeSource],
  ]);
}

/**
 * Writes the entries of the next items. Parameters: the id before them, and how many. One row: [the last id, how many]. The rows
 * stay locked until their entries are committed, so that no change of an item falls between reading and writing.
 */
export function fillStatement(table: string, spec: SearchSpec): string {
  return (
    `WITH batch AS MATERIALIZED (SELECT i.id, ${codeOf('i', spec)} AS code, ${labelOf('i', spec)} AS label` +
    ` FROM public.${quoteIdentifier(table)} i WHERE i.id > $1::bigint ORDER BY i.id LIMIT $2::int FOR SHARE),` +
    ` written AS (${insertEntries(table, 'SELECT id, code, label FROM batch')}` +
    ` WHERE (s.code, s.label) IS DISTINCT FROM (EXCLUDED.code, EXCLUDED.label))` +
    ` SELECT max(id)::text, count(*)::int FROM batch`
  );
}

/** Deletes entries of items that do not exist. */
export function removeOrphansStatement(table: string): string {
  return (
    `DELETE FROM public.gantry_search s WHERE s.item_table = ${literal(table)}` +
    ` AND NOT EXISTS (SELECT FROM public.${quoteIdentifier(table)} i WHERE i.id = s.item_id)`
  );
}

function createFunction(name: string, source: string): string {
  // With the rights of the owner, so that a role that may write to one table needs none on the entries of all.
  return (
    `CREATE OR REPLACE FUNCTION public.${quoteIdentifier(name)}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER` +
    ` SET search_path = pg_catalog, pg_temp AS $gantry$${source}$gantry$`
  );
}

function saveSource(table: string, spec: SearchSpec): string {
  const columns = ['id', ...spec.label, ...(spec.code === undefined ? [] : [spec.code])].map(quoteIdentifier);
  const isSame = columns.map((column) => `OLD.${column} IS NOT DISTINCT FROM NEW.${column}`).join(' AND ');
  return `
BEGIN
  IF coalesce(current_setting('${migratingSetting}', true), '') <> '' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' THEN
    IF ${isSame} THEN RETURN NULL; END IF;
    IF OLD.id <> NEW.id THEN
      DELETE FROM public.gantry_search WHERE item_id = OLD.id AND item_table = ${literal(table)};
    END IF;
    ${insertEntries(table, `VALUES (NEW.id, ${codeOf('NEW', spec)}, ${labelOf('NEW', spec)})`)};
  ELSE
    ${insertEntries(table, `SELECT i.id, ${codeOf('i', spec)}, ${labelOf('i', spec)} FROM added i`)};
  END IF;
  RETURN NULL;
END
`;
}

function insertEntries(table: string, rows: string): string {
  return (
    `INSERT INTO public.gantry_search AS s (item_table, item_id, code, label)` +
    ` SELECT ${literal(table)}, e.id, e.code, e.label FROM (${rows}) AS e (id, code, label)` +
    ` ON CONFLICT (item_id, item_table) DO UPDATE SET code = EXCLUDED.code, label = EXCLUDED.label`
  );
}

function codeOf(row: string, { code }: SearchSpec): string {
  return code === undefined ? 'NULL::text' : shortText(row, code);
}

function labelOf(row: string, { label }: SearchSpec): string {
  if (label.length === 0) return 'NULL::text';
  const texts = label.map((column) => shortText(row, column));
  return texts.length === 1 ? String(texts[0]) : `nullif(concat_ws(chr(31), ${texts.join(', ')}), '')`;
}

function shortText(row: string, column: string): string {
  return `nullif(left(${row}.${quoteIdentifier(column)}::text, ${longestText}), '')`;
}
