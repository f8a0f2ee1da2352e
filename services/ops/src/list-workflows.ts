import type { WorkflowSummary } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { cursorOf } from './cursor';
import { listScope, type ListRequest } from './list-request';
import { workflowSummary } from './workflow-summary';

export interface WorkflowPage {
  readonly workflows: readonly WorkflowSummary[];
  readonly nextCursor?: string;
}

/** Ids asked for in one query. */
const idsAtOnce = 100;

/**
 * A page of workflows, newest first. A reset leaves the old run behind as one more entry of Temporal's list; here a
 * workflow stands once, as its newest run, so that a failed order which was mended no longer counts as failed.
 * @throws GantryError BAD_REQUEST for a query that Temporal does not understand
 */
export async function listWorkflows(client: Client, request: ListRequest): Promise<WorkflowPage> {
  const page = await listRuns(client, request);
  const newest = await newestRuns(client, [...new Set(page.runs.map(({ workflowId }) => workflowId))]);
  return {
    workflows: page.runs.filter(({ workflowId, runId }) => (newest.get(workflowId) ?? runId) === runId),
    ...(page.pageToken.length === 0 ? {} : { nextCursor: cursorOf(listScope, page.pageToken) }),
  };
}

interface RunPage {
  readonly runs: readonly WorkflowSummary[];
  readonly pageToken: Uint8Array;
}

async function listRuns(client: Client, { query, limit, pageToken }: ListRequest): Promise<RunPage> {
  try {
    const answer = await client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      pageSize: limit,
      nextPageToken: pageToken,
      query,
    });
    return { runs: answer.executions.map(workflowSummary), pageToken: answer.nextPageToken };
  } catch (error) {
    throw isInvalidArgument(error)
      ? new GantryError('BAD_REQUEST', `Temporal does not understand the query: ${error.details}`, {
          cause: error,
        })
      : error;
  }
}

/** The newest run of every workflow that has several; ids that cannot be quoted are left as they are. */
async function newestRuns(client: Client, workflowIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const quotable = workflowIds.filter((id) => !/['"`\\]/.test(id));
  const newest = new Map<string, WorkflowSummary>();
  for (let start = 0; start < quotable.length; start += idsAtOnce) {
    const ids = quotable.slice(start, start + idsAtOnce).map((id) => `'${id}'`);
    const request = { query: `WorkflowId IN (${ids.join(', ')})`, limit: 1_000, pageToken: Buffer.alloc(0) };
    for (const run of (await listRuns(client, request)).runs) {
      const known = newest.get(run.workflowId);
      if (known === undefined || run.startTime > known.startTime) newest.set(run.workflowId, run);
    }
  }
  return new Map([...newest].map(([workflowId, { runId }]) => [workflowId, runId]));
}

function isInvalidArgument(error: unknown): error is { readonly details: string } {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 3 && 'details' in error;
}
