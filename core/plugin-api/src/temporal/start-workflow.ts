import { GantryError } from '../errors';
import type { Temporal } from '../plugin-context';
import { callTemporal, type DeadlineClient } from './temporal-calls';

/** Options of {@link signalWithStart}. @public */
export interface SignalWithStartOptions {
  /** Of the workflow; a workflow with the same id runs once at a time. */
  readonly workflowId: string;
  /** Arguments of the workflow: values of JSON. */
  readonly args?: readonly unknown[];
  readonly signal: string;
  /** Arguments of the signal: values of JSON. */
  readonly signalArgs?: readonly unknown[];
  /** Behaviour of a start when a workflow with the id has ended: `ALLOW_DUPLICATE` unless given. */
  readonly workflowIdReusePolicy?: 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' | 'REJECT_DUPLICATE';
  /** Values that Temporal shows with the workflow. */
  readonly memo?: Readonly<Record<string, unknown>>;
  /** Milliseconds, or a text such as `20 minutes`, after which Temporal ends a run; never unless given. */
  readonly workflowRunTimeout?: number | string;
}

/** Options of {@link startWorkflow}. @public */
export interface StartWorkflowOptions extends Omit<SignalWithStartOptions, 'signal' | 'signalArgs'> {
  /** Behaviour of a start when a workflow with the id runs: `FAIL` unless given, which is answered with CONFLICT. */
  readonly workflowIdConflictPolicy?: 'FAIL' | 'USE_EXISTING' | 'TERMINATE_EXISTING';
}

/** The run that was started, or that runs already. @public */
export interface StartedWorkflow {
  readonly workflowId: string;
  readonly runId: string;
}

/** The part of a `Client` of @temporalio/client that starts workflows. */
interface StartingClient extends DeadlineClient {
  readonly workflow: {
    start(type: string, options: object): Promise<{ readonly firstExecutionRunId: string }>;
    signalWithStart(type: string, options: object): Promise<{ readonly signaledRunId: string }>;
  };
}

/**
 * Starts a workflow of the plugin's own service, on the queue that its worker polls.
 * @throws GantryError CONFLICT when a workflow with the id runs, or has ended and `workflowIdReusePolicy` rejects another one; UNAVAILABLE
 * @example await startWorkflow(temporal, 'repair', \{ workflowId: 'repair-7', args: ['7'], workflowIdConflictPolicy: 'USE_EXISTING' \});
 * @public
 */
export function startWorkflow(
  temporal: Temporal,
  workflowType: string,
  options: StartWorkflowOptions,
): Promise<StartedWorkflow> {
  return start(temporal, options, async ({ workflow }, started) => {
    return (await workflow.start(workflowType, started)).firstExecutionRunId;
  });
}

/**
 * Sends a signal to a workflow of the plugin's own service, which is started first unless it runs.
 * @throws GantryError CONFLICT when it has ended and `workflowIdReusePolicy` rejects another one; UNAVAILABLE
 * @example await signalWithStart(temporal, 'basket', \{ workflowId: 'basket-7', signal: 'added', signalArgs: ['bread'] \});
 * @public
 */
export function signalWithStart(
  temporal: Temporal,
  workflowType: string,
  options: SignalWithStartOptions,
): Promise<StartedWorkflow> {
  return start(temporal, options, async ({ workflow }, started) => {
    return (await workflow.signalWithStart(workflowType, started)).signaledRunId;
  });
}

async function start(
  temporal: Temporal,
  options: Pick<SignalWithStartOptions, 'workflowId'>,
  call: (client: StartingClient, options: object) => Promise<string>,
): Promise<StartedWorkflow> {
  const { taskQueue } = temporal;
  if (taskQueue === undefined) {
    throw new Error('The plugin has no task queue. Name one in contributes.taskQueues of its manifest.');
  }
  const { workflowId } = options;
  try {
    const runId = await callTemporal(temporal, (client: StartingClient) => call(client, { ...options, taskQueue }));
    return { workflowId, runId };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'WorkflowExecutionAlreadyStartedError') throw error;
    const message = `A workflow with the id ${workflowId} was started before. Use another id, or a policy that allows it.`;
    throw new GantryError('CONFLICT', message, { cause: error });
  }
}
