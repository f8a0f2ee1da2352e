import { originSetting, quoteIdentifier, type ParameterValue } from '@gantry/core-database';
import { isUniqueKey, type BoundCriterion } from '../query/criteria';
import { storedFields } from '../compile/author-fields';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValue, StoredValues } from '../kinds/field-kind';
import { listStatement, type ListStatementOptions, type ListStatement } from './list-statement';
import { rowsOf } from './rows';
import { presentRow, presentSearchResult, type FindType, type Presentation } from './row-json';
import { conditionsOf, whereClause, type BoundConditions } from './where';

/** A statement with its bound values. */
export interface ItemStatement {
  readonly sql: string;
  readonly values: readonly ParameterValue[];
  /** Whether the best plan depends on the values. */
  readonly planForValues: boolean;
}

/** How items are locked: others may refer to them at the same time, or not. */
export type RowLock = 'NO KEY UPDATE' | 'UPDATE';

/** Where a page of search results begins, and how many it has at most. */
export interface SearchPage {
  /** Id of the last result before it. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** The one item that has the id, and one of the versions where they are given; or that meets the criteria, which are about a unique key. */
export type ChosenItem =
  | { readonly id: string; readonly versions?: readonly string[] | undefined }
  | readonly BoundCriterion[];

/** The statements of one type, made from its descriptor; the constant parts once. */
export interface TypeStatements {
  /** One row: [JSON of the rows, whether there are more, id of the last, value sorted by of the last (absent for the id)]. */
  list(parts: ListStatementOptions): ListStatement;
  /** @param max counts no further */
  count(criteria: readonly BoundCriterion[], max?: number): ItemStatement;
  /**
   * The next results in the order of ids. One row: [JSON of the results with commas, or of whole rows where a function maps them
   * (null for none); how many; id of the last].
   */
  search(criteria: readonly BoundCriterion[], page: SearchPage): ItemStatement;
  /** One row: [JSON of the row, version]. */
  get(id: string): ItemStatement;
  /** The first in the order of ids. One row: [JSON of the row, version]. */
  find(criteria: readonly BoundCriterion[]): ItemStatement;
  /** Locks the items that meet the criteria until the end of the transaction. Rows: [id, version], in the order of ids. */
  lock(criteria: readonly BoundCriterion[], lock: RowLock, limit: number): ItemStatement;
  /**
   * One row: [JSON of the row, version, id]. For types without MULTIPLE references.
   * @param origin of the change
   * @param unlessKey nothing happens when there is an item with the same values in these fields, which are unique together
   */
  insert(values: StoredValues, origin: string, unlessKey?: readonly FieldDescriptor[]): ItemStatement;
  /** Changes an item if it has other values. One row: [JSON of the row, version, id]. */
  update(chosen: ChosenItem, values: StoredValues, origin: string): ItemStatement;
}

/** @param name identifies the type and its policy in the shapes of its statements */
export function createStatements(
  { descriptor: type, stored: whole = type }: CompiledItemType,
  name: string,
  findType: FindType,
): TypeStatements {
  const row = presentRow(type, findType);
  const result = typeof type.searchResult === 'function' ? row : presentSearchResult(type, findType);
  const table = `${rowsOf(type)} t`;
  const getText = `SELECT ${row.expression} AS json, t.version FROM ${table}${row.joins} WHERE t.id = $1`;
  const insertText = insertStatement(whole, row);
  const stored = storedFields(whole);
  return {
    list: (parts) => listStatement(type, name, row, parts),
    count: (criteria, max) => countStatement(table, criteria, max),
    search: (criteria, page) => searchStatement(table, result, criteria, page),
    get: (id) => ({ sql: getText, values: [id], planForValues: false }),
    find(criteria) {
      const { conditions, values } = conditionsOf(criteria);
      const first = `SELECT t.* FROM ${table}${whereClause(conditions)} ORDER BY t.id LIMIT 1`;
      return {
        sql: `SELECT ${row.expression}, t.version FROM (${first}) t${row.joins}`,
        values,
        planForValues: !isUniqueKey(type, criteria),
      };
    },
    lock(criteria, lock, limit) {
      const { conditions, values } = conditionsOf(criteria);
      const sql = `SELECT t.id, t.version FROM ${table}${whereClause(conditions)} ORDER BY t.id LIMIT $${values.length + 1} FOR ${lock} OF t`;
      return { sql, values: [...values, limit], planForValues: true };
    },
    insert: (values, origin, unlessKey) => ({
      sql: unlessKey === undefined ? insertText : insertStatement(whole, row, unlessKey),
      values: [...stored.map((field) => columnValue(values.get(field.name))), origin],
      planForValues: false,
    }),
    update: (chosen, values, origin) => updateStatement(type, row, chosen, values, origin),
  };
}

function countStatement(table: string, criteria: readonly BoundCriterion[], max: number | undefined): ItemStatement {
  const { conditions, values } = conditionsOf(criteria);
  const matches = `${table}${whereClause(conditions)}`;
  const counted = max === undefined ? matches : `(SELECT FROM ${matches} LIMIT ${max}) t`;
  return { sql: `SELECT count(*) FROM ${counted}`, values, planForValues: true };
}

function searchStatement(
  table: string,
  result: Presentation,
  criteria: readonly BoundCriterion[],
  { after, limit }: SearchPage,
): ItemStatement {
  const { conditions, values } = conditionsOf(criteria);
  const behind = after === undefined ? [] : [`t.id > $${values.length + 2}::bigint`];
  const page = `SELECT t.* FROM ${table}${whereClause([...conditions, ...behind])} ORDER BY t.id LIMIT $${values.length + 1}`;
  const sql =
    `SELECT string_agg(p.json, ','), count(*), max(p.id) FROM` +
    ` (SELECT ${result.expression} AS json, t.id FROM (${page}) t${result.joins} ORDER BY t.id) p`;
  return { sql, values: [...values, limit, ...(after === undefined ? [] : [after])], planForValues: true };
}

/**
 * Creates an item and gives its row, in one statement and so in one transaction. Parameters: the values of the fields
 * with a column, in order, and the origin of the change. One row: [JSON of the row, version, id]; none when there is an item with the same key.
 */
function insertStatement(
  type: ItemTypeDescriptor,
  row: Presentation,
  unlessKey: readonly FieldDescriptor[] = [],
): string {
  const stored = storedFields(type);
  const columns = [...stored.map((field) => quoteIdentifier(field.column)), 'created_at', 'updated_at'];
  const values = [...stored.map((field, index) => `$${index + 1}::${field.columnType}`), 'now()', 'now()'];
  const key = unlessKey.map(({ column }) => quoteIdentifier(column)).join(', ');
  const unless = key === '' ? '' : ` ON CONFLICT (${key}) DO NOTHING`;
  return (
    `WITH ${originOf(`$${stored.length + 1}`)}, t AS (INSERT INTO ${quoteIdentifier(type.table)} (${columns.join(', ')})` +
    ` SELECT ${values.join(', ')} FROM o${unless} RETURNING *)` +
    ` SELECT ${row.expression}, t.version, t.id FROM t${row.joins}`
  );
}

function updateStatement(
  type: ItemTypeDescriptor,
  row: Presentation,
  chosen: ChosenItem,
  values: StoredValues,
  origin: string,
): ItemStatement {
  const { conditions, values: compared } = 'id' in chosen ? conditionsOfId(chosen) : conditionsOf(chosen);
  const changed = storedFields(type).filter(({ name }) => values.has(name));
  const changes = changed.map((field, index) => ({
    field,
    column: quoteIdentifier(field.column),
    parameter: `$${compared.length + index + 1}::${field.columnType}`,
  }));
  const sets = changes.map(({ column, parameter }) => `${column} = ${parameter}`);
  // Who writes the same values has changed nothing.
  const differs = changes
    .filter(({ field }) => type.fields.includes(field))
    .map(({ field, column, parameter }) => {
      // There are types without an equality, such as POINT.
      const text = field.kind.isSortable ? '' : '::text';
      return `t.${column}${text} IS DISTINCT FROM (${parameter})${text}`;
    })
    .join(' OR ');
  return {
    sql:
      `WITH ${originOf(`$${compared.length + changes.length + 1}`)}, t AS (UPDATE ${quoteIdentifier(type.table)} t` +
      ` SET ${[...sets, 'version = t.version + 1', 'updated_at = now()'].join(', ')} FROM o WHERE ${[...conditions, `(${differs})`].join(' AND ')} RETURNING t.*)` +
      ` SELECT ${row.expression}, t.version, t.id FROM t${row.joins}`,
    values: [...compared, ...changed.map(({ name }) => columnValue(values.get(name))), origin],
    planForValues: false,
  };
}

function conditionsOfId({ id, versions }: Exclude<ChosenItem, readonly unknown[]>): BoundConditions {
  if (versions === undefined) return { conditions: ['t.id = $1::bigint'], values: [id] };
  return {
    conditions: ['t.id = $1::bigint', 't.version = ANY($2::int[])'],
    values: [id, `{${versions.join(',')}}`],
  };
}

/**
 * Says who writes, for the triggers of the same statement. To be selected from, so that it is evaluated before them.
 * @param parameter has the origin of the change
 */
function originOf(parameter: string): string {
  return `o AS MATERIALIZED (SELECT set_config('${originSetting}', ${parameter}, true))`;
}

/** As a parameter of a column; lists of ids are no columns. */
export function columnValue(value: StoredValue | undefined): ParameterValue {
  return value === undefined || typeof value === 'object' ? null : value;
}
