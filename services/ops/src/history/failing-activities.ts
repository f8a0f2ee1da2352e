import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { findWorkflow } from '../listing/find-workflow';
import { describeFailure } from './history';

/** Workflows that are looked at: enough to find what fails for many of them, and few enough to be asked about each time. */
const sampleSize = 20;
/** From then on, an activity that failed does so for longer than a moment. */
const minAttempts = 3;
const minAgeMs = 60_000;

/**
 * Activities that keep failing in workflows which have run for a minute, the newest of them: one sentence for each type. A mail
 * server that refuses everything shows here, because nothing ends as long as it is tried again.
 */
export async function findFailingActivities(client: Client): Promise<readonly string[]> {
  const sample = await readSample(client);
  const failing = sample.flatMap(failingIn);
  return [...new Set(failing.map(({ type }) => type))].map((type) =>
    describe(
      failing.filter((activity) => activity.type === type),
      sample.length,
    ),
  );
}

async function readSample(client: Client): Promise<readonly WorkflowExecutionDescription[]> {
  const { executions } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    pageSize: sampleSize,
    query: `ExecutionStatus = 'Running' AND StartTime < '${new Date(Date.now() - minAgeMs).toISOString()}'`,
  });
  const found = await Promise.allSettled(
    executions.map(({ execution }) => findWorkflow(client, execution?.workflowId ?? '', execution?.runId ?? '')),
  );
  // A workflow that was removed since is left out.
  return found.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.description] : []));
}

interface FailingActivity {
  readonly workflowId: string;
  readonly type: string;
  readonly attempt: number;
  readonly failure: string;
}

function failingIn({ workflowId, raw }: WorkflowExecutionDescription): readonly FailingActivity[] {
  return (raw.pendingActivities ?? []).flatMap(({ activityType, attempt, lastFailure }) => {
    const failure = describeFailure(lastFailure);
    if (failure === undefined || (attempt ?? 1) < minAttempts) return [];
    return { workflowId, type: activityType?.name ?? '', attempt: attempt ?? 1, failure };
  });
}

/** @param found at least one, all of one type */
function describe(found: readonly FailingActivity[], sampled: number): string {
  const { type, workflowId, attempt, failure } = found.reduce((one, other) =>
    other.attempt > one.attempt ? other : one,
  );
  return `The activity ${type} keeps failing in ${found.length} of the ${sampled} workflows looked at, in ${workflowId} at attempt ${attempt}: ${failure}`;
}
