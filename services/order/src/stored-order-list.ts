import {
  maxCountedOrders,
  orderGroups,
  timeLimits,
  type OrderGroup,
  type OrderRowStep,
  type OrderStatus,
} from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import type { LocalDay } from './local-days';
import { acknowledgementOf } from './acknowledged-rows';
import type { ListedOrder, OrderCounts, OrderDay } from './routes/order-schemas';

/** Which orders a page shows; all that is given must hold. */
export interface OrderListRequest {
  readonly group?: OrderGroup | undefined;
  readonly status?: OrderStatus | undefined;
  readonly step?: OrderRowStep | undefined;
  /** Reached their step at this time or later: ISO 8601 in UTC with milliseconds. */
  readonly from?: string | undefined;
  /** Reached their step before this time. */
  readonly to?: string | undefined;
  /** The beginning of their id. */
  readonly orderId?: string | undefined;
  readonly sort: OrderSort;
  readonly limit: number;
  readonly after?: OrderPosition | undefined;
}

/** By the time when they reached their step, `-since` the latest first; `waiting` shows first what waits longest. */
export const orderSorts = ['since', '-since', 'waiting'] as const;
export type OrderSort = (typeof orderSorts)[number];

/** The last order of the page before. */
export interface OrderPosition {
  /** Among {@link ranksOf} the sort. */
  readonly rank: number;
  readonly since: string | null;
  readonly id: string;
}

export interface StoredOrderPage {
  readonly orders: readonly ListedOrder[];
  /** Undefined on the last page. */
  readonly next: OrderPosition | undefined;
}

/** Lists and counts the orders in the rows; Temporal is not asked. Every method throws GantryError UNAVAILABLE without PostgreSQL. */
export interface StoredOrderList {
  page(request: OrderListRequest, now: Date): Promise<StoredOrderPage>;
  /** The order with this id; where several Temporals had one, the one that was placed last. */
  find(orderId: string, now: Date): Promise<ListedOrder | undefined>;
  counts(now: Date): Promise<OrderCounts>;
  /** How many orders were placed on each day; one read of an index for each. */
  placedOn(days: readonly LocalDay[]): Promise<readonly OrderDay[]>;
}

/**
 * Reads for what criteria cannot say: one of several values, the beginning of a text, and a count that ends early. Each status
 * is read on its own from the index of (status, since, id), so that a page costs the same for any number of orders.
 */
export function createStoredOrderList(database: Pick<Database, 'query'>): StoredOrderList {
  return {
    async page(request, now) {
      const parameters = createParameters();
      const rows = await database.query<Row>(pageSql(request, now, parameters), parameters.values);
      const shown = rows.slice(0, request.limit);
      const last = shown.at(-1);
      return {
        orders: shown.map(listedOrder),
        next: rows.length > shown.length && last !== undefined ? positionOf(last) : undefined,
      };
    },
    async find(orderId, now) {
      const parameters = createParameters();
      const [row] = await database.query<Row>(orderSql(orderId, now, parameters), parameters.values);
      return row && listedOrder(row);
    },
    async placedOn(days) {
      const rows = await database.query<{ readonly day: string; readonly placed: string }>(
        `SELECT d.day, (SELECT count(*) FROM order_order WHERE created_at >= d.begin_at AND created_at < d.end_at)::text AS placed
          FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) d (day, begin_at, end_at) ORDER BY d.day`,
        [days.map(({ day }) => day), days.map(({ begin }) => begin), days.map(({ end }) => end)],
      );
      return rows.map(({ day, placed }) => ({ day, placed: Number(placed) }));
    },
    async counts(now) {
      const parameters = createParameters();
      const rows = await database.query<CountRow>(countsSql(now, parameters), parameters.values);
      const counted = new Map(rows.map(({ name, count }) => [name, Number(count)]));
      const countOf = (name: string) => {
        const found = counted.get(name) ?? 0;
        return { count: Math.min(found, maxCountedOrders), isCapped: found > maxCountedOrders };
      };
      return Object.fromEntries([...orderGroups, 'all'].map((name) => [name, countOf(name)])) as unknown as OrderCounts;
    },
  };
}

interface Row extends Pick<ListedOrder, 'status' | 'step' | 'reason' | 'since'> {
  readonly rank: number;
  readonly id: string;
  readonly order_id: string;
  readonly created_at: Date;
  readonly is_stalled: boolean | null;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
  readonly acknowledged_reason: string | null;
}

