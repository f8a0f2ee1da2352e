import type { DeliverInput, JobActivities, JobInput, SubscriptionActivities } from '@gantry/contracts';
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

const { deliver } = proxyActivities<SubscriptionActivities>({
  // It ends by itself within about an hour; a host that is gone is noticed by its heartbeats.
  startToCloseTimeout: '3 hours',
  heartbeatTimeout: '10 seconds',
  // Without limit: the database may be unavailable for long.
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** As `wakeSignal` of the contracts. */
const wake = defineSignal('wake');

/** Runs after which the workflow continues as new in any case. */
const maxRuns = 500;

/** Delivers the changes of one subscription, for as long as it is active: one activity at a time, and none while there is nothing to deliver. */
export async function deliverSubscription(input: DeliverInput): Promise<void> {
  let wakeUps = 0;
  setHandler(wake, () => {
    wakeUps += 1;
  });
  for (let runs = 0; runs < maxRuns && !workflowInfo().continueAsNewSuggested; runs += 1) {
    const before = wakeUps;
    const isWoken = (): boolean => wakeUps > before;
    const outcome = await deliver(input);
    // Resumed meanwhile, it has been signalled.
    if (outcome.next === 'end' && !isWoken()) return;
    if (outcome.next !== 'wait') continue;
    if (outcome.retryInMs === undefined) await condition(isWoken);
    else if (outcome.retryInMs > 0) await condition(isWoken, outcome.retryInMs);
  }
  await continueAsNew<typeof deliverSubscription>(input);
}

/** Runs a job of a plugin once, with its attempts. */
export async function runScheduledJob({ name, timeoutMs, maxAttempts }: JobInput): Promise<void> {
  const { runJob } = proxyActivities<JobActivities>({
    startToCloseTimeout: timeoutMs,
    // A host that is gone is noticed by its heartbeats.
    heartbeatTimeout: '15 seconds',
    retry: {
      maximumAttempts: maxAttempts,
      initialInterval: '5 seconds',
      backoffCoefficient: 2,
      maximumInterval: '5 minutes',
    },
  });
  const { typedSearchAttributes, startTime } = workflowInfo();
  const attributes = typedSearchAttributes.getAll();
  const scheduled = attributes.find(({ key }) => key.name === 'TemporalScheduledStartTime')?.value;
  await runJob(name, (scheduled instanceof Date ? scheduled : startTime).getTime());
}
