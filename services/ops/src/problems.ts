import { describeTaskFailure, workerGoneAfterMs } from '@gantry/contracts';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { FoundWorkflow } from './listing/find-workflow';
import { describeFailure, type HistoryEvent } from './history/history';
import { timeOf } from './listing/workflow-summary';
import type { ActivityView } from './listing/workflow-schemas';

export interface ProblemSources extends FoundWorkflow {
  readonly activities: readonly ActivityView[];
  readonly events: readonly HistoryEvent[];
  /** Why the present code of a worker cannot continue with the history; reported by the worker in the query of the state. */
  readonly misfit: string | undefined;
}

const { TaskQueueType } = temporal.api.enums.v1;

/** How the SDK's workers answer for an activity that they do not have (order specification, section 7). */
const unknownActivity = /^Activity function \S+ is not registered on this Worker/;

/** Descriptions of what blocks a running workflow. */
export async function findProblems(client: Client, sources: ProblemSources): Promise<readonly string[]> {
  const queues = await waitingQueues(client, sources);
  return [...queues, ...sources.activities.flatMap(failingActivity), ...failingWorkflowTask(sources)];
}

interface WaitingTask {
  readonly taskQueue: string;
  readonly kind: Kind;
  readonly task: string;
  /** Milliseconds since 1970 at which it was put into the queue, or will be. */
  readonly since: number;
  /** Milliseconds within which a worker that asks for work has it. */
  readonly takenWithin: number;
}

type Kind = temporal.api.enums.v1.TaskQueueType;

/** Tasks that wait in a queue without a poller: neither timeouts nor retries run then. */
async function waitingQueues(client: Client, sources: ProblemSources): Promise<readonly string[]> {
  const pollsOf = createPollQuestion(client);
  const found = await Promise.all(
    [...sources.activities.flatMap(waitingActivity), ...waitingStep(sources)].map(async (waiting) => {
      const polls = await pollsOf(waiting.taskQueue, waiting.kind);
      return polls.some((time) => mayTake(waiting, time))
        ? []
        : [`No worker polls the queue ${waiting.taskQueue}: ${waiting.task} waits until its service starts.`];
    }),
  );
  return found.flat();
}

function waitingActivity({ type, state, taskQueue, scheduledTime, nextAttemptTime }: ActivityView): WaitingTask[] {
  if (state !== 'scheduled' || taskQueue === '') return [];
  const kind = TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
  const since = Date.parse(nextAttemptTime ?? scheduledTime);
  return [{ taskQueue, kind, task: `the activity ${type}`, since, takenWithin: 10_000 }];
}

/** It is kept for the worker that has the workflow in memory for ten seconds before it is anybody's. */
function waitingStep({ summary: { taskQueue }, description }: ProblemSources): WaitingTask[] {
  const step = description.raw.pendingWorkflowTask;
  if (step == null) return [];
  const kind = TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
  const since = Date.parse(timeOf(step.scheduledTime) ?? '');
  return [{ taskQueue, kind, task: 'the next step of the workflow', since, takenWithin: 15_000 }];
}

/**
 * Whether the worker that polled at this time is still there. One that waits for work is given a task at once: a task that
 * is not picked up shows earlier than the poll timeout of a minute that the workers which polled before are gone.
 */
function mayTake({ since, takenWithin }: WaitingTask, polledAt: number): boolean {
  const now = Date.now();
  const isOverdue = now - since > takenWithin;
  return now - polledAt < workerGoneAfterMs && (polledAt >= since || !isOverdue);
}

/** When workers asked a queue for work last. Many activities may wait in one queue: each is asked about once. */
function createPollQuestion(client: Client): (taskQueue: string, kind: Kind) => Promise<readonly number[]> {
  const answers = new Map<string, Promise<readonly number[]>>();
  return (taskQueue, kind) => {
    const key = `${kind} ${taskQueue}`;
    const answer = answers.get(key) ?? lastPolls(client, taskQueue, kind);
    answers.set(key, answer);
    return answer;
  };
}

/** Whether a worker executes the workflows of a queue. */
export async function isPolled(client: Client, taskQueue: string): Promise<boolean> {
  const polls = await lastPolls(client, taskQueue, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW);
  return polls.some((time) => Date.now() - time < workerGoneAfterMs);
}

async function lastPolls(client: Client, taskQueue: string, taskQueueType: Kind): Promise<readonly number[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  });
  return pollers.flatMap(({ lastAccessTime }) => {
    const time = timeOf(lastAccessTime);
    return time === undefined ? [] : [Date.parse(time)];
  });
}

function failingActivity({ type, state, attempt, lastFailure, taskQueue }: ActivityView): readonly string[] {
  if (lastFailure === undefined || (state !== 'scheduled' && state !== 'started')) return [];
  if (unknownActivity.test(lastFailure)) {
    return [
      `The worker of the queue ${taskQueue} has no activity ${type}, which is retried (attempt ${attempt}): the service and the workflow are not of the same version.`,
    ];
  }
  return [`The activity ${type} failed and is retried (attempt ${attempt}): ${lastFailure}`];
}

/** A workflow whose code fails stays RUNNING and is retried without limit; only the first failure is in its history. */
function failingWorkflowTask({ description, events, misfit }: ProblemSources): readonly string[] {
  const attempt = description.raw.pendingWorkflowTask?.attempt ?? 0;
  if (attempt <= 1 && misfit === undefined) return [];
  if (attempt <= 1) {
    return [`The code of the workflow was changed and does not match its history; its next step will fail: ${misfit}`];
  }
  const failed = lastFailedTask(events)?.workflowTaskFailedEventAttributes;
  const cause = describeTaskFailure(failed?.cause);
  if (misfit === undefined && (failed === undefined || !cause.isCode)) {
    return [
      `The worker that executed the next step of the workflow ended or was too slow (attempt ${attempt}); the step is retried. If this continues, read the log of the service.`,
    ];
  }
  const reason = misfit ?? describeFailure(failed?.failure) ?? cause.text;
  return [`The code of the workflow fails (attempt ${attempt}): ${reason}`];
}

/** The event with which the task that is tried again has failed at first; undefined for a task that ran into its time limit. */
function lastFailedTask(events: readonly HistoryEvent[]): HistoryEvent | undefined {
  return events.findLast(({ eventType }) => taskEnds.includes(eventType));
}

const taskEnds: readonly string[] = [
  'EVENT_TYPE_WORKFLOW_TASK_COMPLETED',
  'EVENT_TYPE_WORKFLOW_TASK_FAILED',
  'EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT',
];