interface CountRow {
  readonly name: string;
  readonly count: string;
}

/** The values of a statement; `bind` gives the placeholder of one. */
interface Parameters {
  readonly values: readonly unknown[];
  bind(value: unknown): string;
}

function createParameters(): Parameters {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

function listedOrder(row: Row): ListedOrder {
  const { order_id: orderId, status, step, reason, since, created_at, is_stalled } = row;
  const acknowledgement = acknowledgementOf({
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
    acknowledgedReason: row.acknowledged_reason,
  });
  const placedAt = created_at.toISOString();
  return {
    orderId,
    status,
    step,
    reason,
    since,
    placedAt,
    isStalled: is_stalled === true,
    acknowledgement: acknowledgement ?? null,
  };
}

const listedColumns =
  'id, order_id, status, step, reason, since, created_at, acknowledged_at, acknowledged_by, acknowledged_reason';

function orderSql(orderId: string, now: Date, parameters: Parameters): string {
  const stalled = stalledSql(now, parameters);
  return `SELECT ${listedColumns}, ${stalled} AS is_stalled
    FROM order_order WHERE order_id = ${parameters.bind(orderId)} ORDER BY id DESC LIMIT 1`;
}

function positionOf({ rank, since, id }: Row): OrderPosition {
  return { rank, since, id };
}

function pageSql(request: OrderListRequest, now: Date, parameters: Parameters): string {
  const stalled = stalledSql(now, parameters);
  const filters = filtersOf(request, parameters);
  const limit = parameters.bind(request.limit + 1);
  const { rank: after = 0 } = request.after ?? {};
  const ranks = ranksOf(request, stalled).map(({ sources, isDescending }, rank) => {
    const direction = isDescending ? 'DESC' : 'ASC';
    const order = `ORDER BY since ${direction}, id ${direction} LIMIT ${limit}`;
    const rest = rank === after ? behind(request.after, sources, isDescending, parameters) : sources;
    const read = (rank < after ? [] : rest).map(
      (source) => `(SELECT * FROM order_order WHERE ${[source, ...filters].join(' AND ')} ${order})`,
    );
    return { rank, direction, read };
  });
  const read = ranks
    .filter((one) => one.read.length > 0)
    .map(
      ({ rank, direction, read: sources }) =>
        `(SELECT ${rank} AS rank, * FROM (${sources.join(' UNION ALL ')}) s
          ORDER BY since ${direction} NULLS LAST, id ${direction} LIMIT ${limit})`,
    );
  return `SELECT rank, ${listedColumns}, ${stalled} AS is_stalled
    FROM (${read.join(' UNION ALL ')}) o ORDER BY rank, ${ranks.map(orderWithin).join(', ')} LIMIT ${limit}`;
}

/** The order within a rank; it does not distinguish the rows of others. */
function orderWithin({ rank, direction }: { readonly rank: number; readonly direction: string }): string {
  const of = (column: string) => `CASE WHEN rank = ${rank} THEN ${column} END ${direction}`;
  return `${of('since')} NULLS LAST, ${of('id')}`;
}

/** Only orders from before statuses were stored have no time; they come last. */
const untimed = 'since IS NULL';

interface Rank {
  /** Conditions of which an order meets one at most, each read in the order of an index. */
  readonly sources: readonly string[];
  readonly isDescending: boolean;
}

/** The sources of a list, one after the other: of all orders first those that need a person, then those under way, then the others. */
function ranksOf({ group, sort }: OrderListRequest, stalled: string): readonly Rank[] {
  const groups = groupSources(stalled);
  if (group !== undefined) {
    const hasEnded = group === 'delivered' || group === 'refunded' || group === 'cancelled';
    return [{ sources: groups[group], isDescending: sort === 'waiting' ? hasEnded : sort === '-since' }];
  }
  if (sort !== 'waiting') return [{ sources: ['since IS NOT NULL', untimed], isDescending: sort === '-since' }];
  const underWay = ['OPEN', 'REFUNDING', 'REDELIVERING'].map(
    (status) => `status = '${status}' AND ${stalled} IS NOT TRUE`,
  );
  const ended = ['DELIVERED', 'REFUNDED', 'NOT_PAID', 'CANCELED'].map((status) => `status = '${status}'`);
  return [
    { sources: groups.attention, isDescending: false },
    { sources: underWay, isDescending: false },
    { sources: [...ended, `status = 'FAILED' AND acknowledged_at IS NOT NULL`, untimed], isDescending: true },
  ];
}

/** The rest of the sources behind the last order of the page before. */
function behind(
  after: OrderPosition | undefined,
  sources: readonly string[],
  isDescending: boolean,
  { bind }: Parameters,
): readonly string[] {
  if (after === undefined) return sources;
  const { since, id } = after;
  const beyond = isDescending ? '<' : '>';
  if (since === null) {
    return sources.includes(untimed) ? [`${untimed} AND id ${beyond} ${bind(id)}::bigint`] : ['false'];
  }
  const timed = `(since, id) ${beyond} (${bind(since)}, ${bind(id)}::bigint)`;
  return sources.map((source) => (source === untimed ? source : `${source} AND ${timed}`));
}

function filtersOf({ status, step, from, to, orderId }: OrderListRequest, { bind }: Parameters): readonly string[] {
  return [
    ...(status === undefined ? [] : [`status = ${bind(status)}`]),
    ...(step === undefined ? [] : [`step = ${bind(step)}`]),
    ...(from === undefined ? [] : [`since >= ${bind(from)}`]),
    ...(to === undefined ? [] : [`since < ${bind(to)}`]),
    ...(orderId === undefined ? [] : [`order_id LIKE ${bind(`${orderId.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)}`]),
  ];
}

function countsSql(now: Date, parameters: Parameters): string {
  const sources = groupSources(stalledSql(now, parameters));
  const limit = parameters.bind(maxCountedOrders + 1);
  const counted = [...orderGroups.flatMap((group) => sources[group].map((source) => ({ name: group, source })))].map(
    ({ name, source }) =>
      `SELECT '${name}' AS name, count(*) FROM (SELECT FROM order_order WHERE ${source} LIMIT ${limit}) o`,
  );
  const all = `SELECT 'all' AS name, count(*) FROM (SELECT FROM order_order LIMIT ${limit}) o`;
  return `SELECT name, sum(count)::text AS count FROM (${[...counted, all].join(' UNION ALL ')}) c GROUP BY name`;
}

/** Conditions of each group; an order meets one of a group at most. @param stalled see {@link stalledSql} */
function groupSources(stalled: string): Readonly<Record<OrderGroup, readonly string[]>> {
  const redeliveringTo = (isInTransit: boolean): string =>
    `status = 'REDELIVERING' AND (step = 'IN_TRANSIT') IS ${isInTransit ? '' : 'NOT '}TRUE`;
  return {
    attention: [
      `status = 'NEEDS_DECISION'`,
      `status = 'FAILED' AND acknowledged_at IS NULL`,
      ...['OPEN', 'REFUNDING', 'REDELIVERING'].map((status) => `status = '${status}' AND ${stalled}`),
    ],
    'awaiting-payment': [`status = 'OPEN' AND step IN ('START', 'ORDER_PLACED')`],
    'to-dispatch': [`status = 'OPEN' AND step IN ('PAID', 'WAITING_FOR_CHILD')`, redeliveringTo(false)],
    'in-transit': [`status = 'OPEN' AND step = 'IN_TRANSIT'`, redeliveringTo(true)],
    delivered: [`status = 'DELIVERED'`],
    refunded: [`status = 'REFUNDED'`, `status = 'REFUNDING'`, `status = 'OPEN' AND step = 'COMPENSATING'`],
    cancelled: [`status = 'CANCELED'`, `status = 'NOT_PAID'`],
  };
}

/** Longer than a step takes in which nobody is waited for, with all attempts of a refund. */
const stalledAfterMs = 5 * 60_000;
/** Longer than a consignment may run. */
const consignmentStalledAfterMs = timeLimits.consignmentRunTimeout + stalledAfterMs;

/** The condition of an order under way that has made no progress for longer than its step can take. */
function stalledSql(now: Date, { bind }: Parameters): string {
  const before = (milliseconds: number): string => bind(new Date(now.getTime() - milliseconds).toISOString());
  const [soon, late] = [before(stalledAfterMs), before(consignmentStalledAfterMs)];
  return `(status IN ('OPEN', 'REFUNDING', 'REDELIVERING') AND since < ${soon} AND (since < ${late}
    OR status = 'REFUNDING' OR (status = 'OPEN' AND step NOT IN ('WAITING_FOR_CHILD', 'IN_TRANSIT'))))`;
}
