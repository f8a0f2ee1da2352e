import { quoteIdentifier } from '../../database/identifiers';
import type { ParameterValue } from '../../database/prepared-query';
import type { BoundCriterion } from '../criteria';
import type { CompiledItemType } from '../descriptor';
import type { StoredValue } from '../kinds/field-kind';
import type { StoredValues } from '../payload';
import { insertStatement, storedFields } from './insert-statement';
import { listStatement, type ListParts, type ListStatement } from './list-statement';
import { presentRow, presentSearchResult, type FindType } from './row-json';
import { conditionsOf, whereClause } from './where';

/** A statement with its bound values. */
export interface ItemStatement {
  readonly sql: string;
  readonly values: readonly ParameterValue[];
  /** Whether the best plan depends on the values. */
  readonly planForValues: boolean;
}

/** Where a page of search results begins, and how many it has at most. */
export interface SearchPage {
  /** Id of the last result before it. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** The statements of one type, made from its descriptor; the constant parts once. */
export interface TypeStatements {
  /** One row: [JSON of the rows, whether there are more, id of the last, value sorted by of the last (absent for the id)]. */
  list(parts: ListParts): ListStatement;
  count(criteria: readonly BoundCriterion[]): ItemStatement;
  /**
   * The next results in the order of ids. One row: [JSON of the results with commas, or of whole rows where a function maps them
   * (null for none); how many; id of the last].
   */
  search(criteria: readonly BoundCriterion[], page: SearchPage): ItemStatement;
  /** One row: [JSON of the row, version]. */
  get(id: string): ItemStatement;
  /** One row: [JSON of the row, version, id]. For types without MULTIPLE references. */
  insert(values: StoredValues): ItemStatement;
}

/** @param name stands for the type as it is seen here, in the shapes of its statements */
export function createStatements(
  { descriptor: type, stored: whole = type }: CompiledItemType,
  name: string,
  findType: FindType,
): TypeStatements {
  const row = presentRow(type.fields, findType);
  const result = typeof type.searchResult === 'function' ? row : presentSearchResult(type, findType);
  const table = `${quoteIdentifier(type.table)} t`;
  const getText = `SELECT ${row.expression} AS json, t.version FROM ${table}${row.joins} WHERE t.id = $1`;
  const insertText = insertStatement(whole, row);
  const stored = storedFields(whole);
  return {
    list: (parts) => listStatement(type, name, row, parts),
    count(criteria) {
      const { conditions, values } = conditionsOf(criteria);
      return { sql: `SELECT count(*) FROM ${table}${whereClause(conditions)}`, values, planForValues: true };
    },
    search(criteria, { after, limit }) {
      const { conditions, values } = conditionsOf(criteria);
      const behind = after === undefined ? [] : [`t.id > $${values.length + 2}::bigint`];
      const page = `SELECT t.* FROM ${table}${whereClause([...conditions, ...behind])} ORDER BY t.id LIMIT $${values.length + 1}`;
      const sql =
        `SELECT string_agg(p.json, ','), count(*), max(p.id) FROM` +
        ` (SELECT ${result.expression} AS json, t.id FROM (${page}) t${result.joins} ORDER BY t.id) p`;
      return { sql, values: [...values, limit, ...(after === undefined ? [] : [after])], planForValues: true };
    },
    get: (id) => ({ sql: getText, values: [id], planForValues: false }),
    insert: (values) => ({
      sql: insertText,
      values: stored.map((field) => valueOf(values.get(field.name))),
      planForValues: false,
    }),
  };
}

/** Lists of ids are no columns. */
function valueOf(value: StoredValue | undefined): ParameterValue {
  return value === undefined || typeof value === 'object' ? null : value;
}
