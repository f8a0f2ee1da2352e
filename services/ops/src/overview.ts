import { workflowStatuses, type WorkflowStatus } from '@gantry/contracts';
import { callTemporal, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { OpsConfig } from './config';
import { findFailingActivities } from './history/failing-activities';
import { findUnpolledQueues } from './unpolled-queues';
import type { OperationsOverview } from './listing/workflow-schemas';

/** Milliseconds for which problems are kept: finding them takes some twenty calls, and pages ask every few seconds. */
const problemsKeptMs = 10_000;

/** Reads the summary of all workflows. */
export function createOverviewReader(
  temporal: Temporal,
  { temporalPages }: OpsConfig,
): () => Promise<OperationsOverview> {
  const findProblems = keepFor(problemsKeptMs, () => callTemporal(temporal, problemsOf));
  return async () => {
    const [runs, problems] = await Promise.all([callTemporal(temporal, countRuns), findProblems()]);
    const pages = temporalPages === undefined ? {} : { temporalPages };
    return { namespace: temporal.namespace, runs, problems: [...problems], ...pages };
  };
}

async function problemsOf(client: Client): Promise<readonly string[]> {
  return (await Promise.all([findFailingActivities(client), findUnpolledQueues(client)])).flat();
}

/** The answer is used again for so long; a failure is not. */
function keepFor<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let known: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = Date.now();
    if (known !== undefined && now - known.at < milliseconds) return known.answer;
    const answer = read();
    known = { at: now, answer };
    answer.catch(() => (known = undefined));
    return answer;
  };
}

/** One question for all states. */
async function countRuns(client: Client): Promise<OperationsOverview['runs']> {
  const { groups } = await client.workflowService.countWorkflowExecutions({
    namespace: client.options.namespace,
    query: 'GROUP BY ExecutionStatus',
  });
  const counted = groups.flatMap(({ groupValues, count }) => {
    const status = statusOf(groupValues?.[0] && defaultPayloadConverter.fromPayload(groupValues[0]));
    return status === undefined ? [] : [[status, Number(count)] as const];
  });
  return Object.fromEntries(counted);
}

/** The visibility store writes `TimedOut`. */
function statusOf(word: unknown): WorkflowStatus | undefined {
  return workflowStatuses.find((status) => status.replaceAll('_', '') === String(word).toUpperCase());
}
