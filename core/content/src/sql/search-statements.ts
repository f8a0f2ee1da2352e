import { escapePattern } from '@gantry/plugin-api';
import {
  codeKey,
  labelKey,
  quoteIdentifier,
  searchedText,
  type FrequentStatement,
  type TextRow,
} from '@gantry/core-database';
import { codeFieldOf, labelFieldsOf } from '../compile/label-fields';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { searchTextCriterion, type SearchText } from '../query/search-text';
import { rowsOf } from './rows';
import { conditionsOf } from './where';

/**
 * Statements of the search across types. All give rows of [table, id, code, label]: at most {@link found} of each table, by rank
 * (the id; codes that begin with the text; labels that do; the other matches), then by code or label, then by id.
 */

/** Of each table: one more than is shown, which says that there are more. */
export const found = 6;

/** With more matches, only so many are read and sorted. */
export const maxSorted = 200;

/** Entries of a table that are looked through for a text that many entries of other tables have. */
const maxLookedThrough = 1_000;

type Search = Omit<FrequentStatement, 'name'>;

/**
 * The matches by the trigram index, {@link maxSorted} + 1 at most, and the item with the id, in any order. Rows have three more
 * columns: whether the text is in it (`t` or `f`), its rank, and what it is sorted by within the rank. They are sorted by
 * {@link firstOfEachTable}: PostgreSQL takes longer to plan a sort for each search than to find a few matches.
 */
export function searchMatches(tables: readonly string[], { text, id }: SearchText): Search {
  const byId =
    id === undefined
      ? ''
      : ` UNION ALL
  SELECT s.item_table, s.item_id, s.code, s.label, false FROM gantry_search s
  WHERE s.item_id = $4::bigint AND s.item_table = ANY ($1::text[]) AND NOT ${searchedText} ILIKE $2`;
  const isItem = id === undefined ? '' : 'WHEN s.item_id = $4::bigint THEN 0 ';
  const sql = `
WITH matches AS MATERIALIZED (
  SELECT s.item_table, s.item_id, s.code, s.label, true AS is_match FROM gantry_search s
  WHERE ${searchedText} ILIKE $2 AND s.item_table = ANY ($1::text[])),
found AS (
  (SELECT * FROM matches LIMIT ${maxSorted + 1})${byId}),
ranked AS (
  SELECT s.*, CASE ${isItem}WHEN starts_with(${codeKey}, lower($3)) THEN 1 WHEN starts_with(${labelKey}, lower($3)) THEN 2 ELSE 3 END AS rank
  FROM found s OFFSET 0)
SELECT s.item_table, s.item_id, s.code, s.label, s.is_match, s.rank,
  CASE s.rank WHEN 0 THEN NULL WHEN 1 THEN ${codeKey} ELSE ${labelKey} END FROM ranked s`;
  const values = [arrayText(tables), `%${escapePattern(text)}%`, text, ...(id === undefined ? [] : [id])];
  return { sql, values, planForValues: true };
}

/** How many rows of {@link searchMatches} have the text. */
export function countMatches(rows: readonly TextRow[]): number {
  return rows.filter(([, , , , isMatch]) => isMatch === 't').length;
}

/** The first rows of each table in the result of {@link searchMatches}, as the other statements give them. */
export function firstOfEachTable(rows: readonly TextRow[]): readonly TextRow[] {
  const counts = new Map<string, number>();
  const sorted = rows.map(rankedRow).toSorted(compareRanked);
  return sorted.flatMap(({ row }) => {
    const table = row[0] ?? '';
    const count = (counts.get(table) ?? 0) + 1;
    counts.set(table, count);
    return count > found ? [] : [row];
  });
}

interface RankedRow {
  readonly row: TextRow;
  readonly rank: string;
  readonly key: string;
  readonly id: string;
}

function rankedRow(row: TextRow): RankedRow {
  const [, id, , , , rank, key] = row;
  return { row, rank: rank ?? '', key: key == null ? last : byCodePoint(key), id: id ?? '' };
}

/** No text in the order of {@link byCodePoint} comes after it: what is missing comes last. */
const last = '\uffff';

function compareRanked(left: RankedRow, right: RankedRow): number {
  return (
    compareTexts(left.rank, right.rank) ||
    compareTexts(left.key, right.key) ||
    left.id.length - right.id.length ||
    compareTexts(left.id, right.id)
  );
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** A text that compares as the collation "C" does: by code points, where JavaScript compares halves of surrogate pairs. */
function byCodePoint(text: string): string {
  return text.replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}

/**
 * Entries that an index has in order: ids, and codes and labels that begin with the text. Of the tables to look through also those of the
 * first entries that have it anywhere.
 */
export function searchInOrder(
  tables: readonly string[],
  { text, id }: SearchText,
  lookedThrough: readonly string[] = [],
): Search {
  const entry = 'SELECT s.item_id, s.code, s.label FROM gantry_search s WHERE s.item_table = w.item_table';
  const begins = (key: string, limit: number): string =>
    `(${entry} AND ${key} >= lower($2) COLLATE "C" AND ${key} < lower($2) || U&'\\+10FFFF' COLLATE "C" ORDER BY ${key}, s.item_id LIMIT ${limit})`;
  // Entries that an earlier part has given are given again; each part is long enough without them.
  const parts = [
    `(${entry} AND s.item_id = $3::bigint)`,
    begins(codeKey, found + 1),
    begins(labelKey, 2 * found),
    `(SELECT * FROM (${entry} AND w.item_table = ANY ($5::text[]) ORDER BY ${labelKey}, s.item_id LIMIT ${maxLookedThrough}) s WHERE ${searchedText} ILIKE $4 LIMIT ${2 * found})`,
  ];
  const sql = `
SELECT w.item_table, h.item_id, h.code, h.label
FROM unnest($1::text[]) WITH ORDINALITY w (item_table, position) CROSS JOIN LATERAL (
  SELECT p.*, row_number() OVER () AS number FROM (${parts.join(' UNION ALL ')}) p LIMIT ${4 * found}) h
ORDER BY w.position, h.number`;
  const values = [arrayText(tables), text, id ?? null, `%${escapePattern(text)}%`, arrayText(lookedThrough)];
  return { sql, values, planForValues: false };
}

/** Matches of a type by the label fields that are visible, for one that has others as well. */
export function searchVisible(type: ItemTypeDescriptor, search: SearchText): Search {
  const { conditions, values } = conditionsOf([searchTextCriterion(type, search)]);
  const code = codeFieldOf(type);
  const label = labelFieldsOf(type).filter((field) => field !== code);
  const sql = `
SELECT '', s.item_id, s.code, s.label FROM (
  SELECT t.id AS item_id, ${textOf(code)} AS code, nullif(concat_ws(chr(31), ${['NULL', ...label.map(textOf)].join(', ')}), '') AS label
  FROM ${rowsOf(type)} t WHERE ${conditions.join(' AND ')}) s
ORDER BY CASE WHEN s.item_id = $3::bigint THEN 0 WHEN starts_with(${codeKey}, lower($2)) THEN 1
    WHEN starts_with(${labelKey}, lower($2)) THEN 2 ELSE 3 END,
  CASE WHEN starts_with(${codeKey}, lower($2)) THEN ${codeKey} ELSE ${labelKey} END, s.item_id
LIMIT ${found}`;
  return { sql, values: [...values, search.text, search.id ?? null], planForValues: true };
}

function textOf(field: FieldDescriptor | undefined): string {
  return field === undefined ? 'NULL::text' : `nullif(t.${quoteIdentifier(field.column)}::text, '')`;
}

/** An array as PostgreSQL reads it. */
function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}
