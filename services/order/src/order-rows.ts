import {
  consignmentWorkflowId,
  operationWorkflowId,
  orderOperations,
  orderWorkflowId,
  resetLockKey,
  operationStatuses,
  orderSteps,
  settledElsewhere,
  type OperationEnd,
  type OrderOperation,
  type OrderProgress,
  type OrderStatus,
  type OrderStep,
  type SettlementOutcome,
} from '@gantry/contracts';
import { GantryError, type Database } from '@gantry/plugin-api';

/** An order in one namespace of one Temporal. */
export interface OrderKey {
  readonly orderId: string;
  readonly namespaceId: string;
}

/** What is stored of an order; null in rows from before it was stored. */
export interface StoredOrder extends OrderKey {
  /** The first run of its workflow. */
  readonly runId: string;
  readonly step: OrderStep | null;
  readonly status: OrderStatus | null;
  readonly since: string | null;
  readonly operation: string | null;
}

/**
 * The orders that were placed, for as long as the database lives; Temporal forgets what has ended after its retention.
 * Every method throws GantryError UNAVAILABLE while PostgreSQL cannot be reached.
 */
export interface OrderRows {
  find(order: OrderKey): Promise<StoredOrder | undefined>;
  /** Those of these orders that are stored. */
  findMany(namespaceId: string, orderIds: readonly string[]): Promise<readonly StoredOrder[]>;
  /** Stores an order that has just been placed; changes nothing when it is known. */
  remember(order: OrderKey & Pick<StoredOrder, 'runId'>, now: Date): Promise<void>;
  /**
   * Stores how far an order is, unless the row says more already: a later time, a refund, or an operation.
   * @returns the status that the row has afterwards; undefined when there is no row
   */
  record(progress: OrderProgress): Promise<OrderStatus | null | undefined>;
  /** The same, and makes the row when there is none. */
  settle(progress: OrderProgress, namespaceId: string): Promise<OrderStatus | null>;
  /**
   * Lets an operation begin on an order that needs a decision. Of many requests at once, one is let.
   * @returns whether it was this one
   */
  decide(order: OrderKey, operation: OrderOperation, token: string, now: Date): Promise<boolean>;
  /** Stores that an order which needs a decision was settled elsewhere. @returns false when it needs none any more */
  settleElsewhere(order: OrderKey, outcome: SettlementOutcome, reason: string, now: Date): Promise<boolean>;
  /**
   * Runs work in one transaction during which no workflow of the order can be reset.
   * @throws GantryError CONFLICT while one is being reset
   */
  withoutResets<T>(orderId: string, work: (rows: OrderRows) => Promise<T>): Promise<T>;
  /** Makes a run the one that carries out an operation. @returns false when the row no longer asks for it */
  begin(order: OrderKey, status: OrderStatus, token: string, runId: string): Promise<boolean>;
  /**
   * Stores how an operation ended; changes nothing unless the row names this run. A reset that repeats a failed notice ends with
   * a run that the row does not name: of an order that was refunded, it changes the reason.
   */
  finish(end: OperationEnd): Promise<void>;
  /** Orders whose operation was begun so many seconds ago, and has not ended. */
  operating(namespaceId: string, ageInSeconds: number): Promise<readonly StoredOrder[]>;
}

const columns = 'order_id, namespace_id, run_id, step, status, since, operation';

interface Row {
  readonly order_id: string;
  readonly namespace_id: string;
  readonly run_id: string;
  readonly step: OrderStep | null;
  readonly status: OrderStatus | null;
  readonly since: string | null;
  readonly operation: string | null;
}

const rank = (step: string): string =>
  `array_position(ARRAY[${orderSteps.map((name) => `'${name}'`).join(', ')}]::text[], ${step}::text)`;

/**
 * All times but that of the first step are by the clock of Temporal, in one notation, so that they compare as text. What a
 * person has decided, and a refund, is never changed by what the workflow of the order says.
 */
const isNewer = (since: string, step: string, status: string): string => `
  stored.operation IS NULL AND (stored.status IS DISTINCT FROM 'REFUNDED' OR ${status} = 'REFUNDED')
  AND (stored.since IS NULL OR stored.step IS NULL OR stored.step = 'START' OR stored.since < ${since}
   OR (stored.since = ${since} AND ${rank('stored.step')} <= ${rank(step)}))`;

/** @param database where the table of the item type `order` lives */
export function createOrderRows(database: Database): OrderRows {
  return {
    ...progressRows(database),
    ...operationRows(database),
    withoutResets: (orderId, work) =>
      database.transaction(async (inside) => {
        await lockResets(inside, orderId);
        return work(createOrderRows(inside));
      }),
  };
}

async function lockResets(database: Database, orderId: string): Promise<void> {
  const workflowIds = [
    orderWorkflowId(orderId),
    consignmentWorkflowId(orderId),
    ...orderOperations.map((name) => operationWorkflowId(name, orderId)),
  ];
  const [lock] = await database.query<{ taken: boolean }>(
    'SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended(key, 0))) AS taken FROM unnest($1::text[]) AS key',
    [workflowIds.map(resetLockKey)],
  );
  if (lock?.taken === true) return;
  throw new GantryError('CONFLICT', `A workflow of order ${orderId} is being reset. Look at its run, then decide.`);
}

