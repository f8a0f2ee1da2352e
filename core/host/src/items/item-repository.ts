import { GantryError } from '@gantry/plugin-api';
import type { HostDatabase } from '../database/create-database';
import type { TextRow } from '../database/prepared-query';
import { valueError } from '../database/database-errors';
import type { BoundCriterion } from './criteria';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from './descriptor';
import type { ItemTypes } from './item-types';
import { formatCursor, type ListQuery } from './list-query';
import type { StoredValues } from './payload';
import { createColumnStatistics } from './sql/column-statistics';
import { chooseListPath } from './sql/list-path';
import { createStatements, type ItemStatement, type TypeStatements } from './sql/statements';

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

/** Who reads the results of a search. */
export interface SearchReader {
  /** Aborts when the reader goes away. */
  readonly signal: AbortSignal;
  /** Told when the reader has stalled for so long that its place was given to others. */
  readonly onStalled: () => void;
}

/** The statements on items. PostgreSQL makes the JSON; the host passes it on. */
export interface ItemRepository {
  list(type: ItemTypeDescriptor, query: ListQuery, criteria: readonly BoundCriterion[]): Promise<RowPage>;
  count(type: ItemTypeDescriptor, criteria: readonly BoundCriterion[]): Promise<number>;
  /** Batches of JSON texts, one a search result, unsorted and uncapped. */
  search(
    type: ItemTypeDescriptor,
    criteria: readonly BoundCriterion[],
    limit: number | undefined,
    reader: SearchReader,
  ): AsyncIterable<readonly string[]>;
  get(type: ItemTypeDescriptor, id: string): Promise<RowText | undefined>;
  /** The statement of {@link get}, to run inside a transaction. */
  getStatement(type: ItemTypeDescriptor, id: string): ItemStatement;
  /** Creates an item of a plain type without MULTIPLE references in one statement; for the item writer. */
  insert(type: ItemTypeDescriptor, values: StoredValues): Promise<RowText & { readonly id: string }>;
}

/** Fields a request may see; the access module's `visibleFields`. */
export type VisibleFields = (type: ItemTypeDescriptor) => readonly FieldDescriptor[];

export function createItemRepository(
  database: HostDatabase,
  types: ItemTypes,
  visibleFields: VisibleFields,
): ItemRepository {
  const statements = createStatementsOf(types, visibleFields);
  const textOf = createStatementTexts();
  const run = ({ sql, values, planForValues }: ItemStatement) => {
    const { name } = textOf(sql, () => sql);
    return database.queryPrepared({ name, sql, values, planForValues });
  };
  const statistics = createColumnStatistics((statement) => database.query(statement));
  return {
    async list(type, query, criteria) {
      const path = criteria.length === 0 ? undefined : chooseListPath(query, criteria, statistics.of(type));
      const { shape, toSql, values, planForValues } = statements(type).list({ query, criteria, path });
      const statement = { ...textOf(shape, toSql), values, planForValues };
      const rows = await database.queryPrepared(statement).catch(asBadValue);
      return pageOf(query, rows[0]);
    },
    async count(type, criteria) {
      const [row] = await run(statements(type).count(criteria)).catch(asBadValue);
      return Number(row?.[0] ?? 0);
    },
    async *search(type, criteria, limit, reader) {
      const { sql, values } = statements(type).search(criteria, limit);
      for await (const batch of database.streamRows({ sql, values, ...reader })) {
        yield batch.map((row) => presentResult(type, String(row[0])));
      }
    },
    async get(type, id) {
      const [row] = await run(statements(type).get(id));
      return row === undefined ? undefined : { json: String(row[0]), version: Number(row[1]) };
    },
    getStatement: (type, id) => statements(type).get(id),
    async insert(type, values) {
      const [row = []] = await run(statements(type).insert(values));
      return { json: String(row[0]), version: Number(row[1]), id: String(row[2]) };
    },
  };
}

function createStatementsOf(
  types: ItemTypes,
  visibleFields: VisibleFields,
): (type: ItemTypeDescriptor) => TypeStatements {
  const made = new Map<string, TypeStatements>();
  const find = (code: string): CompiledItemType => {
    const found = types.find(code);
    if (found === undefined) throw new Error(`No item type has the code ${code}`);
    return found;
  };
  return (type) => {
    const known = made.get(type.code);
    if (known !== undefined) return known;
    const created = createStatements(type, visibleFields(type), (code) => find(code).descriptor);
    made.set(type.code, created);
    return created;
  };
}

/** Criteria combine into more shapes than are worth keeping. */
const maxKept = 1_000;

interface NamedText {
  readonly name: string;
  readonly sql: string;
}

/** Texts of statements and short names for them, by a key; those used last are kept, and no name is given twice. */
export function createStatementTexts(): (key: string, toSql: () => string) => NamedText {
  const kept = new Map<string, NamedText>();
  let given = 0;
  return (key, toSql) => {
    const known = kept.get(key);
    if (known !== undefined) kept.delete(key);
    const text = known ?? { name: `gantry_${(given += 1)}`, sql: toSql() };
    kept.set(key, text);
    const [oldest] = kept.size > maxKept ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return text;
  };
}

function pageOf(query: ListQuery, [rows, hasMore, id, value]: TextRow = []): RowPage {
  if (hasMore !== 't') return { rows: String(rows), nextCursor: undefined };
  const last = { id: String(id), value: value === undefined ? String(id) : value };
  return { rows: String(rows), nextCursor: formatCursor(query.sort, last) };
}

function presentResult(type: ItemTypeDescriptor, json: string): string {
  if (typeof type.searchResult !== 'function') return json;
  const row = JSON.parse(json) as { readonly id: number; readonly values: Readonly<Record<string, unknown>> };
  const { label, subLabel } = type.searchResult(row);
  return JSON.stringify({ id: row.id, label: String(label), subLabel: String(subLabel) });
}

/** A value that passed our checks and still does not fit, for example from a cursor that was tampered with. */
function asBadValue(error: unknown): never {
  if (valueError(error) === undefined) throw error;
  throw new GantryError('BAD_REQUEST', 'A value of the request does not fit the field that it is compared with.', {
    cause: error,
  });
}
