import { randomUUID } from 'node:crypto';
import { operationWorkflowTypes, resetLockKey, workflowTypes } from '@gantry/contracts';
import { callTemporal, GantryError, type Database, type Platform, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import Long from 'long';
import type { ResetRequest } from './control-request';
import { identityOf, reasonOf } from './control-workflow';
import { callFound, findWorkflow } from '../listing/find-workflow';
import type { HistoryEvent } from '../history/history';
import { readWholeHistory } from '../history/read-history';
import { planReset, type ResetPlan } from './reset-plan';
import { isRefunded, resetWarnings } from './reset-warnings';
import { assertMayBeReset } from './settled-order';
import type { ResetOutcome, ResetWarning, WorkflowSummary } from '../listing/workflow-schemas';

export interface ResetDependencies {
  readonly temporal: Temporal;
  /** Prevents two resets of one workflow at the same time, in all processes. */
  readonly database: Database;
  readonly platform: Platform;
}

/**
 * Goes back to a point in the history of a workflow that has ended: a new run takes what happened before as given and
 * repeats what came after. Signals that came after the point are given to the new run again.
 * @throws GantryError WORKFLOW_NOT_FOUND, VALIDATION_FAILED, CONFLICT; UNAVAILABLE while PostgreSQL or Temporal does not answer
 */
export function resetWorkflow(
  dependencies: ResetDependencies,
  workflowId: string,
  request: ResetRequest,
): Promise<ResetOutcome> {
  return dependencies.database.transaction(async (database) => {
    const [lock] = await database.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
      [resetLockKey(workflowId)],
    );
    if (lock?.taken !== true) throw conflict(`Another reset of ${workflowId} is in progress; check its run first.`);
    return resetAlone(dependencies, workflowId, request);
  });
}

async function resetAlone(
  dependencies: ResetDependencies,
  workflowId: string,
  request: ResetRequest,
): Promise<ResetOutcome> {
  const { temporal } = dependencies;
  const { summary } = await callTemporal(temporal, (client: Client) => findWorkflow(client, workflowId));
  await assertMayBeReset(dependencies, summary);
  assertResettable(workflowId, summary, request);
  const { runId } = summary;
  const events = await readWholeHistory(temporal, { workflowId, runId });
  const plan = planReset(events, request.to);
  if (!plan.ok) throw refusal(plan);
  const { eventId, repeats } = plan;
  assertOperationAllows(summary, events, eventId);
  const warnings = await resetWarnings(temporal, { summary, events, eventId });
  if (!request.dryRun) assertAcknowledged(warnings, request);
  const outcome = { workflowId, resetRunId: runId, eventId, repeats, warnings };
  return callTemporal(temporal, async (client: Client) => {
    await assertChildrenAllow(client, plan);
    return request.dryRun ? outcome : { ...outcome, runId: await goBack(client, outcome, request) };
  });
}

/** @returns the id of the new run */
async function goBack(
  client: Client,
  { workflowId, resetRunId, eventId }: ResetOutcome,
  note: ResetRequest,
): Promise<string> {
  const { runId } = await callFound(client, { workflowId, runId: resetRunId }, () =>
    client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId: resetRunId },
      reason: reasonOf(note),
      identity: identityOf(note),
      workflowTaskFinishEventId: Long.fromNumber(eventId),
      requestId: randomUUID(),
    }),
  );
  return runId;
}

/** A reset of a workflow that runs would take its work away from it; it is to be ended first. */
function assertResettable(
  workflowId: string,
  { type, status, runId, parentWorkflowId }: WorkflowSummary,
  request: ResetRequest,
): void {
  if (status === 'RUNNING') {
    throw conflict(`The workflow ${workflowId} is running; cancel or terminate it before you reset it.`);
  }
  if (request.runId !== undefined && request.runId !== runId) {
    throw conflict(`The newest run of ${workflowId} is ${runId}, not ${request.runId}; check it first.`);
  }
  if (type === workflowTypes.startConsignment && parentWorkflowId !== undefined) {
    throw conflict(
      `${workflowId} has ended and ${parentWorkflowId} has its result; the result of a new run would be ignored. Reset ${parentWorkflowId} to a point before the consignment, or, if the order needs a decision, request another delivery with POST /orders/{orderId}/redelivery.`,
    );
  }
}

/**
 * The row of an order names the run that carries out an operation; a run that a reset begins could refund or deliver in
 * addition to another one. Only the notice is left when the refund is before the point.
 */
function assertOperationAllows(
  { workflowId, type }: WorkflowSummary,
  events: readonly HistoryEvent[],
  eventId: number,
): void {
  const isOperation = Object.values<string>(operationWorkflowTypes).includes(type);
  const before = events.filter((event) => Number(event.eventId) <= eventId);
  if (!isOperation || isRefunded(before)) return;
  throw conflict(
    `${workflowId} is an operation on an order, and nothing was refunded before that point. If the order needs a decision, request the operation again: POST /orders/{orderId}/refund or /redelivery.`,
  );
}

/** A harmful reset needs an acknowledgement. */
function assertAcknowledged(warnings: readonly ResetWarning[], { acknowledge }: ResetRequest): void {
  const unknown = warnings.filter(({ code }) => !acknowledge.includes(code));
  if (unknown.length === 0) return;
  const codes = JSON.stringify(unknown.map(({ code }) => code));
  throw new GantryError(
    'CONFLICT',
    `${unknown.map(({ message }) => message).join(' ')} Send "acknowledge": ${codes} to reset it anyway.`,
    {
      details: unknown.map(({ code, message }) => ({ path: 'acknowledge', code, message })),
    },
  );
}

/**
 * Two ways in which a child spoils a reset: the new run cannot start one that still runs ("already started"), and it
 * would wait for ever for one that its run had started and whose end it did not see.
 */
async function assertChildrenAllow(client: Client, plan: Extract<ResetPlan, { ok: true }>): Promise<void> {
  const [open] = plan.leftOpen;
  if (open !== undefined) {
    throw conflict(
      `At that point the workflow waited for ${open}, and Temporal does not report its result to a new run. Reset to a point before it started or after it ended.`,
    );
  }
  for (const child of plan.startsAgain) {
    const { summary } = await findWorkflow(client, child);
    if (summary.status === 'RUNNING') {
      throw conflict(
        `The child workflow ${child} is still running and would be started again; cancel or terminate it first.`,
      );
    }
  }
}

function refusal({ code, reason }: Extract<ResetPlan, { ok: false }>): GantryError {
  if (code === 'CONFLICT') return conflict(reason);
  return new GantryError(code, reason, { details: [{ path: 'to', code: 'VALUE_INVALID', message: reason }] });
}

function conflict(reason: string): GantryError {
  return new GantryError('CONFLICT', reason);
}
