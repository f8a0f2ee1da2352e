import { positionOf, targetTable, type ParameterValue, type Position } from '@gantry/core-database';

/** A row of `gantry_change` as it is stored. */
export interface StoredChange {
  readonly position: Position;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly table: string;
  readonly id: string;
  readonly version: number;
  readonly action: string;
  readonly actor: string;
  readonly source: string;
  readonly requestId: string | undefined;
  readonly restoredVersion: number | undefined;
  /** JSON object: the values by field name; references as ids. */
  readonly values: string;
  /** JSON object: the values before of the fields that changed. */
  readonly previous: string | undefined;
  /** JSON object: labels of referenced items by field and id. */
  readonly labels: string | undefined;
}

export interface ChangeStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

const columns =
  "c.epoch, c.transaction_id::text, c.sequence::text, to_json(c.at) #>> '{}', c.item_table, c.item_id::text, c.version, c.action," +
  ' c.actor, c.source, c.request_id, c.restored_version, c.values::text, c.previous::text, c.labels::text';

/** The restores of the database that holds the feed are counted by the default of the column. */
const currentEpoch = `(SELECT pg_get_expr(d.adbin, d.adrelid)::integer FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
  WHERE d.adrelid = 'public.gantry_change'::regclass AND a.attname = 'epoch')`;

/** Behind it, a transaction that still runs may write. Rows of earlier epochs are committed. */
const committed = `(c.epoch, c.transaction_id) < (${currentEpoch}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`;

/** The changes of the tables behind a position, in order. */
export function changesAfter(tables: readonly string[], after: Position, limit: number): ChangeStatement {
  return {
    sql:
      `SELECT ${columns} FROM public.gantry_change c WHERE (c.epoch, c.transaction_id, c.sequence) > ($2::integer, $3::bigint, $4::bigint)` +
      ` AND ${committed} AND c.item_table = ANY ($1::text[]) ORDER BY c.epoch, c.transaction_id, c.sequence LIMIT $5`,
    values: [tables, ...after, limit],
  };
}

/** Which changes are wanted, of those before a position. */
export interface ChangeFilter {
  readonly before: Position | undefined;
  readonly actor: string | undefined;
  readonly action: string | undefined;
  /** ISO 8601; the first moment. */
  readonly from: string | undefined;
  /** ISO 8601; the moment after the last one. */
  readonly to: string | undefined;
}

/** The changes of the tables that meet the filter, the newest first; also those that programs which follow the feed do not get yet. */
export function newestChanges(tables: readonly string[], filter: ChangeFilter, limit: number): ChangeStatement {
  const conditions: string[] = [];
  const values: unknown[] = [tables, limit];
  const bind = (value: ParameterValue): string => `$${values.push(value)}`;
  if (filter.before !== undefined) {
    const [epoch, transaction, sequence] = filter.before;
    const before = `${bind(epoch)}::integer, ${bind(transaction)}::bigint, ${bind(sequence)}::bigint`;
    conditions.push(`(c.epoch, c.transaction_id, c.sequence) < (${before})`);
  }
  if (filter.actor !== undefined) conditions.push(`c.actor = ${bind(filter.actor)}`);
  if (filter.action !== undefined) conditions.push(`c.action = ${bind(filter.action)}`);
  if (filter.from !== undefined) conditions.push(`c.at >= ${bind(filter.from)}::timestamptz`);
  if (filter.to !== undefined) conditions.push(`c.at < ${bind(filter.to)}::timestamptz`);
  return {
    sql:
      `SELECT ${columns} FROM public.gantry_change c WHERE ${['c.item_table = ANY ($1::text[])', ...conditions].join(' AND ')}` +
      ' ORDER BY c.epoch DESC, c.transaction_id DESC, c.sequence DESC LIMIT $2',
    values,
  };
}

