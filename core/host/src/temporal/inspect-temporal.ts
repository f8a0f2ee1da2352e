import { workerGoneAfterMs } from '@gantry/contracts';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { createRetryInterceptor } from './call-retries';
import { absenceOf } from './explain-absence';
import { readTemporalSettings, type TemporalSettings } from './settings';

/** The state of the Temporal that the settings name. */
export type TemporalInspection =
  | { readonly state: 'unnamed' }
  | { readonly state: 'unavailable'; readonly reason: string; readonly remedy: string }
  | {
      readonly state: 'there';
      readonly address: string;
      readonly namespace: string;
      readonly serverVersion: string;
      /** The given queues that no worker polls. */
      readonly unpolled: readonly string[];
      /** Other queues that no worker polls, and that have open workflows. */
      readonly forgotten: readonly ForgottenQueue[];
    };

/** A queue with open workflows that nobody executes. */
export interface ForgottenQueue {
  readonly taskQueue: string;
  /** One of its open workflows. */
  readonly workflowId: string;
}

const requestTimeoutMs = 3_000;

/**
 * Asks Temporal for its version, for the namespace, and who polls the queues. Changes nothing, and takes seconds at most:
 * three for the connection, three for the answers.
 * @throws Error that names the TEMPORAL variable which cannot be used
 */
export async function inspectTemporal(
  environment: Readonly<Record<string, string | undefined>>,
  taskQueues: readonly string[],
): Promise<TemporalInspection> {
  const settings = readTemporalSettings(environment);
  if (settings === undefined) return { state: 'unnamed' };
  const parts = await import('@temporalio/client');
  const { Client: ClientClass, Connection: ConnectionClass } = parts;
  // Not `connect`, which leaves a connection open that has failed.
  const connection = ConnectionClass.lazy({
    ...settings.connection,
    connectTimeout: requestTimeoutMs,
    interceptors: [createRetryInterceptor(parts)],
  });
  try {
    await connection.ensureConnected();
    const client = new ClientClass({ connection, namespace: settings.namespace });
    return await client.withDeadline(Date.now() + requestTimeoutMs, () => inspect(client, settings, taskQueues));
  } catch (error) {
    return { state: 'unavailable', ...(await absenceOf(settings, error)) };
  } finally {
    await connection.close();
  }
}

async function inspect(
  client: Client,
  { address, namespace }: TemporalSettings,
  taskQueues: readonly string[],
): Promise<TemporalInspection> {
  await client.workflowService.describeNamespace({ namespace });
  const [{ serverVersion }, polled, forgotten] = await Promise.all([
    client.workflowService.getSystemInfo({}),
    Promise.all(taskQueues.map((taskQueue) => isPolled(client, taskQueue))),
    findForgotten(client, taskQueues),
  ]);
  const unpolled = taskQueues.filter((_, index) => polled[index] === false);
  return { state: 'there', address, namespace, serverVersion, unpolled, forgotten };
}

/** Others than those named that are looked at. */
const maxOtherQueues = 20;

/** Temporal cannot group workflows by their queues, so that each is found by leaving out those before. */
async function findForgotten(client: Client, named: readonly string[]): Promise<readonly ForgottenQueue[]> {
  const forgotten: ForgottenQueue[] = [];
  const known = [...named];
  while (known.length < named.length + maxOtherQueues) {
    const others = known.map((queue) => ` AND TaskQueue != '${queue}'`).join('');
    const { executions } = await client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      pageSize: 1,
      query: `ExecutionStatus = 'Running'${others}`,
    });
    const { execution, taskQueue } = executions[0] ?? {};
    // One with a quote cannot be left out of the next answer.
    if (!taskQueue || /['"`\\\p{Cc}]/u.test(taskQueue)) break;
    known.push(taskQueue);
    if (!(await isPolled(client, taskQueue))) forgotten.push({ taskQueue, workflowId: execution?.workflowId ?? '' });
  }
  return forgotten;
}

const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = temporal.api.enums.v1.TaskQueueType;
/** A worker asks for either, or for both. */
const kindsOfWork = [TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY] as const;

async function isPolled(client: Client, taskQueue: string): Promise<boolean> {
  const answers = await Promise.all(
    kindsOfWork.map((taskQueueType) =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: taskQueue },
        taskQueueType,
      }),
    ),
  );
  return answers.some(({ pollers }) =>
    pollers.some(({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < workerGoneAfterMs),
  );
}
