import { quoteIdentifier, type ParameterValue } from '@gantry/core-database';
import { isGroup, type BoundCriterion } from '../query/criteria';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import { listColumn } from '../compile/tables';
import { largestLimit, type ListQuery, type Position, type Sort } from '../query/list-query';
import type { ListPath } from './list-path';
import type { Presentation } from './row-json';
import { rowsOf } from './rows';
import { conditionsOf, whereClause } from './where';

/** A list's statement; its text, which is long, is made only when it is not known by its shape. */
export interface ListStatement {
  /** The same for statements of the same text. */
  readonly shape: string;
  readonly toSql: () => string;
  readonly values: readonly ParameterValue[];
  /** Whether the best plan depends on the values. */
  readonly planForValues: boolean;
}

export interface ListStatementOptions {
  readonly query: ListQuery;
  readonly criteria: readonly BoundCriterion[];
  /** How the rows are found, so that one plan does for all values. */
  readonly path: ListPath | undefined;
}

/**
 * The page is found first, in index order and with one row to spare; only its rows are then presented. With criteria and no
 * path, or without an index that has the order, the best plan depends on the values.
 */
export function listStatement(
  type: ItemTypeDescriptor,
  name: string,
  row: Presentation,
  parts: ListStatementOptions,
): ListStatement {
  const { query, criteria, path } = parts;
  const { conditions, values } = conditionsOf(criteria);
  const planForValues = !query.sort.isIndexed || (criteria.length > 0 && path === undefined);
  return {
    shape: `list ${shapeOf(name, parts)}`,
    values: [...values, query.limit, ...positionValues(query)],
    planForValues,
    toSql() {
      const limit = `$${values.length + 1}::int`;
      const more = `${limit} + 1`;
      const page = { conditions, position: values.length + 2 };
      if (planForValues) return presented(row, query.sort, pageSql(type, query, { ...page, limit: more }), limit);
      const bound = longestPage(query);
      const found =
        path === undefined
          ? pageSql(type, query, { ...page, limit: bound })
          : pathSql(type, parts, path, { ...page, limit: bound });
      return presented(row, query.sort, cutSql(found, query.sort, more), limit);
    },
  };
}

/** Pages up to this length share a bound. */
const shortPage = 100;

/** Everything that the text of a statement depends on. No name of a type or field has a blank in it. */
function shapeOf(name: string, { query, criteria, path }: ListStatementOptions): string {
  const { sort, after } = query;
  const position =
    after === undefined ? 'start' : `${after.value === null} ${after.isCut === true} ${after.isWide === true}`;
  const compared = criteria.map(comparisonShape).join('');
  const way = path === undefined || path.kind === 'order' ? `${path?.kind}` : `${path.kind} ${path.criterion}`;
  return `${name} ${sort.name} ${sort.descending} ${longestPage(query)} ${position} ${way}${compared}`;
}

function comparisonShape(criterion: BoundCriterion): string {
  if (isGroup(criterion)) return ` ${criterion.holds} (${criterion.members.map(comparisonShape).join('')} )`;
  const { field, operator, own, via } = criterion;
  const name = via === undefined ? field.name : `${via.field.name}.${field.name}`;
  return ` ${name} ${own === undefined ? operator : `${own.name} ${own.variant ?? ''} ${own.value === undefined}`}`;
}

/**
 * A bound that a plan for any values can see. Left to the parameter alone, PostgreSQL expects a tenth of the table, and
 * reads whole tables to present it.
 */
function longestPage({ limit }: ListQuery): string {
  return limit <= shortPage ? String(shortPage + 1) : String(largestLimit + 1);
}

/** The number of a row, which the columns of the items precede: no field can have the name. */
const numberColumn = quoteIdentifier(listColumn);

/**
 * One row: the JSON array of the page, whether there are more rows, and the id and the value sorted by of the last row. The
 * spare row is not presented. One row with one text costs the host less than fifty.
 */
function presented(row: Presentation, sort: Sort, page: string, limit: string): string {
  const hasValue = sort.column !== '';
  const value = hasValue ? `, t.${quoteIdentifier(sort.column)}::text AS value` : '';
  const last = `FILTER (WHERE p.number = ${limit})`;
  const order = orderBy(sort);
  return (
    `SELECT '[' || coalesce(string_agg(p.json, ','), '') || ']', coalesce(bool_or(p.number > ${limit}), false),` +
    ` max(p.id) ${last}${hasValue ? `, max(p.value) ${last}` : ''}` +
    ` FROM (SELECT CASE WHEN t.${numberColumn} <= ${limit} THEN ${row.expression} END AS json, t.id, t.${numberColumn} AS number${value}` +
    ` FROM (SELECT t.*, row_number() OVER (${order}) AS ${numberColumn} FROM (${page}) t) t${row.joins} ${order}) p`
  );
}

