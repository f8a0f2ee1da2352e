import { randomUUID } from 'node:crypto';
import { orderWorkflowId } from '@gantry/contracts';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

/** Resets an order to its refund as an operator can by Temporal's own tools; ours refuse it. */
export async function resetCompensation(client: TestWorkflowEnvironment['client'], orderId: string): Promise<void> {
  const handle = client.workflow.getHandle(orderWorkflowId(orderId));
  const { runId } = await handle.describe();
  const activities = ((await handle.fetchHistory()).events ?? []).map(
    (event) => event.activityTaskScheduledEventAttributes,
  );
  const refund = activities.find((activity) => activity?.activityType?.name === 'refundPayment');
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: handle.workflowId, runId },
    reason: 'try again',
    workflowTaskFinishEventId: refund?.workflowTaskCompletedEventId ?? null,
    requestId: randomUUID(),
  });
}