function progressRows(database: Database): Pick<OrderRows, 'find' | 'findMany' | 'remember' | 'record' | 'settle'> {
  return {
    async find({ orderId, namespaceId }) {
      const sql = `SELECT ${columns} FROM order_order WHERE order_id = $1 AND namespace_id = $2`;
      const [row] = await database.query<Row>(sql, [orderId, namespaceId]);
      return row && storedOrder(row);
    },
    async findMany(namespaceId, orderIds) {
      const sql = `SELECT ${columns} FROM order_order WHERE namespace_id = $1 AND order_id = ANY($2)`;
      return (await database.query<Row>(sql, [namespaceId, orderIds])).map(storedOrder);
    },
    async remember({ orderId, namespaceId, runId }, now) {
      await database.query(
        `INSERT INTO order_order (order_id, namespace_id, run_id, step, status, since, version, created_at, updated_at)
         VALUES ($1, $2, $3, 'START', 'OPEN', $4, 1, now(), now()) ON CONFLICT (order_id, namespace_id) DO NOTHING`,
        [orderId, namespaceId, runId, now.toISOString()],
      );
    },
    async record({ orderId, runId, step, status, reason, since }) {
      const [row] = await database.query<{ status: OrderStatus | null }>(
        `WITH changed AS (
           UPDATE order_order AS stored
           SET step = $3, status = $4, reason = $5, since = $6, version = version + 1, updated_at = now()
           WHERE order_id = $1 AND run_id = $2 AND ${isNewer('$6', '$3', '$4::text')}
           RETURNING status)
         SELECT status FROM changed
         UNION ALL
         SELECT status FROM order_order WHERE order_id = $1 AND run_id = $2 AND NOT EXISTS (SELECT FROM changed)`,
        [orderId, runId, step, status, reason ?? null, since],
      );
      return row?.status;
    },
    async settle({ orderId, runId, step, status, reason, since }, namespaceId) {
      await database.query(
        `INSERT INTO order_order AS stored
           (order_id, namespace_id, run_id, step, status, reason, since, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 1, now(), now())
         ON CONFLICT (order_id, namespace_id) DO UPDATE
         SET step = EXCLUDED.step, status = EXCLUDED.status, reason = EXCLUDED.reason, since = EXCLUDED.since,
             version = stored.version + 1, updated_at = now()
         WHERE (stored.status, stored.step, stored.reason) IS DISTINCT FROM (EXCLUDED.status, EXCLUDED.step, EXCLUDED.reason)
           AND ${isNewer('EXCLUDED.since', 'EXCLUDED.step', 'EXCLUDED.status')}`,
        [orderId, namespaceId, runId, step, status, reason ?? null, since],
      );
      const [row] = await database.query<{ status: OrderStatus | null }>(
        'SELECT status FROM order_order WHERE order_id = $1 AND namespace_id = $2',
        [orderId, namespaceId],
      );
      return row?.status ?? null;
    },
  };
}

function operationRows(
  database: Database,
): Pick<OrderRows, 'decide' | 'settleElsewhere' | 'begin' | 'finish' | 'operating'> {
  return {
    async decide({ orderId, namespaceId }, operation, token, now) {
      const decided = await database.query(
        `UPDATE order_order
         SET status = $3, operation = $4, reason = NULL, since = greatest(since, $5::text), version = version + 1,
             updated_at = now()
         WHERE order_id = $1 AND namespace_id = $2 AND status = 'NEEDS_DECISION' RETURNING id`,
        [orderId, namespaceId, operationStatuses[operation], token, now.toISOString()],
      );
      return decided.length > 0;
    },
    async settleElsewhere({ orderId, namespaceId }, outcome, reason, now) {
      const settled = await database.query(
        `UPDATE order_order
         SET status = $3, step = 'COMPLETED', operation = $4, reason = $5, since = greatest(since, $6::text),
             version = version + 1, updated_at = now()
         WHERE order_id = $1 AND namespace_id = $2 AND status = 'NEEDS_DECISION' RETURNING id`,
        [orderId, namespaceId, outcome, settledElsewhere, reason, now.toISOString()],
      );
      return settled.length > 0;
    },
    async begin({ orderId, namespaceId }, status, token, runId) {
      const begun = await database.query(
        `UPDATE order_order SET operation = $5::text, version = version + 1, updated_at = now()
         WHERE order_id = $1 AND namespace_id = $2 AND status = $3 AND operation IN ($4::text, $5::text) RETURNING id`,
        [orderId, namespaceId, status, token, runId],
      );
      return begun.length > 0;
    },
    async finish({ orderId, namespaceId, runId, status, reason, since }) {
      await database.query(
        `UPDATE order_order
         SET status = $4::text, step = CASE WHEN $4::text = 'NEEDS_DECISION' THEN step ELSE 'COMPLETED' END, operation = NULL,
             reason = $5, since = greatest(since, $6::text), version = version + 1, updated_at = now()
         WHERE order_id = $1 AND namespace_id = $2
           AND (operation = $3
                OR (operation IS NULL AND status = 'REFUNDED' AND $4::text = 'REFUNDED' AND since <= $6::text))`,
        [orderId, namespaceId, runId, status, reason ?? null, since],
      );
    },
    async operating(namespaceId, ageInSeconds) {
      const rows = await database.query<Row>(
        `SELECT ${columns} FROM order_order
         WHERE namespace_id = $1 AND status IN ('REFUNDING', 'REDELIVERING')
           AND updated_at < now() - make_interval(secs => $2) ORDER BY id LIMIT 100`,
        [namespaceId, ageInSeconds],
      );
      return rows.map(storedOrder);
    },
  };
}

function storedOrder(row: Row): StoredOrder {
  const { order_id: orderId, namespace_id: namespaceId, run_id: runId, step, status, since, operation } = row;
  return { orderId, namespaceId, runId, step, status, since, operation };
}
