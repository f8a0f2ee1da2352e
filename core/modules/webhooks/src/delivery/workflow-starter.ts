import { deliverWorkflow, subscriptionsTaskQueue, wakeSignal, type DeliverInput } from '@gantry/contracts';
import type { Logger, Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';

/** Starts the workflows of subscriptions, or wakes up those that wait. */
export interface WorkflowStarter {
  /** The workflow of this subscription is to be started. */
  add(id: string): void;
  /** Starts those that were added and are needed; what Temporal does not take now is tried at the next call. */
  start(isNeeded: (id: string) => WorkflowNeed): Promise<void>;
}

/** `later`: another host has it. */
export type WorkflowNeed = 'now' | 'later' | 'no';

export interface WorkflowStarterOptions {
  readonly temporal: Temporal;
  readonly logger: Logger;
  readonly installationId: string;
}

/** Calls of Temporal at the same time. */
const maxCalls = 16;
const callTimeoutMs = 5_000;

export function createWorkflowStarter({ temporal, logger, installationId }: WorkflowStarterOptions): WorkflowStarter {
  const added = new Set<string>();
  let starting: Promise<void> | undefined;
  let isFailing = false;

  const startAll = async (ids: readonly string[]): Promise<void> => {
    const client = await temporal.client<Client>();
    for (let first = 0; first < ids.length; first += maxCalls) {
      await Promise.all(
        ids.slice(first, first + maxCalls).map(async (id) => {
          added.delete(id);
          await wake(client, `gantry-subscription-${installationId}-${id}`, { subscriptionId: id }).catch(
            (error: unknown) => {
              added.add(id);
              throw error;
            },
          );
        }),
      );
    }
  };
  const startSafely = async (ids: readonly string[]): Promise<void> => {
    try {
      await startAll(ids);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'changes wait: the workflows of subscriptions cannot be started');
      isFailing = true;
    }
  };
  return {
    add: (id) => void added.add(id),
    async start(isNeeded) {
      if (starting !== undefined) return;
      const ids: string[] = [];
      for (const id of added) {
        const need = isNeeded(id);
        if (need === 'now') ids.push(id);
        if (need === 'no') added.delete(id);
      }
      if (ids.length === 0) return;
      starting = startSafely(ids).finally(() => {
        starting = undefined;
      });
      await starting;
    },
  };
}

async function wake(client: Client, workflowId: string, input: DeliverInput): Promise<void> {
  const options = { workflowId, taskQueue: subscriptionsTaskQueue, args: [input], signal: wakeSignal };
  await client.withDeadline(Date.now() + callTimeoutMs, () =>
    client.workflow.signalWithStart(deliverWorkflow, options),
  );
}
