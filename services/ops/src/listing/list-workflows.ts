import { invalidParameter } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { cursorOf } from './cursor';
import { listScope, type ListRequest } from './list-request';
import { summaryOf } from './workflow-summary';
import type { WorkflowSummary } from './workflow-schemas';

export interface WorkflowPage {
  readonly workflows: readonly WorkflowSummary[];
  readonly nextCursor?: string;
}

/** Ids asked for in one query, and queries at a time. */
const idsAtOnce = 100;
const queriesAtOnce = 4;

/**
 * A page of workflows, newest first. A reset leaves the old run behind as one more entry of Temporal's list; here a
 * workflow is listed once, as its newest run, so that a failed order which was fixed no longer counts as failed.
 * @throws GantryError BAD_REQUEST for a query that Temporal does not understand
 */
export async function listWorkflows(client: Client, request: ListRequest): Promise<WorkflowPage> {
  const page = await listWanted(client, request);
  // A running run is the newest of its workflow.
  const ended = page.runs.filter(({ status }) => status !== 'RUNNING');
  const newest = await newestRuns(client, [...new Set(ended.map(({ workflowId }) => workflowId))]);
  return {
    workflows: page.runs.filter(({ workflowId, runId }) => (newest.get(workflowId) ?? runId) === runId),
    ...(page.pageToken.length === 0 ? {} : { nextCursor: cursorOf(listScope, page.pageToken) }),
  };
}

interface RunPage {
  readonly runs: readonly WorkflowSummary[];
  readonly pageToken: Uint8Array;
}

/** Temporal answers some queries that it does not understand, such as a UNION, as if it had failed itself. */
async function listWanted(client: Client, request: ListRequest): Promise<RunPage> {
  try {
    return await listRuns(client, request);
  } catch (error) {
    const isWrong = hasCode(error, invalidArgument) || (hasCode(error, internal) && (await listsAll(client)));
    if (!isWrong) throw error;
    throw invalidParameter('query', `Temporal does not understand the query: ${error.details}`, undefined, error);
  }
}

/** Whether Temporal lists workflows without a query. */
async function listsAll(client: Client): Promise<boolean> {
  return listRuns(client, { query: '', limit: 1, pageToken: Buffer.alloc(0) }).then(
    () => true,
    () => false,
  );
}

async function listRuns(client: Client, { query, limit, pageToken }: ListRequest): Promise<RunPage> {
  const answer = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    pageSize: limit,
    nextPageToken: pageToken,
    query,
  });
  return { runs: answer.executions.map(summaryOf), pageToken: answer.nextPageToken };
}

/** The newest run of every workflow that has several; ids that cannot be quoted are left as they are. */
async function newestRuns(client: Client, workflowIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const quotable = workflowIds.filter((id) => !/['"`\\\p{Cc}]/u.test(id));
  const newest = new Map<string, WorkflowSummary>();
  for (const batch of chunksOf(chunksOf(quotable, idsAtOnce), queriesAtOnce)) {
    const answers = await Promise.all(batch.map((ids) => listRuns(client, runsOf(ids))));
    for (const run of answers.flatMap(({ runs }) => runs)) {
      const known = newest.get(run.workflowId);
      if (known === undefined || run.startTime > known.startTime) newest.set(run.workflowId, run);
    }
  }
  return new Map([...newest].map(([workflowId, { runId }]) => [workflowId, runId]));
}

function runsOf(workflowIds: readonly string[]): ListRequest {
  const ids = workflowIds.map((id) => `'${id}'`);
  return { query: `WorkflowId IN (${ids.join(', ')})`, limit: 1_000, pageToken: Buffer.alloc(0) };
}

function chunksOf<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

/** Codes of gRPC. */
const invalidArgument = 3;
const internal = 13;

function hasCode(error: unknown, code: number): error is { readonly details: string } {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code && 'details' in error;
}
