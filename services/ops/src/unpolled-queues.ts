import type { Client } from '@temporalio/client';
import { isPolled } from './problems';

/** More queues than a platform has; each of them takes a few short calls. */
const maxQueues = 20;

/**
 * Queues that have open workflows and that no worker polls: one sentence for each. Such a workflow was started on a queue that
 * nobody serves, often by a mistake in its name, and is RUNNING for ever.
 */
export async function findUnpolledQueues(client: Client): Promise<readonly string[]> {
  const open = await openQueues(client);
  const found = await Promise.all(
    open.map(async ({ taskQueue, workflowId }) =>
      (await isPolled(client, taskQueue))
        ? []
        : [
            `No worker polls the queue ${taskQueue}, which has open workflows, such as ${workflowId}: they wait until its service starts. If there is no such service, correct the queue in the code that starts the workflows, and terminate them.`,
          ],
    ),
  );
  return found.flat();
}

interface OpenQueue {
  readonly taskQueue: string;
  /** One of its open workflows. */
  readonly workflowId: string;
}

/** The queues of open workflows. Temporal cannot group by them, so that each is found by leaving out those before. */
async function openQueues(client: Client): Promise<readonly OpenQueue[]> {
  const found: OpenQueue[] = [];
  while (found.length < maxQueues) {
    const others = found.map(({ taskQueue }) => ` AND TaskQueue != '${taskQueue}'`).join('');
    const { executions } = await client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      pageSize: 1,
      query: `ExecutionStatus = 'Running'${others}`,
    });
    const { execution, taskQueue } = executions[0] ?? {};
    if (!taskQueue) break;
    found.push({ taskQueue, workflowId: execution?.workflowId ?? '' });
    // It cannot be left out.
    if (/['"`\\\p{Cc}]/u.test(taskQueue)) break;
  }
  return found;
}
