import type { HostDatabase, RunQuery, TextRow } from '@gantry/core-database';
import { asBadValue } from '../query/bad-value';
import type { BoundCriterion } from '../query/criteria';
import { type FieldDescriptor, type ItemTypeDescriptor, hasFunctions, hidesItems } from '../compile/descriptor';
import { formatCursor, type ListQuery } from '../query/list-query';
import type { StoredValues } from '../kinds/field-kind';
import { changeOrigin } from '../policy/change-origin';
import { typeInScope, type Scope } from '../policy/scope';
import { createFunctionValues, type CompleteRows, type FunctionRun } from './function-values';
import { createSearchResults, type PresentResults } from './search-results';
import { createColumnStatistics, type ColumnStatistics } from '../sql/column-statistics';
import { findReferrers, type FoundReferrers, type ReferrersOptions } from '../sql/find-referrers';
import { chooseListPath, type ListPath } from '../sql/list-path';
import {
  createStatements,
  type ChosenItem,
  type ItemStatement,
  type RowLock,
  type SearchPage,
  type TypeStatements,
} from '../sql/statements';

/** A page of rows as JSON text, ready to be sent. */
export interface RowPage {
  /** A JSON array. */
  readonly rows: string;
  readonly nextCursor: string | undefined;
}

/** One row as JSON text, and its version. */
export interface RowText {
  readonly json: string;
  readonly version: number;
}

/** The statement that reads a row, and what makes the row of its result. */
export interface ReadRow {
  readonly statement: Pick<ItemStatement, 'sql' | 'values'>;
  read(result: TextRow | undefined): IdentifiedRow | undefined;
}

/** Who reads the results of a search. */
export interface SearchReader {
  /** Aborts when the client closes the connection. */
  readonly signal: AbortSignal;
  /** Called when the reader has stalled for so long that its connection was given to others. */
  readonly onStalled: () => void;
}

/**
 * The statements on items. PostgreSQL makes the JSON; the host passes it on. What they show of a type is what the scope sees of it,
 * whatever descriptor the caller has.
 */
export interface ItemRepository {
  list(scope: Scope, type: ItemTypeDescriptor, query: ListQuery, criteria: readonly BoundCriterion[]): Promise<RowPage>;
  /** @param max counts no further */
  count(scope: Scope, type: ItemTypeDescriptor, criteria: readonly BoundCriterion[], max?: number): Promise<number>;
  /**
   * JSON texts of search results, or of several with commas, in the order of ids and uncapped. They are read page by page, so that
   * a reader that stalls holds no connection: an item that exists throughout is found once.
   */
  search(
    scope: Scope,
    type: ItemTypeDescriptor,
    criteria: readonly BoundCriterion[],
    limit: number | undefined,
    reader: SearchReader,
  ): AsyncIterable<readonly string[]>;
  get(scope: Scope, type: ItemTypeDescriptor, id: string): Promise<RowText | undefined>;
  /** The same for a statement that is run together with others. */
  reading(scope: Scope, type: ItemTypeDescriptor, id: string): ReadRow;
  /** The items that refer to an item, by field, as far as the scope sees them. */
  referrers(
    scope: Scope,
    type: ItemTypeDescriptor,
    id: string,
    options: ReferrersOptions,
  ): Promise<readonly FoundReferrers[]>;
  /** The first item that meets the criteria, in the order of ids. */
  find(scope: Scope, type: ItemTypeDescriptor, criteria: readonly BoundCriterion[]): Promise<RowText | undefined>;
  /** Locks items until the end of the transaction that this repository reads in. Their ids in order, and versions. */
  lock(
    scope: Scope,
    type: ItemTypeDescriptor,
    criteria: readonly BoundCriterion[],
    lock: RowLock,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly version: number }[]>;
  /**
   * Creates an item of a plain type without MULTIPLE references in one statement; for the item writer.
   * @returns undefined when there is an item with the same values in the fields of `unlessKey`
   */
  insert(
    scope: Scope,
    type: ItemTypeDescriptor,
    values: StoredValues,
    unlessKey?: readonly FieldDescriptor[],
  ): Promise<IdentifiedRow | undefined>;
  /**
   * Changes one item of a plain type in one statement; for the item writer.
   * @returns undefined when there is none, and when it has the values already
   */
  update(
    scope: Scope,
    type: ItemTypeDescriptor,
    chosen: ChosenItem,
    values: StoredValues,
  ): Promise<IdentifiedRow | undefined>;
  /** The same in a transaction. */
  within(run: RunStatement): ItemRepository;
}

/** A row and the id of its item. */
export type IdentifiedRow = RowText & { readonly id: string };

/** Runs a short statement; columns come as text. */
export type RunStatement = HostDatabase['queryPrepared'];

