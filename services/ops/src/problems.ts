import { workerGoneAfterMs, type ActivityView } from '@gantry/contracts';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { FoundWorkflow } from './find-workflow';
import { describeFailure, type HistoryEvent } from './history';
import { timeOf } from './workflow-summary';

export interface ProblemSources extends FoundWorkflow {
  readonly activities: readonly ActivityView[];
  readonly events: readonly HistoryEvent[];
}

const { TaskQueueType } = temporal.api.enums.v1;

/** How the SDK's workers answer for an activity that they do not have (order specification, section 7). */
const unknownActivity = /^Activity function \S+ is not registered on this Worker/;

/** What keeps a running workflow from going on, in plain words. */
export async function findProblems(client: Client, sources: ProblemSources): Promise<readonly string[]> {
  const queues = await waitingQueues(client, sources);
  return [...queues, ...sources.activities.flatMap(failingActivity), ...failingWorkflowTask(sources)];
}

/** Tasks that wait in a queue which nobody polls: neither time-outs nor retries run then. */
async function waitingQueues(
  client: Client,
  { summary, description, activities }: ProblemSources,
): Promise<readonly string[]> {
  const waiting = [
    ...activities
      .filter(({ state, taskQueue }) => state === 'scheduled' && taskQueue !== '')
      .map(({ type, taskQueue }) => ({
        taskQueue,
        kind: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
        task: `the activity ${type}`,
      })),
    ...(description.raw.pendingWorkflowTask == null
      ? []
      : [
          {
            taskQueue: summary.taskQueue,
            kind: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
            task: 'the next step of the workflow',
          },
        ]),
  ];
  const isPolled = createPollerQuestion(client);
  const found = await Promise.all(
    waiting.map(async ({ taskQueue, kind, task }) =>
      (await isPolled(taskQueue, kind))
        ? []
        : [`No worker polls the queue ${taskQueue}: ${task} waits until its service is started.`],
    ),
  );
  return found.flat();
}

type Kind = temporal.api.enums.v1.TaskQueueType;

/** Many activities may wait in one queue: each queue is asked for once. */
function createPollerQuestion(client: Client): (taskQueue: string, kind: Kind) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return (taskQueue, kind) => {
    const key = `${kind} ${taskQueue}`;
    const answer = answers.get(key) ?? hasPollers(client, taskQueue, kind);
    answers.set(key, answer);
    return answer;
  };
}

async function hasPollers(client: Client, taskQueue: string, taskQueueType: Kind): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  });
  return pollers.some(({ lastAccessTime }) => {
    const time = timeOf(lastAccessTime);
    return time !== undefined && Date.now() - Date.parse(time) < workerGoneAfterMs;
  });
}

function failingActivity({ type, state, attempt, lastFailure, taskQueue }: ActivityView): readonly string[] {
  if (lastFailure === undefined || (state !== 'scheduled' && state !== 'started')) return [];
  if (unknownActivity.test(lastFailure)) {
    return [
      `The worker of the queue ${taskQueue} does not know the activity ${type}, which is tried again (attempt ${attempt}): the service and the workflow are not of the same version.`,
    ];
  }
  return [`The activity ${type} has failed and is tried again (attempt ${attempt}): ${lastFailure}`];
}

/** A workflow whose code fails stays RUNNING and is tried for ever; only the first failure is in its history. */
function failingWorkflowTask({ description, events }: ProblemSources): readonly string[] {
  const attempt = description.raw.pendingWorkflowTask?.attempt ?? 0;
  if (attempt <= 1) return [];
  const failed = events.findLast((event) => event.workflowTaskFailedEventAttributes !== undefined);
  const reason = describeFailure(failed?.workflowTaskFailedEventAttributes?.failure) ?? 'the worker gave no reason';
  return [`The code of the workflow fails (attempt ${attempt}): ${reason}`];
}