/** The changes of one item, the newest first; only one version where that is given. */
export function changesOfItem(
  table: string,
  id: string,
  {
    before,
    version,
    limit,
  }: { readonly before?: Position | undefined; readonly version?: number; readonly limit: number },
): ChangeStatement {
  return {
    sql:
      `SELECT ${columns} FROM public.gantry_change c WHERE c.item_table = $1 AND c.item_id = $2::bigint` +
      ' AND ($3::bigint IS NULL OR c.sequence < $3) AND ($4::integer IS NULL OR c.version = $4)' +
      // The row of the deletion has the version of the one before.
      ` ORDER BY c.sequence DESC LIMIT $5`,
    values: [table, id, before?.[2] ?? null, version ?? null, limit],
  };
}

/** One row: [the last version of an item; when it was created, rounded as its column is, as far as the feed has that]. */
export function summaryOfItem(table: string, id: string): ChangeStatement {
  return {
    sql:
      "SELECT max(c.version), min(c.at) FILTER (WHERE c.action = 'created')::timestamptz(3) FROM public.gantry_change c" +
      ' WHERE c.item_table = $1 AND c.item_id = $2::bigint',
    values: [table, id],
  };
}

/** Rows: [table, field, sequence of the change behind which it counts, table that the field refers to; empty for no reference], in order. */
export function notedTargets(tables: readonly string[]): ChangeStatement {
  return {
    sql:
      `SELECT t.item_table, t.field, t.since::text, t.target FROM public.${targetTable} t` +
      " WHERE t.item_table = ANY ($1::text[]) AND t.field <> '' ORDER BY t.since",
    values: [tables],
  };
}

/** The last changes of items that were deleted and do not exist, the newest first. */
export function deletedItems(
  table: string,
  items: string,
  before: Position | undefined,
  limit: number,
): ChangeStatement {
  return {
    sql:
      `SELECT ${columns} FROM public.gantry_change c WHERE c.item_table = $1 AND c.action = 'deleted' AND ($2::bigint IS NULL OR c.sequence < $2)` +
      ` AND NOT EXISTS (SELECT FROM ${items} t WHERE t.id = c.item_id)` +
      ' AND NOT EXISTS (SELECT FROM public.gantry_change n WHERE n.item_table = c.item_table AND n.item_id = c.item_id AND n.sequence > c.sequence)' +
      ' ORDER BY c.sequence DESC LIMIT $3',
    values: [table, before?.[2] ?? null, limit],
  };
}

/** The end of the feed. One row: [epoch, transaction, sequence]; none while there is no change. */
export const lastPosition: ChangeStatement = {
  sql: `SELECT c.epoch, c.transaction_id::text, c.sequence::text FROM public.gantry_change c WHERE ${committed} ORDER BY c.epoch DESC, c.transaction_id DESC, c.sequence DESC LIMIT 1`,
  values: [],
};

/** Whether a position can have been given out: of a transaction that has ended. One row: the text of a boolean. */
export function isReached([epoch, transaction]: Position): ChangeStatement {
  return {
    sql: `SELECT (($1::integer, $2::bigint) < (${currentEpoch}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint))::text`,
    values: [epoch, transaction],
  };
}

type Column = string | number | null;

export function storedChange(row: readonly unknown[]): StoredChange {
  const [epoch, transaction, sequence, at, table, id, version, action, actor, source, ...more] =
    row as readonly Column[];
  const [requestId, restoredVersion, values, previous, labels] = more;
  return {
    position: positionOf([epoch, transaction, sequence]),
    at: new Date(String(at)).toISOString(),
    table: String(table),
    id: String(id),
    version: Number(version),
    action: String(action),
    actor: String(actor),
    source: String(source),
    requestId: textOf(requestId),
    restoredVersion: restoredVersion === null || restoredVersion === undefined ? undefined : Number(restoredVersion),
    values: String(values),
    previous: textOf(previous),
    labels: textOf(labels),
  };
}

function textOf(value: Column | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