/** @param functions by which values are made; those of tests log nothing */
export function createItemRepository(
  database: HostDatabase,
  functions: FunctionRun = { enter: (_plugin, code) => code(), failures: { record: () => undefined } },
): ItemRepository {
  return repositoryOn({
    database,
    complete: createFunctionValues(functions),
    presentResults: createSearchResults(functions),
    runStatement: (statement) => database.queryPrepared(statement),
    statements: createStatementsInScope(),
    textOf: createStatementTexts(),
    statistics: createColumnStatistics((statement) => database.query(statement)),
  });
}

interface RepositoryDependencies {
  readonly database: HostDatabase;
  readonly complete: CompleteRows;
  readonly presentResults: PresentResults;
  readonly runStatement: RunStatement;
  readonly statements: (scope: Scope, type: ItemTypeDescriptor) => TypeStatements;
  readonly textOf: ReturnType<typeof createStatementTexts>;
  readonly statistics: ColumnStatistics;
}

function repositoryOn(dependencies: RepositoryDependencies): ItemRepository {
  const { statements } = dependencies;
  const { rowText } = completion(dependencies.complete);
  const run = runner(dependencies);
  const read = (statement: ItemStatement) => run(statement).catch(asBadValue);
  const written = async (scope: Scope, type: ItemTypeDescriptor, statement: ItemStatement) => {
    const [row] = await run(statement);
    return row && identifiedRow(row, rowText(scope, type, row));
  };
  return {
    ...pagesOn(dependencies),
    async get(scope, type, id) {
      const [row] = await read(statements(scope, type).get(id));
      return row && rowText(scope, type, row);
    },
    reading: (scope, type, id) => ({
      statement: statements(scope, type).get(id),
      read: (row) => row && { ...rowText(scope, type, row), id },
    }),
    referrers(scope, type, id, options) {
      const query: RunQuery = ({ sql, values }) =>
        read({ sql, values: values as ItemStatement['values'], planForValues: false });
      return findReferrers(type, id, { ...options, types: scope.policy.types, query });
    },
    async find(scope, type, criteria) {
      const [row] = await read(statements(scope, type).find(criteria));
      return row && rowText(scope, type, row);
    },
    async lock(scope, type, criteria, lock, limit) {
      const rows = await read(statements(scope, type).lock(criteria, lock, limit));
      return rows.map(([id, version]) => ({ id: String(id), version: Number(version) }));
    },
    insert: (scope, type, values, unlessKey) =>
      written(scope, type, statements(scope, type).insert(values, changeOrigin(scope), unlessKey)),
    update: (scope, type, chosen, values) =>
      written(scope, type, statements(scope, type).update(chosen, values, changeOrigin(scope))),
    within: (runInside) => repositoryOn({ ...dependencies, runStatement: runInside }),
  };
}

/** Reads of many rows. */
function pagesOn(dependencies: RepositoryDependencies): Pick<ItemRepository, 'list' | 'count' | 'search'> {
  const { database, runStatement, statements, textOf, statistics, presentResults } = dependencies;
  const { completed } = completion(dependencies.complete);
  const run = runner(dependencies);
  return {
    async list(scope, type, query, criteria) {
      const path =
        criteria.length === 0 ? undefined : pathOf(scope, type, chooseListPath(query, criteria, statistics.of(type)));
      const { shape, toSql, values, planForValues } = statements(scope, type).list({ query, criteria, path });
      const { name, sql } = textOf(shape, toSql);
      // Without catch(), whose promise every list would pay for (docs/decisions/0008).
      try {
        const [row] = await runStatement({ name, sql, values, planForValues });
        return pageOf(query, row, (rows) => completed(scope, type, rows));
      } catch (error) {
        asBadValue(error);
      }
    },
    async count(scope, type, criteria, max) {
      const [row] = await run(statements(scope, type).count(criteria, max)).catch(asBadValue);
      return Number(row?.[0] ?? 0);
    },
    async *search(scope, type, criteria, limit, reader) {
      const next = (page: SearchPage) => searchPage(database, statements(scope, type).search(criteria, page), reader);
      const rowsOf = (json: string): string => completed(scope, type, `[${json}]`);
      const { searchResult } = type;
      for await (const results of searchPages(next, limit)) {
        yield typeof searchResult === 'function' ? presentResults(type, searchResult, rowsOf(results)) : [results];
      }
    },
  };
}

function identifiedRow([, , id]: TextRow, { json, version }: RowText): IdentifiedRow {
  return { id: String(id), json, version };
}

function runner({ runStatement, textOf }: RepositoryDependencies) {
  return ({ sql, values, planForValues }: ItemStatement) => {
    const { name } = textOf(sql, () => sql);
    return runStatement({ name, sql, values, planForValues });
  };
}

