import type { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

type Answer = Parameters<Client['workflowService']['respondWorkflowTaskCompleted']>[0];
type Command = NonNullable<Answer['commands']>[number];

type CommandType = NonNullable<Command['commandType']>;

/** A workflow of others, whose tasks a test answers itself: histories of any length, without a worker's replay. */
export interface HandMadeWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  /** Answers the task that waits. @param more whether the next one waits at once */
  answer(commands: readonly Command[], more?: boolean): Promise<void>;
  signal(): Promise<void>;
}

export async function startHandMade(
  { client }: TestWorkflowEnvironment,
  workflowId: string,
): Promise<HandMadeWorkflow> {
  const taskQueue = `queue of ${workflowId}`;
  const { namespace } = client.options;
  const handle = await client.workflow.start('foreignWorkflow', { workflowId, taskQueue });
  return {
    workflowId,
    runId: handle.firstExecutionRunId,
    async answer(commands, more = false) {
      const { taskToken } = await client.withDeadline(Date.now() + 30_000, () =>
        client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
      );
      await client.workflowService.respondWorkflowTaskCompleted({
        namespace,
        taskToken,
        commands: [...commands],
        forceCreateNewWorkflowTask: more,
      });
    },
    signal: () => handle.signal('go'),
  };
}

/** So many events that mean nothing. */
export function markers(count: number): readonly Command[] {
  return Array.from({ length: count }, () => ({
    commandType: commandType(9),
    recordMarkerCommandAttributes: { markerName: 'mark' },
  }));
}

/** An activity in a queue that nobody polls. */
export function activity(activityId: string): Command {
  return {
    commandType: commandType(1),
    scheduleActivityTaskCommandAttributes: {
      activityId,
      activityType: { name: activityId },
      taskQueue: { name: 'nobody-tq' },
      startToCloseTimeout: { seconds: 60 as never },
    },
  };
}

export function failure(message: string): Command {
  return {
    commandType: commandType(5),
    failWorkflowExecutionCommandAttributes: { failure: { message } },
  };
}

/** By its number; the enum is in a package that these tests do not depend on. */
function commandType(number: unknown): CommandType {
  return number as CommandType;
}
