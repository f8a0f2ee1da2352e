import {
  consignmentWorkflowId,
  deliveredByOperation,
  operationWorkflowId,
  orderOperations,
  orderWorkflowId,
  resetLockKey,
  operationStatuses,
  orderRowSteps,
  settledElsewhere,
  type OperationEnd,
  type OrderOperation,
  type OrderProgress,
  type OrderSettlement,
  type OrderStatus,
  type OrderRowStep,
  type SettlementOutcome,
} from '@gantry/contracts';
import { GantryError, type ItemStore, type ItemValues, type ServiceContext, type StoredItem } from '@gantry/plugin-api';
import { createAcknowledgedRows, notAcknowledged, type AcknowledgedRows } from './acknowledged-rows';
import { Order } from './order';
import { reasonLine } from './reason-line';

/** An order in one namespace of one Temporal. */
export interface OrderKey {
  readonly orderId: string;
  readonly namespaceId: string;
}

/** The stored members of an order; null in rows from before it was stored. */
export interface StoredOrder extends OrderKey {
  /** The first run of its workflow. */
  readonly runId: string;
  readonly step: OrderRowStep | null;
  readonly status: OrderStatus | null;
  readonly since: string | null;
  readonly operation: string | null;
}

/**
 * The orders that were placed, for as long as the database exists; Temporal forgets what has ended after its retention.
 * Every method throws GantryError UNAVAILABLE while PostgreSQL cannot be reached.
 */
export interface OrderRows extends AcknowledgedRows {
  find(order: OrderKey): Promise<StoredOrder | undefined>;
  /** Whether an order was settled elsewhere, or delivered by an operation; null when it was not. */
  findSettlement(order: OrderKey): Promise<OrderSettlement | null>;
  /** The order whose workflow began with this run. */
  findRun(orderId: string, runId: string): Promise<StoredOrder | undefined>;
  /** Those of these orders that are stored. */
  findMany(namespaceId: string, orderIds: readonly string[]): Promise<readonly StoredOrder[]>;
  /** Stores an order that has just been placed; changes nothing when it is known. */
  remember(order: OrderKey & Pick<StoredOrder, 'runId'>, now: Date): Promise<void>;
  /**
   * Stores how far an order is, unless the row says more already: a later time, a refund, or an operation. Makes the row when
   * there is none.
   * @returns the status that the row has afterwards
   */
  record(progress: OrderProgress, namespaceId: string): Promise<OrderStatus | null>;
  /** The same for what the reconciler found; a later time alone changes nothing. */
  settle(progress: OrderProgress, namespaceId: string): Promise<OrderStatus | null>;
  /**
   * Stores that an order needs a decision because Temporal no longer keeps its workflow: that of a row which has said for
   * minutes that the order is open. Its end is unknown.
   */
  forget(order: OrderKey, now: Date): Promise<void>;
  /**
   * Lets an operation begin on an order that needs a decision. Of many requests at once, one is let.
   * @returns whether it was this one
   */
  decide(order: OrderKey, operation: OrderOperation, token: string, now: Date): Promise<boolean>;
  /**
   * Runs work in one transaction during which no workflow of the order can be reset.
   * @throws GantryError CONFLICT while one is being reset
   */
  withoutResets<T>(orderId: string, work: (settlements: Settlements) => Promise<T>): Promise<T>;
  /** Makes a run the one that carries out an operation. @returns false when the row no longer asks for it */
  begin(order: OrderKey, status: OrderStatus, token: string, runId: string): Promise<boolean>;
  /**
   * Stores how an operation ended; changes nothing unless the row names this run. A reset that repeats a failed notice ends with
   * a run that the row does not name: of an order that was refunded, it changes the reason.
   */
  finish(end: OperationEnd): Promise<void>;
  /** Stores that the parcel of an order which waits for its consignment has left. */
  dispatch(order: OrderKey, dispatchedAt: Date): Promise<void>;
  /** Orders that have been open for minutes, without those given. */
  openExcept(namespaceId: string, orderIds: readonly string[], now: Date): Promise<readonly StoredOrder[]>;
  /** Orders whose operation was begun so many seconds ago, and has not ended. */
  operating(namespaceId: string, ageInSeconds: number): Promise<readonly StoredOrder[]>;
}

/** Members that are stored while no workflow of the order can be reset. */
export interface Settlements {
  /** Stores that an order which needs a decision was settled elsewhere. @returns false when it needs none any more */
  settleElsewhere(order: OrderKey, outcome: SettlementOutcome, reason: string, now: Date): Promise<boolean>;
}

export function createOrderRows({ items, database }: Pick<ServiceContext, 'items' | 'database'>): OrderRows {
  return {
    ...progressRows(items),
    ...operationRows(items),
    ...createAcknowledgedRows(items),
    ...orderLists(database),
    withoutResets: (orderId, work) =>
      items.transaction(async (inside) => {
        if (await inside.tryLock(...resetLocks(orderId))) return work(settlements(inside));
        throw new GantryError('CONFLICT', `A workflow of order ${orderId} is being reset. Check its run, then decide.`);
      }),
  };
}

