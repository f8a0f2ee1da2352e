import type { Statement } from '../create-database';
import type { Position } from './position';

/** Up to where somebody has read the changes of some tables. */
export interface ReadTables {
  readonly after: Position;
  /** Tables of items. */
  readonly tables: readonly string[];
}

/** No backlog is counted further, and not beyond so many changes of any type. */
const maxBacklog = { counted: 1_000, lookedThrough: 10_000 } as const;

/** $1: JSON list of [epoch, transaction id, sequence, tables]. */
const countSql = `SELECT found.count, to_json(found.at) #>> '{}'
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS place (value, number) CROSS JOIN LATERAL (
    SELECT count(*)::integer AS count, min(wanted.at) AS at FROM (
      SELECT near.at FROM (
        SELECT c.at, c.item_table FROM public.gantry_change c
        WHERE (c.epoch, c.transaction_id, c.sequence) > ((place.value->>0)::integer, (place.value->>1)::bigint, (place.value->>2)::bigint)
        ORDER BY c.epoch, c.transaction_id, c.sequence LIMIT ${maxBacklog.lookedThrough}) near
      WHERE place.value->3 ? near.item_table LIMIT ${maxBacklog.counted}) wanted) found
  ORDER BY place.number`;

/** One row for each: how many changes there are behind it (at most 1,000), and the time of the oldest (ISO 8601, null without any). */
export function countChanges(places: readonly ReadTables[]): Statement {
  return { sql: countSql, values: [JSON.stringify(places.map(({ after, tables }) => [...after, tables]))] };
}

const countByTableSql = `SELECT item_table, count(*) FROM (
    SELECT c.item_table FROM public.gantry_change c WHERE (c.epoch, c.transaction_id, c.sequence) > ($1::integer, $2::bigint, $3::bigint)
    AND (c.epoch, c.transaction_id, c.sequence) <= ($4::integer, $5::bigint, $6::bigint) LIMIT $7) t GROUP BY item_table`;

/** Tables and how many changes they have between two positions, of which at most so many are looked through. */
export function countByTable(after: Position, upTo: Position, limit: number): Statement {
  return { sql: countByTableSql, values: [...after, ...upTo, limit] };
}

/** The position behind which the changes since a time begin; no row where there are none. */
export function positionBefore(time: Date): Statement {
  return {
    sql: `SELECT c.epoch, c.transaction_id::text, (c.sequence - 1)::text FROM public.gantry_change c WHERE c.at >= $1::timestamptz
      ORDER BY c.epoch, c.transaction_id, c.sequence LIMIT 1`,
    values: [time.toISOString()],
  };
}

/**
 * SQL of rows `epoch`, `transaction_id`, `sequence`, `item` (such as `product/12`): the changes of tables behind a position each, up to one for all.
 * @param ranges a parameter: JSON list of objects `item_table`, `type`, `epoch`, `transaction_id`, `sequence`
 * @param upTo alias of a row that has a position
 */
export function changesOfTables(ranges: string, upTo: string): string {
  return `SELECT c.epoch, c.transaction_id, c.sequence, m.type || '/' || c.item_id AS item
    FROM jsonb_to_recordset(${ranges}::jsonb) AS m (item_table text, type text, epoch integer, transaction_id bigint, sequence bigint), public.gantry_change c
    WHERE c.item_table = m.item_table AND (c.epoch, c.transaction_id, c.sequence) > (m.epoch, m.transaction_id, m.sequence)
      AND (c.epoch, c.transaction_id, c.sequence) <= (${upTo}.epoch, ${upTo}.transaction_id, ${upTo}.sequence)`;
}
