import { quoteIdentifier } from '../../database/identifiers';
import type { BoundCriterion } from '../criteria';
import type { FieldDescriptor, ItemTypeDescriptor } from '../descriptor';
import type { StoredValues } from '../payload';
import type { ListQuery } from '../list-query';
import { insertStatement, storedFields } from './insert-statement';
import { listStatement, nearbyListStatement, type ListStatement } from './list-statement';
import { presentRow, presentSearchResult, type FindType } from './row-json';
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
  list(query: ListQuery, criteria: readonly BoundCriterion[]): ListStatement;
  /**
   * As {@link list}, but looks through the next few hundred rows only; undefined where that is not cheap. What it finds
   * is the page if it is a whole one and a row to spare.
   */
  listNearby(query: ListQuery, criteria: readonly BoundCriterion[]): ListStatement | undefined;
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
    listNearby: (query, criteria) => nearbyListStatement(type, row, query, criteria),
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
