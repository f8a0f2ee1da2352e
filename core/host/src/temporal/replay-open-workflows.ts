import type { Client } from '@temporalio/client';
import { describeError } from '@gantry/core-common';
import { explainAbsence } from './explain-absence';
import { readTemporalSettings, type TemporalSettings } from './settings';
import type { ReplayOptions, WorkflowFindings } from '@gantry/core-lifecycle/check-process';

/** Each history is read and replayed as a whole; so many take some seconds. */
const atMost = 200;
const connectTimeoutMs = 5_000;

/** Replays the histories of the workflows that are open on a queue against a bundle (plugin contract, "Temporal"). */
export async function replayOpenWorkflows(options: ReplayOptions): Promise<WorkflowFindings> {
  const { taskQueue, environment } = options;
  const settings = readTemporalSettings(environment);
  if (settings === undefined) {
    return unknown(taskQueue, 'no Temporal is configured', 'Check again while the platform runs');
  }
  const { Client: ClientClass, Connection } = await import('@temporalio/client');
  let connection: Awaited<ReturnType<typeof Connection.connect>>;
  try {
    connection = await Connection.connect({ ...settings.connection, connectTimeout: connectTimeoutMs });
  } catch (error) {
    return unknown(taskQueue, await explainAbsence(settings, error), 'Check again when Temporal is available');
  }
  try {
    return await replayAll(new ClientClass({ connection, namespace: settings.namespace }), options, settings);
  } catch (error) {
    return unknown(taskQueue, describeError(error), 'Check again in a moment');
  } finally {
    await connection.close();
  }
}

async function replayAll(
  client: Client,
  { taskQueue, workflowsPath }: ReplayOptions,
  settings: TemporalSettings,
): Promise<WorkflowFindings> {
  const { Worker, Runtime, DefaultLogger } = await import('@temporalio/worker');
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { forward: {}, filter: 'OFF' } },
  });
  const open = await openWorkflows(client, taskQueue);
  const chosen = open.slice(0, atMost);
  const histories = async function* () {
    for (const { workflowId, runId } of chosen) {
      yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
    }
  };
  const failures: { readonly workflowId: string; readonly reason: string }[] = [];
  const options = { workflowBundle: { codePath: workflowsPath }, namespace: settings.namespace };
  // Without any history, the bundle itself is still loaded.
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories())) {
    if (error !== undefined) failures.push({ workflowId, reason: reasonOf(error) });
  }
  return { kind: 'replayed', taskQueue, count: chosen.length, isPartial: open.length > atMost, failures };
}

/** The SDK wraps the error into a dump of its internal structures, including the stack. */
function reasonOf(error: unknown): string {
  const text = describeError(error);
  const wrapped = /message: \\?"((?:[^"\\]|\\[^"])*)/.exec(text)?.[1];
  return wrapped ?? text.split('\n', 1)[0] ?? text;
}

async function openWorkflows(client: Client, taskQueue: string) {
  const open: { readonly workflowId: string; readonly runId: string }[] = [];
  const query = `TaskQueue = '${taskQueue.replaceAll("'", "\\'")}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    open.push({ workflowId, runId });
    if (open.length > atMost) break;
  }
  return open;
}

function unknown(taskQueue: string, reason: string, remedy: string): WorkflowFindings {
  return {
    kind: 'unknown',
    taskQueue,
    reason: `The open workflows of the queue ${taskQueue} were not replayed: ${reason}`,
    remedy,
  };
}
