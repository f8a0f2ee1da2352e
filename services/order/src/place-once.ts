import { setTimeout as delay } from 'node:timers/promises';
import { orderWorkflowId, taskQueues, workflowTypes, type PlaceOrder } from '@gantry/contracts';
import { GantryError, isGantryError, isWorkflowNotFound, type Logger } from '@gantry/plugin-api';
import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { readNamespaceId } from './namespace-id';
import type { OrderRows } from './order-rows';

/** Milliseconds that placing an order waits for PostgreSQL, twice at most; Temporal has to answer within five seconds. */
const rowTimeoutMs = 1_500;

/** The result of placing an order. */
export interface Placing {
  /** The first run of its workflow. */
  readonly runId: string;
  /** It had been placed before. */
  readonly duplicate: boolean;
}

/** The arguments of placing an order. */
export interface PlacingDependencies {
  readonly rows: OrderRows;
  readonly logger: Logger;
  readonly now: () => Date;
}

/**
 * Starts the workflow of an order unless it was ever placed. Temporal refuses a second one for as long as it knows the
 * first; after that, the rows show it. Orders are placed without PostgreSQL, too: their workflows and the reconciler store
 * them once it is back.
 * @throws GantryError CONFLICT when a workflow of others has the id
 */
export async function placeOnce(client: Client, dependencies: PlacingDependencies, orderId: string): Promise<Placing> {
  const { rows, logger, now } = dependencies;
  const placedAt = now();
  const order = { orderId, namespaceId: await readNamespaceId(client) };
  const known = await unlessUnavailable(logger, () => rows.find(order));
  if (known !== undefined && (await isForgotten(client, orderId))) return { runId: known.runId, duplicate: true };
  const placing = await start(client, orderId);
  if (known === undefined) {
    await unlessUnavailable(logger, () => rows.remember({ ...order, runId: placing.runId }, placedAt));
  }
  return placing;
}

async function unlessUnavailable<T>(logger: Logger, query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(query());
  } catch (error) {
    if (!isGantryError(error) || error.code !== 'UNAVAILABLE') throw error;
    logger.warn({ err: error }, 'PostgreSQL is unavailable; an order is placed without it');
    return undefined;
  }
}

/** A PostgreSQL that accepts requests and does not answer counts as unavailable. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const timeout = delay(rowTimeoutMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new GantryError('UNAVAILABLE', `PostgreSQL did not answer within ${rowTimeoutMs} ms.`);
  });
  // The one that is late has no reader.
  timeout.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    ended.abort();
  }
}

/** An ended workflow is removed when the retention of the namespace is over. */
async function isForgotten(client: Client, orderId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(orderWorkflowId(orderId)).describe();
    return false;
  } catch (error) {
    if (isWorkflowNotFound(error)) return true;
    throw error;
  }
}

async function start(client: Client, orderId: string): Promise<Placing> {
  const workflowId = orderWorkflowId(orderId);
  try {
    const handle = await client.workflow.start<PlaceOrder>(workflowTypes.placeOrder, {
      workflowId,
      taskQueue: taskQueues.order,
      args: [{ orderId }],
      // Ended orders are refused here, running ones by the conflict policy: both come out as "already started".
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    });
    return { runId: handle.firstExecutionRunId, duplicate: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const description = await client.workflow.getHandle(workflowId).describe();
    assertOrder(description);
    return { runId: firstRunId(description), duplicate: true };
  }
}

/** The starter of a workflow chooses its id. */
function assertOrder({ workflowId, type }: WorkflowExecutionDescription): void {
  if (type === workflowTypes.placeOrder) return;
  const reason = `The workflow ${workflowId} is of the type ${type} and is not an order. Choose another orderId.`;
  throw new GantryError('CONFLICT', reason);
}

/** The run that the first answer named, even if a reset has added runs since. */
function firstRunId(description: WorkflowExecutionDescription): string {
  return description.raw.workflowExecutionInfo?.firstRunId || description.runId;
}
