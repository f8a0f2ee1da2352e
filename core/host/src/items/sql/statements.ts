import { quoteIdentifier } from '../../database/identifiers';
import type { BoundCriterion } from '../criteria';
import type { FieldDescriptor, ItemTypeDescriptor } from '../descriptor';
import type { ListQuery, Position, Sort } from '../list-query';
import { presentRow, presentSearchResult, type FindType, type Presentation } from './row-json';
import { conditionsOf, whereClause } from './where';

/** A statement with its bound values; `prepared` where PostgreSQL should keep the plan. */
export interface ItemStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly prepared: boolean;
}

/** The statements of one type, made from its descriptor; the constant parts once. */
export interface TypeStatements {
  /** One row: [JSON of the rows, number found, sort value and id of the last row], one more than `limit` is looked for. */
  list(query: ListQuery, criteria: readonly BoundCriterion[]): ItemStatement;
  count(criteria: readonly BoundCriterion[]): ItemStatement;
  /** Rows of one column: the JSON of a search result, or of the whole row where a function maps it. */
  search(criteria: readonly BoundCriterion[], limit: number | undefined): ItemStatement;
  /** One row: [JSON of the row, version]. */
  get(id: string): ItemStatement;
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
  return {
    list: (query, criteria) => listStatement(type, row, query, criteria),
    count(criteria) {
      const { conditions, values } = conditionsOf(criteria);
      return { sql: `SELECT count(*) FROM ${table}${whereClause(conditions)}`, values, prepared: false };
    },
    search(criteria, limit) {
      const { conditions, values } = conditionsOf(criteria);
      const sql = `SELECT ${result.expression} FROM ${table}${result.joins}${whereClause(conditions)}`;
      return { sql: limit === undefined ? sql : `${sql} LIMIT ${limit}`, values, prepared: false };
    },
    get: (id) => ({ sql: getText, values: [id], prepared: true }),
  };
}

/**
 * The page is found first, in index order and with one row to spare; only its rows are then presented.
 * Without criteria the statement is prepared. With criteria it is planned for its values each time: a generic
 * plan would not use the trigram index, and would guess wrongly how many rows a comparison finds.
 */
function listStatement(type: ItemTypeDescriptor, row: Presentation, query: ListQuery, criteria: readonly BoundCriterion[]): ItemStatement {
  const { conditions, values: criteriaValues } = conditionsOf(criteria);
  const limit = `$${criteriaValues.length + 1}`;
  const values: unknown[] = [...criteriaValues, query.limit];
  const page = pageSql(type, query, conditions, limit, values);
  const sortValue = query.sort.column === '' ? 't.id' : `t.${quoteIdentifier(query.sort.column)}`;
  const sql =
    `SELECT string_agg(p.j, ',') FILTER (WHERE p.n <= ${limit}::int), count(*)::int,` +
    ` max(p.s) FILTER (WHERE p.n = ${limit}::int), max(p.i) FILTER (WHERE p.n = ${limit}::int) FROM (` +
    `SELECT ${row.expression} AS j, row_number() OVER (${orderBy(query.sort)}) AS n, ${sortValue}::text AS s, t.id AS i` +
    ` FROM (${page}) t${row.joins} ${orderBy(query.sort)}) p`;
  return { sql, values, prepared: criteria.length === 0 };
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
  const branches = afterConditions(query.sort, query.after, values).map((after) => select([...conditions, after]));
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
function afterConditions(sort: Sort, after: Position, values: unknown[]): readonly string[] {
  const comparison = sort.descending ? '<' : '>';
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const id = `${bind(after.id)}::bigint`;
  if (sort.column === '') return [`t.id ${comparison} ${id}`];
  const column = `t.${quoteIdentifier(sort.column)}`;
  if (after.value === null) {
    const restOfNulls = `${column} IS NULL AND t.id ${comparison} ${id}`;
    return sort.descending ? [restOfNulls, `${column} IS NOT NULL`] : [restOfNulls];
  }
  const behind = `(${column}, t.id) ${comparison} (${bind(after.value)}::${sort.sqlType}, ${id})`;
  return sort.nullable && !sort.descending ? [behind, `${column} IS NULL`] : [behind];
}