/**
 * Where a policy has conditions on items, PostgreSQL knows their values and not those of a range: it could prefer the wrong index,
 * and so plans for the values.
 */
function pathOf(scope: Scope, type: ItemTypeDescriptor, path: ListPath | undefined): ListPath | undefined {
  return path?.kind === 'range' && hidesItems(typeInScope(scope, type.code).descriptor) ? undefined : path;
}

/** Rows of statements with the values that functions make, of the type as it is seen in the scope. */
function completion(complete: CompleteRows) {
  const completed = ({ policy }: Scope, { code }: ItemTypeDescriptor, json: string): string => {
    const type = policy.types.find(code)?.descriptor;
    return type === undefined || !hasFunctions(type) ? json : complete(type, json);
  };
  const rowText = (scope: Scope, type: ItemTypeDescriptor, [json, version]: TextRow): RowText => ({
    json: completed(scope, type, String(json)),
    version: Number(version),
  });
  return { completed, rowText };
}

/**
 * The statements of each type as it is seen in a scope. They are kept by its descriptor, of which each policy that hides something
 * has its own: no scope can get the statement of another policy, and they go with the policy.
 */
function createStatementsInScope(): (scope: Scope, type: ItemTypeDescriptor) => TypeStatements {
  const kept = new WeakMap<ItemTypeDescriptor, TypeStatements>();
  let made = 0;
  return (scope, { code }) => {
    const type = typeInScope(scope, code);
    const known = kept.get(type.descriptor);
    if (known !== undefined) return known;
    const { types } = scope.policy;
    made += 1;
    const created = createStatements(type, `${code}_${made}`, (target) => types.find(target)?.descriptor);
    kept.set(type.descriptor, created);
    return created;
  };
}

/** Criteria combine into more shapes than are worth keeping. */
const maxKept = 1_000;

interface NamedText {
  readonly name: string;
  readonly sql: string;
}

/**
 * Texts of statements and short names for them, by a key; those used last are kept, and no name is given twice.
 * @param prefix distinguishes the names from those of other users of the same connections
 */
export function createStatementTexts(prefix = 'gantry'): (key: string, toSql: () => string) => NamedText {
  const kept = new Map<string, NamedText>();
  let given = 0;
  return (key, toSql) => {
    const known = kept.get(key);
    // The order is of use, and worth its time, when the places soon are all taken.
    if (known !== undefined && kept.size <= maxKept / 2) return known;
    if (known !== undefined) kept.delete(key);
    const text = known ?? { name: `${prefix}_${(given += 1)}`, sql: toSql() };
    kept.set(key, text);
    const [oldest] = kept.size > maxKept ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return text;
  };
}

function pageOf(
  query: ListQuery,
  [rows, hasMore, id, value]: TextRow = [],
  completed: (rows: string) => string,
): RowPage {
  const shown = completed(String(rows));
  if (hasMore !== 't') return { rows: shown, nextCursor: undefined };
  const last = { id: String(id), value: value === undefined ? String(id) : value };
  return { rows: shown, nextCursor: formatCursor(query.sort, last) };
}

/** A page of search results. */
interface FoundPage {
  readonly json: string;
  readonly count: number;
  readonly lastId: string;
}

async function searchPage(
  database: HostDatabase,
  { sql, values }: ItemStatement,
  reader: SearchReader,
): Promise<FoundPage> {
  let page: FoundPage = { json: '', count: 0, lastId: '' };
  try {
    // A statement on the connections of streams ends on the server too when the client closes the connection.
    for await (const [row] of database.streamRows({ sql, values, ...reader })) {
      const [json, count, lastId] = row as readonly [string | null, string, string];
      if (json !== null) page = { json, count: Number(count), lastId };
    }
  } catch (error) {
    asBadValue(error);
  }
  return page;
}

/** The first page is short, so that the first byte leaves early. */
const firstPageSize = 50;

/** The characters of a page, so that memory does not grow with the length of results. */
const pageCharacters = 512 * 1024;

const maxPageSize = 10_000;

/** Pages to the end; the next one is read while the reader deals with the one before. */
async function* searchPages(
  read: (page: SearchPage) => Promise<FoundPage>,
  limit = Infinity,
): AsyncGenerator<string, void, undefined> {
  let left = limit;
  let size = Math.min(firstPageSize, left);
  let reading = read({ after: undefined, limit: size });
  for (;;) {
    const { json, count, lastId } = await reading;
    left -= count;
    const isLast = count < size || left <= 0;
    if (!isLast) {
      const fitting = Math.floor((pageCharacters * count) / (json.length + 1));
      size = Math.max(1, Math.min(left, maxPageSize, fitting));
      reading = read({ after: lastId, limit: size });
      // A caller that stops now never awaits it.
      reading.catch(() => undefined);
    }
    if (count > 0) yield json;
    if (isLast) return;
  }
}
