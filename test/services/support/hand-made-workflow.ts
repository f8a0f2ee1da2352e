import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporal as proto } from '@temporalio/proto';

type Command = proto.api.command.v1.ICommand;

const { CommandType } = proto.api.enums.v1;

/** A workflow of others, whose tasks a test answers itself: histories of any length, without a worker's replay. */
export interface HandMadeWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  /** Answers the task that waits. @param more whether the next one shall wait at once */
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
    commandType: CommandType.COMMAND_TYPE_RECORD_MARKER,
    recordMarkerCommandAttributes: { markerName: 'mark' },
  }));
}

/** An activity in a queue that nobody polls. */
export function activity(activityId: string): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
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
    commandType: CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
    failWorkflowExecutionCommandAttributes: { failure: { message } },
  };
}
