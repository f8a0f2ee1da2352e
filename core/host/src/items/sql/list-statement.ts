import { quoteIdentifier } from '../../database/identifiers';
import type { BoundCriterion } from '../criteria';
import type { ItemTypeDescriptor } from '../descriptor';
import { largestLimit, type ListQuery, type Position, type Sort } from '../list-query';
import type { Presentation } from './row-json';
import { conditionsOf, whereClause } from './where';

/** A list's statement; its text, which is long, is made only when it is not known by its shape. */
export interface ListStatement {
  /** The same for statements of the same text. */
  readonly shape: string;
  readonly toSql: () => string;
  readonly values: readonly unknown[];
  /** Whether the best plan depends on the values. */
  readonly planForValues: boolean;
}

/**
 * The page is found first, in index order and with one row to spare; only its rows are then presented. With criteria, or
 * without an index that has the order, the best plan depends on the values.
 */
export function listStatement(
  type: ItemTypeDescriptor,
  row: Presentation,
  query: ListQuery,
  criteria: readonly BoundCriterion[],
): ListStatement {
  const planForValues = criteria.length > 0 || !query.sort.isIndexed;
  const { conditions, values } = conditionsOf(criteria);
  return {
    shape: `list ${shapeOf(type, query, criteria)}`,
    values: [...values, query.limit, ...positionValues(query)],
    planForValues,
    toSql() {
      const parts = { conditions, position: criteria.length + 2 };
      const limit = limitSql(criteria);
      const page = planForValues
        ? pageSql(type, query, { ...parts, limit })
        : cutSql(pageSql(type, query, { ...parts, limit: longestPage(query) }), [], query.sort, limit);
      return presented(row, query.sort, page);
    },
  };
}

/** Rows that a nearby list looks through; at a million rows it costs less than planning for the values does. */
const nearbyRows = 500;

/** Pages up to this long are worth looking for nearby. */
const longestNearbyPage = 100;

/**
 * The same page, looked for only among the rows that come first in the order of ids: where enough of them meet the
 * criteria, one plan for any values is as good as any. Undefined where looking costs more than a comparison of short
 * values, or cannot be hoped to succeed.
 */
export function nearbyListStatement(
  type: ItemTypeDescriptor,
  row: Presentation,
  query: ListQuery,
  criteria: readonly BoundCriterion[],
): ListStatement | undefined {
  const isById = query.sort.column === '';
  if (!isById || query.limit > longestNearbyPage || criteria.length === 0 || !criteria.every(isShort)) return undefined;
  const { conditions, values } = conditionsOf(criteria);
  return {
    shape: `nearby ${shapeOf(type, query, criteria)}`,
    values: [...values, query.limit, ...positionValues(query)],
    planForValues: false,
    toSql() {
      const parts = { conditions: [], position: criteria.length + 2, limit: String(nearbyRows) };
      const page = cutSql(pageSql(type, query, parts), conditions, query.sort, limitSql(criteria));
      return presented(row, query.sort, page);
    },
  };
}

/** Everything that the text of a statement depends on. No code or name of a field has a blank in it. */
function shapeOf(type: ItemTypeDescriptor, query: ListQuery, criteria: readonly BoundCriterion[]): string {
  const { sort, after } = query;
  const position = after === undefined ? 'start' : `${after.value === null} ${after.isCut === true}`;
  const compared = criteria.map(({ field, operator }) => ` ${field.name} ${operator}`).join('');
  return `${type.code} ${sort.name} ${sort.descending} ${longestPage(query)} ${position}${compared}`;
}

/** The limit is bound behind the values of the criteria, and what belongs to the position behind it. */
function limitSql(criteria: readonly BoundCriterion[]): string {
  return `$${criteria.length + 1}::int + 1`;
}

const longKinds: ReadonlySet<string> = new Set(['text', 'image', 'references']);

function isShort({ field, operator }: BoundCriterion): boolean {
  return operator !== 'CONTAINS' && field.name !== 'id' && !longKinds.has(field.kind);
}

/**
 * A bound that a plan for any values can see. Left to the parameter alone, PostgreSQL expects a tenth of the table, and
 * so plans every request anew.
 */
function longestPage({ limit }: ListQuery): string {
  return limit <= longestNearbyPage ? String(longestNearbyPage + 1) : String(largestLimit + 1);
}

function presented(row: Presentation, sort: Sort, page: string): string {
  const sortValue = sort.column === '' ? '' : `, t.${quoteIdentifier(sort.column)}::text`;
  return `SELECT ${row.expression}, t.id${sortValue} FROM (${page}) t${row.joins} ${orderBy(sort)}`;
}

function cutSql(rows: string, conditions: readonly string[], sort: Sort, limit: string): string {
  return `SELECT t.* FROM (${rows}) t${whereClause(conditions)} ${orderBy(sort)} LIMIT ${limit}`;
}

interface PageParts {
  readonly conditions: readonly string[];
  readonly limit: string;
  /** Number of the first parameter of the position. */
  readonly position: number;
}

function pageSql(type: ItemTypeDescriptor, query: ListQuery, { conditions, limit, position }: PageParts): string {
  const select = (where: readonly string[]): string =>
    `SELECT t.* FROM ${quoteIdentifier(type.table)} t${whereClause(where)} ${orderBy(query.sort)} LIMIT ${limit}`;
  if (query.after === undefined) return select(conditions);
  const branches = afterConditions(type, query.sort, query.after, position).map((after) =>
    select([...conditions, after]),
  );
  const [only] = branches;
  if (branches.length === 1 && only !== undefined) return only;
  return cutSql(branches.map((branch) => `(${branch})`).join(' UNION ALL '), [], query.sort, limit);
}

/** PostgreSQL's own order, which its indexes have: nulls are greater than every value. */
function orderBy(sort: Sort): string {
  const direction = sort.descending ? 'DESC' : 'ASC';
  const byId = `t.id ${direction}`;
  return `ORDER BY ${sort.column === '' ? byId : `t.${quoteIdentifier(sort.column)} ${direction}, ${byId}`}`;
}

/** Conditions of the rows behind a position; two where nulls follow the values, so that each walks the index. */
function afterConditions(type: ItemTypeDescriptor, sort: Sort, after: Position, parameter: number): readonly string[] {
  const comparison = sort.descending ? '<' : '>';
  const id = `$${parameter}::bigint`;
  if (sort.column === '') return [`t.id ${comparison} ${id}`];
  const column = `t.${quoteIdentifier(sort.column)}`;
  if (after.value === null) {
    const restOfNulls = `${column} IS NULL AND t.id ${comparison} ${id}`;
    return sort.descending ? [restOfNulls, `${column} IS NOT NULL`] : [restOfNulls];
  }
  const bound = `$${parameter + 1}`;
  const value = after.isCut ? wholeValue(type, sort, id, bound) : `${bound}::${sort.sqlType}`;
  const behind = `(${column}, t.id) ${comparison} (${value}, ${id})`;
  return sort.nullable && !sort.descending ? [behind, `${column} IS NULL`] : [behind];
}

/** What {@link afterConditions} refers to. */
function positionValues({ sort, after }: ListQuery): readonly unknown[] {
  if (after === undefined) return [];
  if (sort.column === '' || after.value === null) return [after.id];
  return [after.id, after.isCut ? farthest(sort, after.value) : after.value];
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
