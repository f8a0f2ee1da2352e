import { GantryError, isWorkflowNotFound } from '@gantry/plugin-api';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { summaryOf } from './workflow-summary';
import type { WorkflowSummary } from './workflow-schemas';

/** A workflow as Temporal holds it now. */
export interface FoundWorkflow {
  readonly summary: WorkflowSummary;
  readonly description: WorkflowExecutionDescription;
}

/**
 * The newest run of a workflow, or the one named.
 * @throws GantryError WORKFLOW_NOT_FOUND
 */
export async function findWorkflow(client: Client, workflowId: string, runId?: string): Promise<FoundWorkflow> {
  try {
    const description = await client.workflow.getHandle(workflowId, runId).describe();
    return { description, summary: summaryOf(description.raw.workflowExecutionInfo ?? {}) };
  } catch (error) {
    if (!isWorkflowNotFound(error) && !isInvalidRunId(error)) throw error;
    const run = runId === undefined ? '' : ` with the run ${runId}`;
    throw new GantryError('WORKFLOW_NOT_FOUND', `Workflow not found: ${workflowId}${run}`, { cause: error });
  }
}

/**
 * The newest run of a workflow that still runs.
 * @throws GantryError WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED
 */
export async function findRunning(client: Client, workflowId: string): Promise<FoundWorkflow> {
  const found = await findWorkflow(client, workflowId);
  const { status } = found.summary;
  if (status === 'RUNNING') return found;
  throw new GantryError(
    'WORKFLOW_CLOSED',
    `The workflow ${workflowId} has ended (${status}); no operation is possible.`,
  );
}

/**
 * Makes a call to a workflow that was found before. It may have closed since: Temporal then answers as if there were none.
 * @throws GantryError WORKFLOW_CLOSED, WORKFLOW_NOT_FOUND
 */
export async function callFound<R>(
  client: Client,
  { workflowId, runId }: Pick<WorkflowSummary, 'workflowId' | 'runId'>,
  call: () => Promise<R>,
): Promise<R> {
  try {
    return await call();
  } catch (error) {
    if (!isNotFoundAnswer(error)) throw error;
    const { status } = (await findWorkflow(client, workflowId, runId)).summary;
    if (status === 'RUNNING') throw error;
    const message = `The workflow ${workflowId} ended (${status}) before Temporal received the request. Check its state before you send another request.`;
    throw new GantryError('WORKFLOW_CLOSED', message, { cause: error });
  }
}

/** The gRPC code NOT_FOUND, which a raw service call rejects with. */
export function isNotFoundAnswer(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 5;
}

/** The answer of Temporal to a run id that is no UUID. */
function isInvalidRunId(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 3;
}
