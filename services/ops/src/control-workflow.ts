import { randomUUID } from 'node:crypto';
import { signalsOf } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { defaultPayloadConverter, type Client } from '@temporalio/client';
import type { Asked } from './control-request';
import { findRunning } from './find-workflow';

/** What was asked of a workflow, as the answer names it. */
export interface Controlled {
  readonly workflowId: string;
  readonly runId: string;
}

/** Asks a workflow to end in its own way. @throws GantryError WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED */
export async function cancelWorkflow(client: Client, workflowId: string, asked: Asked): Promise<Controlled> {
  const controlled = await running(client, workflowId);
  await client.workflowService.requestCancelWorkflowExecution({
    ...execution(client, controlled),
    identity: identityOf(asked),
    reason: reasonOf(asked),
    requestId: randomUUID(),
  });
  return controlled;
}

/** Ends a workflow at once. @throws GantryError WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED */
export async function terminateWorkflow(client: Client, workflowId: string, asked: Asked): Promise<Controlled> {
  const controlled = await running(client, workflowId);
  await client.workflowService.terminateWorkflowExecution({
    ...execution(client, controlled),
    identity: identityOf(asked),
    reason: reasonOf(asked),
  });
  return controlled;
}

/**
 * Sends a signal without arguments to a workflow of this platform. Others are left to those who know their signals.
 * @throws GantryError WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED, VALIDATION_FAILED
 */
export async function sendSignal(
  client: Client,
  workflowId: string,
  { signal, ...asked }: Asked & { readonly signal: string },
): Promise<Controlled> {
  const { summary } = await findRunning(client, workflowId);
  assertKnownSignal(summary.type, signal);
  const controlled = { workflowId, runId: summary.runId };
  await client.workflowService.signalWorkflowExecution({
    ...execution(client, controlled),
    signalName: signal,
    identity: identityOf(asked),
    requestId: randomUUID(),
    // A signal has no member for a reason; a header field stays in the history like everything else.
    header: { fields: { reason: defaultPayloadConverter.toPayload(reasonOf(asked)) } },
  });
  return controlled;
}

/** Who asked, as the history keeps it. */
export function identityOf({ by }: Asked): string {
  return `gantry ops: ${by}`;
}

/** Why, with who asked: not every event of Temporal keeps an identity. */
export function reasonOf({ reason, by }: Asked): string {
  return `${reason} (asked by ${by})`;
}

async function running(client: Client, workflowId: string): Promise<Controlled> {
  const { summary } = await findRunning(client, workflowId);
  return { workflowId, runId: summary.runId };
}

function execution(client: Client, { workflowId, runId }: Controlled) {
  return { namespace: client.options.namespace, workflowExecution: { workflowId, runId } };
}

function assertKnownSignal(type: string, signal: string): void {
  const known: Readonly<Record<string, readonly string[]>> = signalsOf;
  const signals = known[type];
  const message =
    signals === undefined
      ? `${type} is no workflow of the order services, whose signals are known here`
      : `${type} has no signal "${signal}"; it has ${signals.join(', ')}`;
  if (signals?.includes(signal) === true) return;
  throw new GantryError('VALIDATION_FAILED', `${message}.`, {
    details: [{ path: 'signal', code: 'SIGNAL_UNKNOWN', message }],
  });
}
