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
      /** Those of the queues that no worker asks for work. */
      readonly unpolled: readonly string[];
    };

const answerWithinMs = 3_000;

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
    connectTimeout: answerWithinMs,
    interceptors: [createRetryInterceptor(parts)],
  });
  try {
    await connection.ensureConnected();
    const client = new ClientClass({ connection, namespace: settings.namespace });
    return await client.withDeadline(Date.now() + answerWithinMs, () => inspect(client, settings, taskQueues));
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
  const [{ serverVersion }, polled] = await Promise.all([
    client.workflowService.getSystemInfo({}),
    Promise.all(taskQueues.map((taskQueue) => isPolled(client, taskQueue))),
  ]);
  const unpolled = taskQueues.filter((_, index) => polled[index] === false);
  return { state: 'there', address, namespace, serverVersion, unpolled };
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