function resetLocks(orderId: string): readonly string[] {
  const workflowIds = [
    orderWorkflowId(orderId),
    consignmentWorkflowId(orderId),
    ...orderOperations.map((name) => operationWorkflowId(name, orderId)),
  ];
  return workflowIds.map(resetLockKey);
}

function progressRows(
  items: ItemStore,
): Pick<OrderRows, 'find' | 'findRun' | 'remember' | 'record' | 'settle' | 'forget' | 'dispatch'> {
  const orders = items.of(Order);
  const unique = { by: ['orderId', 'namespaceId'] } as const;
  const store = async (
    progress: OrderProgress,
    namespaceId: string,
    shouldStore: StoreCondition,
  ): Promise<OrderStatus | null> => {
    const { orderId, runId } = progress;
    const key = { orderId, namespaceId };
    const values = progressValues(progress);
    if ((await orders.find(key)) === undefined) {
      const { item, created } = await orders.createIfAbsent({ ...key, runId, ...values }, unique);
      if (created) return item.status;
    }
    const { row } = await change(items, key, (stored) =>
      isNewer(stored, progress) && shouldStore(stored, values) && isChange(stored, values)
        ? // What was acknowledged was the failure before.
          { ...values, ...notAcknowledged }
        : undefined,
    );
    return row?.status ?? null;
  };
  return {
    find: ({ orderId, namespaceId }) => orders.find({ orderId, namespaceId }),
    findRun: (orderId, runId) => orders.find({ orderId, runId }),
    async remember({ orderId, namespaceId, runId }, now) {
      const since = now.toISOString();
      await orders.createIfAbsent({ orderId, namespaceId, runId, step: 'START', status: 'OPEN', since }, unique);
    },
    async record(progress, namespaceId) {
      // The usual way of things in one statement: the order is open, and the step is the next one.
      const { orderId, since } = progress;
      const open = { orderId, namespaceId, status: 'OPEN', operation: null, since: { lessThan: since } } as const;
      const [recorded] = await orders.updateWhere(open, progressValues(progress));
      return recorded === undefined ? store(progress, namespaceId, () => true) : recorded.status;
    },
    settle: (progress, namespaceId) =>
      store(progress, namespaceId, (stored, { status, step, reason }) => isChange(stored, { status, step, reason })),
    async dispatch({ orderId, namespaceId }, dispatchedAt) {
      const since = dispatchedAt.toISOString();
      // A consignment that ended before its order moved on was of an earlier run: its dispatch is before the step of the order.
      await change(items, { orderId, namespaceId }, (stored) =>
        isWaitingForDispatch(stored) && stored.since !== null && stored.since < since
          ? { step: 'IN_TRANSIT', since }
          : undefined,
      );
    },
    async forget({ orderId, namespaceId }, now) {
      await change(items, { orderId, namespaceId }, (stored) =>
        stored.status === 'OPEN' && stored.since !== null && stored.since < longOpenSince(now)
          ? { status: 'NEEDS_DECISION', reason: forgottenReason, since: now.toISOString() }
          : undefined,
      );
    },
  };
}

/** Whether the row of an order says that its parcel has not left. */
export function isWaitingForDispatch({ status, step }: Pick<StoredOrder, 'status' | 'step'>): boolean {
  return (status === 'OPEN' || status === 'REDELIVERING') && step === 'WAITING_FOR_CHILD';
}

const forgottenReason = 'Temporal no longer keeps the workflow of this order. Check whether it was paid and delivered.';

/** Long enough for a workflow that has just started to be found. */
const longOpenMs = 5 * 60_000;

function longOpenSince(now: Date): string {
  return new Date(now.getTime() - longOpenMs).toISOString();
}

type StoreCondition = (stored: StoredItem<Order>, values: ItemValues<Order>) => boolean;

function progressValues({ step, status, reason, since }: OrderProgress) {
  return { step, status, reason: reason === undefined ? null : reasonLine(reason), since };
}

/**
 * All times but that of the first step are by the clock of Temporal, in one notation, so that they compare as text. What a
 * person has decided, and a refund, is never changed by what the workflow of the order says.
 */
function isNewer(stored: StoredItem<Order>, { step, status, since }: OrderProgress): boolean {
  if (stored.operation !== null) return false;
  if (stored.status === 'REFUNDED' && status !== 'REFUNDED') return false;
  if (stored.since === null || stored.step === null || stored.step === 'START' || stored.since < since) return true;
  return stored.since === since && orderRowSteps.indexOf(stored.step) <= orderRowSteps.indexOf(step);
}