function cutSql(rows: string, sort: Sort, limit: string): string {
  return `SELECT t.* FROM (${rows}) t ${orderBy(sort)} LIMIT ${limit}`;
}

/**
 * A page by a path. PostgreSQL uses no index for a condition that `IS TRUE`, and none for the order of a sum: what is left is the
 * path, whatever it expects of values that it does not know.
 */
function pathSql(
  type: ItemTypeDescriptor,
  { query, criteria }: ListStatementOptions,
  path: ListPath,
  parts: PageConditions,
): string {
  const table = `${rowsOf(type)} t`;
  const conditions = parts.conditions.map((condition, index) =>
    path.kind !== 'order' && index === path.criterion ? condition : `(${condition}) IS TRUE`,
  );
  if (path.kind !== 'range') {
    const where = whereClause([...conditions, ...behind(query, parts, 't.id')]);
    return `SELECT t.* FROM ${table}${where} ${orderBy(query.sort)} LIMIT ${parts.limit}`;
  }
  const unordered = 't.id + 0';
  const where = whereClause([...conditions, ...behind(query, parts, unordered)]);
  const sorted = `ORDER BY ${unordered} ${query.sort.descending ? 'DESC' : 'ASC'} LIMIT ${parts.limit}`;
  const isContains = criteria.some((one) => !isGroup(one) && one.via === undefined && one.operator === 'CONTAINS');
  if (conditions.length > 1 || isContains) return `SELECT t.* FROM ${table}${where} ${sorted}`;
  // The index has the ids: only the rows of the page are read from the table.
  const ids = cutSql(`SELECT t.id FROM ${table}${where} ${sorted}`, query.sort, `$${parts.position - 1}::int + 1`);
  return `SELECT t.* FROM (${ids}) k JOIN ${table} ON t.id = k.id`;
}

/** The condition of the rows behind the position of a list in the order of ids. */
function behind({ sort, after }: ListQuery, { position }: PageConditions, id: string): readonly string[] {
  return after === undefined ? [] : [`${id} ${sort.descending ? '<' : '>'} $${position}::bigint`];
}

interface PageConditions {
  readonly conditions: readonly string[];
  readonly limit: string;
  /** Number of the first parameter of the position. */
  readonly position: number;
}

function pageSql(type: ItemTypeDescriptor, query: ListQuery, { conditions, limit, position }: PageConditions): string {
  const select = (where: readonly string[]): string =>
    `SELECT t.* FROM ${rowsOf(type)} t${whereClause(where)} ${orderBy(query.sort)} LIMIT ${limit}`;
  if (query.after === undefined) return select(conditions);
  const branches = afterConditions(type, query.sort, query.after, position).map((after) =>
    select([...conditions, after]),
  );
  const [only] = branches;
  if (branches.length === 1 && only !== undefined) return only;
  return cutSql(branches.map((branch) => `(${branch})`).join(' UNION ALL '), query.sort, limit);
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
  const value = after.isCut
    ? wholeValue(type, sort, id, bound)
    : `${bound}::${after.isWide ? 'numeric' : sort.sqlType}`;
  const beyond = `(${column}, t.id) ${comparison} (${value}, ${id})`;
  return sort.nullable && !sort.descending ? [beyond, `${column} IS NULL`] : [beyond];
}

/** The values of the parameters of {@link afterConditions}. */
function positionValues({ sort, after }: ListQuery): readonly ParameterValue[] {
  if (after === undefined) return [];
  if (sort.column === '' || after.value === null) return [after.id];
  return [after.id, after.isCut ? cursorUpperBound(sort, after.value) : after.value];
}

/** The long text at a position; its beginning, should the row be gone. */
function wholeValue(type: ItemTypeDescriptor, sort: Sort, id: string, beginning: string): string {
  const column = quoteIdentifier(sort.column);
  return `coalesce((SELECT c.${column} FROM ${rowsOf(type)} c WHERE c.id = ${id}), ${beginning}::text)`;
}

/** A bound that leaves out no row behind a position whose text was cut, whatever followed its beginning. */
function cursorUpperBound(sort: Sort, beginning: string): string {
  return sort.descending ? `${beginning}\u{10FFFF}` : beginning;
}
