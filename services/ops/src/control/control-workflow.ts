import { randomUUID } from 'node:crypto';
import { permissionsOfSignals, signalsOf } from '@gantry/contracts';
import { GantryError, invalidValue, type Caller } from '@gantry/plugin-api';
import { defaultPayloadConverter, type Client } from '@temporalio/client';
import { toPayloads } from '@temporalio/common';
import type { AuditNote, SignalRequest } from './control-request';
import { callFound, findRunning } from '../listing/find-workflow';
import type { ControlledWorkflow } from '../listing/workflow-schemas';

/** Cancels a workflow, which then runs its compensation. @throws GantryError WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED */
export async function cancelWorkflow(client: Client, workflowId: string, note: AuditNote): Promise<ControlledWorkflow> {
  const controlled = await running(client, workflowId);
  await callFound(client, controlled, () =>
    client.workflowService.requestCancelWorkflowExecution({
      ...execution(client, controlled),
      identity: identityOf(note),
      reason: reasonOf(note),
      requestId: randomUUID(),
    }),
  );
  return controlled;
}

/** Terminates a workflow at once. @throws GantryError WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED */
export async function terminateWorkflow(
  client: Client,
  workflowId: string,
  note: AuditNote,
): Promise<ControlledWorkflow> {
  const controlled = await running(client, workflowId);
  await callFound(client, controlled, () =>
    client.workflowService.terminateWorkflowExecution({
      ...execution(client, controlled),
      identity: identityOf(note),
      reason: reasonOf(note),
    }),
  );
  return controlled;
}

/**
 * Sends a signal. Those of the order services are known, and have no arguments (order specification, section 2). A workflow
 * of others is sent what is asked for: Temporal keeps a signal that the workflow does not know, and nothing comes of it.
 * @throws GantryError WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED, VALIDATION_FAILED, FORBIDDEN without the permission of the signal
 */
export async function sendSignal(
  client: Client,
  workflowId: string,
  { signal, args, ...note }: SignalRequest,
  caller: SignalSender,
): Promise<ControlledWorkflow> {
  const { summary } = await findRunning(client, workflowId);
  assertSignal(summary.type, signal, args);
  assertMaySignal(summary.type, signal, caller);
  const controlled = { workflowId, runId: summary.runId };
  await callFound(client, controlled, () =>
    client.workflowService.signalWorkflowExecution({
      ...execution(client, controlled),
      signalName: signal,
      ...(args.length === 0 ? {} : { input: { payloads: toPayloads(defaultPayloadConverter, ...args) ?? [] } }),
      identity: identityOf(note),
      requestId: randomUUID(),
      // A signal has no member for a reason; a header field stays in the history like everything else.
      header: { fields: { reason: defaultPayloadConverter.toPayload(reasonOf(note)) } },
    }),
  );
  return controlled;
}

/** Who asked, as the history keeps it. */
export function identityOf({ requestedBy }: AuditNote): string {
  return `gantry ops: ${requestedBy}`;
}

/** Why, with who asked: not every event of Temporal keeps an identity. */
export function reasonOf({ reason, requestedBy }: AuditNote): string {
  return `${reason} (requested by ${requestedBy})`;
}

async function running(client: Client, workflowId: string): Promise<ControlledWorkflow> {
  const { summary } = await findRunning(client, workflowId);
  return { workflowId, runId: summary.runId };
}

function execution(client: Client, { workflowId, runId }: ControlledWorkflow) {
  return { namespace: client.options.namespace, workflowExecution: { workflowId, runId } };
}

type SignalSender = Pick<Caller, 'kind' | 'permissions' | 'isAdministrator'>;

/** A signal of the order services says that money or goods have moved: this is no second way to say so. */
function assertMaySignal(type: string, signal: string, { kind, permissions, isAdministrator }: SignalSender): void {
  const needed: Readonly<Record<string, string>> = permissionsOfSignals;
  if (!Object.hasOwn(signalsOf, type) || isAdministrator === true || kind === 'local') return;
  const permission = needed[signal];
  if (permission === undefined || permissions.includes(permission)) return;
  throw new GantryError(
    'FORBIDDEN',
    `The signal ${signal} needs the permission ${permission}, which your roles do not have.`,
  );
}

function assertSignal(type: string, signal: string, args: readonly unknown[]): void {
  const known: Readonly<Record<string, readonly string[]>> = signalsOf;
  const signals = Object.hasOwn(known, type) ? known[type] : undefined;
  if (signals === undefined) return;
  if (!signals.includes(signal)) {
    throw invalidValue('signal', `${type} has no signal "${signal}"; it has ${signals.join(', ')}`, 'SIGNAL_UNKNOWN');
  }
  if (args.length > 0) throw invalidValue('args', `The signal ${signal} of ${type} has no arguments`);
}