function operationRows(items: ItemStore): Pick<OrderRows, 'findSettlement' | 'decide' | 'begin' | 'finish'> {
  const orders = items.of(Order);
  return {
    async findSettlement({ orderId, namespaceId }) {
      const { operation, status, reason } = (await orders.find({ orderId, namespaceId })) ?? {};
      const isSettled = operation === settledElsewhere || operation === deliveredByOperation;
      return isSettled && status ? { operation, status, reason: reason ?? null } : null;
    },
    async decide({ orderId, namespaceId }, operation, token, now) {
      const status = operationStatuses[operation];
      const { isChanged } = await change(items, { orderId, namespaceId }, (stored) =>
        stored.status === 'NEEDS_DECISION'
          ? {
              status,
              // Another consignment begins.
              ...(operation === 'redelivery' ? { step: 'WAITING_FOR_CHILD' } : {}),
              operation: token,
              reason: null,
              since: later(stored.since, now.toISOString()),
            }
          : undefined,
      );
      return isChanged;
    },
    async begin({ orderId, namespaceId }, status, token, runId) {
      const key = { orderId, namespaceId, status };
      const begun = await orders.updateWhere({ ...key, operation: token }, { operation: runId });
      // An attempt before this one may have done it.
      return begun.length > 0 || (await orders.find({ ...key, operation: runId })) !== undefined;
    },
    async finish({ orderId, namespaceId, runId, status, reason, since }) {
      await change(items, { orderId, namespaceId }, (stored) => {
        const isRepeated = stored.operation === null && stored.status === 'REFUNDED' && status === 'REFUNDED';
        const isOwn = stored.operation === runId;
        if (!isOwn && !(isRepeated && stored.since !== null && stored.since <= since)) return undefined;
        return {
          status,
          ...(status === 'NEEDS_DECISION' ? {} : { step: 'COMPLETED' }),
          // A reset of the order must not pay it back, or deliver it once more. REFUNDED is kept without it.
          operation: status === 'DELIVERED' ? deliveredByOperation : null,
          reason: reason === undefined ? null : reasonLine(reason),
          since: later(stored.since, since),
        };
      });
    },
  };
}

function settlements(items: Pick<ItemStore, 'of'>): Settlements {
  return {
    async settleElsewhere({ orderId, namespaceId }, outcome, reason, now) {
      const { isChanged } = await change(items, { orderId, namespaceId }, (stored) =>
        stored.status === 'NEEDS_DECISION'
          ? {
              status: outcome,
              step: 'COMPLETED',
              operation: settledElsewhere,
              reason: reasonLine(reason),
              since: later(stored.since, now.toISOString()),
            }
          : undefined,
      );
      return isChanged;
    },
  };
}

function later(first: string | null, second: string): string {
  return first !== null && first > second ? first : second;
}

/** More writes of the same order at once would be a defect. */
const maxAttempts = 20;

/**
 * Compare-and-set: changes an order only as long as all that was decided on is as it was read; else it is read and decided
 * on again.
 * @param decide gives the new values; undefined leaves the order as it is
 */
async function change(
  items: Pick<ItemStore, 'of'>,
  key: OrderKey,
  decide: (stored: StoredItem<Order>) => ItemValues<Order> | undefined,
): Promise<{ readonly row: StoredItem<Order> | undefined; readonly isChanged: boolean }> {
  const orders = items.of(Order);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const stored = await orders.find({ ...key });
    const values = stored && decide(stored);
    if (stored === undefined || values === undefined || !isChange(stored, values)) {
      return { row: stored, isChanged: false };
    }
    const { status, step, since, operation } = stored;
    const [row] = await orders.updateWhere({ ...key, status, step, since, operation }, values);
    if (row !== undefined) return { row, isChanged: true };
  }
  throw new GantryError(
    'UNAVAILABLE',
    `The order ${key.orderId} was changed by other requests several times. Try again.`,
  );
}

function isChange(stored: StoredItem<Order>, values: ItemValues<Order>): boolean {
  const known: Readonly<Record<string, unknown>> = stored;
  return Object.entries(values).some(([name, value]) => known[name] !== value);
}

const columns = 'order_id, namespace_id, run_id, step, status, since, operation';

interface Row {
  readonly order_id: string;
  readonly namespace_id: string;
  readonly run_id: string;
  readonly step: OrderRowStep | null;
  readonly status: OrderStatus | null;
  readonly since: string | null;
  readonly operation: string | null;
}

/** Reads for what criteria cannot say: one of many values, or none of them. */
function orderLists(database: ServiceContext['database']): Pick<OrderRows, 'findMany' | 'openExcept' | 'operating'> {
  return {
    async findMany(namespaceId, orderIds) {
      const sql = `SELECT ${columns} FROM order_order WHERE namespace_id = $1 AND order_id = ANY($2)`;
      return (await database.query<Row>(sql, [namespaceId, orderIds])).map(storedOrder);
    },
    async openExcept(namespaceId, orderIds, now) {
      const rows = await database.query<Row>(
        `SELECT ${columns} FROM order_order
         WHERE namespace_id = $1 AND status = 'OPEN' AND since < $2 AND order_id <> ALL($3) ORDER BY id LIMIT 100`,
        [namespaceId, longOpenSince(now), orderIds],
      );
      return rows.map(storedOrder);
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
