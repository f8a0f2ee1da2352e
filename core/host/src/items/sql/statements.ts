import { quoteIdentifier } from '../../database/identifiers';
import type { BoundCriterion } from '../criteria';
import type { FieldDescriptor, ItemTypeDescriptor } from '../descriptor';
import type { StoredValues } from '../payload';
import type { ListQuery, Position, Sort } from '../list-query';
import { insertStatement, storedFields } from './insert-statement';
import { presentRow, presentSearchResult, type FindType, type Presentation } from './row-json';
import { conditionsOf, whereClause } from './where';

/** A statement with its bound values. */
export interface ItemStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Whether the best plan depends on the values. */
  readonly planForValues: boolean;
}

/** The statements of one type, made from its descriptor; the constant parts once. */
export interface TypeStatements {
  /** Rows [JSON of the row, id, value sorted by (absent when that is the id)], up to one more than `limit`. */
  list(query: ListQuery, criteria: readonly BoundCriterion[]): ItemStatement;
  count(criteria: readonly BoundCriterion[]): ItemStatement;
  /** Rows of one column: the JSON of a search result, or of the whole row where a function maps it. */
  search(criteria: readonly BoundCriterion[], limit: number | undefined): ItemStatement;
  /** One row: [JSON of the row, version]. */
  get(id: string): ItemStatement;
  /** One row: [JSON of the row, version, id]. For types without MULTIPLE references. */
  insert(values: StoredValues): ItemStatement;
}

export function createStatements(
  type: ItemTypeDescriptor,
  fields: readonly FieldDescriptor[],
  findType: FindType,
): TypeStatements {
  const row = presentRow(fields, findType);
  const result = typeof type.searchResult === 'function' ? row : presentSearchResult(type, findType);
  const table = `${quoteIdentifier(type.table)} t`;
  const getText = `SELECT ${row.expression} AS json, t.version FROM ${table}${row.joins} WHERE t.id = $1`;
  const insertText = insertStatement(type, row);
  const stored = storedFields(type);
  return {
    list: (query, criteria) => listStatement(type, row, query, criteria),
    count(criteria) {
      const { conditions, values } = conditionsOf(criteria);
      return { sql: `SELECT count(*) FROM ${table}${whereClause(conditions)}`, values, planForValues: true };
    },
    search(criteria, limit) {
      const { conditions, values } = conditionsOf(criteria);
      const sql = `SELECT ${result.expression} FROM ${table}${result.joins}${whereClause(conditions)}`;
      return { sql: limit === undefined ? sql : `${sql} LIMIT ${limit}`, values, planForValues: true };
    },
    get: (id) => ({ sql: getText, values: [id], planForValues: false }),
    insert: (values) => ({
      sql: insertText,
      values: stored.map((field) => values.get(field.name) ?? null),
      planForValues: false,
    }),
  };
}

/** The page is found first, in index order and with one row to spare; only its rows are then presented. */
function listStatement(
  type: ItemTypeDescriptor,
  row: Presentation,
  query: ListQuery,
  criteria: readonly BoundCriterion[],
): ItemStatement {
  const { conditions, values: criteriaValues } = conditionsOf(criteria);
  const values: unknown[] = [...criteriaValues, query.limit];
  const page = pageSql(type, query, conditions, `$${values.length}`, values);
  const sortValue = query.sort.column === '' ? '' : `, t.${quoteIdentifier(query.sort.column)}::text`;
  const sql = `SELECT ${row.expression}, t.id${sortValue} FROM (${page}) t${row.joins} ${orderBy(query.sort)}`;
  return { sql, values, planForValues: criteria.length > 0 };
}

function pageSql(
  type: ItemTypeDescriptor,
  query: ListQuery,
  conditions: readonly string[],
  limit: string,
  values: unknown[],
): string {
  const select = (where: readonly string[]): string =>
    `SELECT t.* FROM ${quoteIdentifier(type.table)} t${whereClause(where)} ${orderBy(query.sort)} LIMIT ${limit}::int + 1`;
  if (query.after === undefined) return select(conditions);
  const branches = afterConditions(type, query.sort, query.after, values).map((after) =>
    select([...conditions, after]),
  );
  const [only] = branches;
  if (branches.length === 1 && only !== undefined) return only;
  const union = branches.map((branch) => `(${branch})`).join(' UNION ALL ');
  return `SELECT t.* FROM (${union}) t ${orderBy(query.sort)} LIMIT ${limit}::int + 1`;
}

/** PostgreSQL's own order, which its indexes have: nulls are greater than every value. */
function orderBy(sort: Sort): string {
  const direction = sort.descending ? 'DESC' : 'ASC';
  const byId = `t.id ${direction}`;
  return `ORDER BY ${sort.column === '' ? byId : `t.${quoteIdentifier(sort.column)} ${direction}, ${byId}`}`;
}

/** Conditions of the rows behind a position; two where nulls follow the values, so that each walks the index. */
function afterConditions(type: ItemTypeDescriptor, sort: Sort, after: Position, values: unknown[]): readonly string[] {
  const comparison = sort.descending ? '<' : '>';
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const id = `${bind(after.id)}::bigint`;
  if (sort.column === '') return [`t.id ${comparison} ${id}`];
  const column = `t.${quoteIdentifier(sort.column)}`;
  if (after.value === null) {
    const restOfNulls = `${column} IS NULL AND t.id ${comparison} ${id}`;
    return sort.descending ? [restOfNulls, `${column} IS NOT NULL`] : [restOfNulls];
  }
  const value = after.isCut
    ? wholeValue(type, sort, id, bind(farthest(sort, after.value)))
    : `${bind(after.value)}::${sort.sqlType}`;
  const behind = `(${column}, t.id) ${comparison} (${value}, ${id})`;
  return sort.nullable && !sort.descending ? [behind, `${column} IS NULL`] : [behind];
}

/** The long text at a position; its beginning, should the row be gone. */
function wholeValue(type: ItemTypeDescriptor, sort: Sort, id: string, beginning: string): string {
  const column = quoteIdentifier(sort.column);
  return `coalesce((SELECT c.${column} FROM ${quoteIdentifier(type.table)} c WHERE c.id = ${id}), ${beginning}::text)`;
}

/** A text from which nothing behind the cut position is left out, whatever followed the beginning. */
function farthest(sort: Sort, beginning: string): string {
  return sort.descending ? `${beginning}\u{10FFFF}` : beginning;
}
