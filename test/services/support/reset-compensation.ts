import { randomUUID } from 'node:crypto';
import { orderWorkflowId } from '@gantry/contracts';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

type Client = TestWorkflowEnvironment['client'];

/** Resets an order to its refund as an operator can by Temporal's own tools; ours refuse it. */
export async function resetCompensation(client: Client, orderId: string): Promise<void> {
  const handle = client.workflow.getHandle(orderWorkflowId(orderId));
  const activities = ((await handle.fetchHistory()).events ?? []).map(
    (event) => event.activityTaskScheduledEventAttributes,
  );
  const refund = activities.find((activity) => activity?.activityType?.name === 'refundPayment');
  await resetTo(client, orderId, refund?.workflowTaskCompletedEventId);
}

/** Resets an order to its first task, in the same way. */
export async function resetToBegin(client: Client, orderId: string): Promise<void> {
  const { events } = await client.workflow.getHandle(orderWorkflowId(orderId)).fetchHistory();
  await resetTo(client, orderId, events?.find((event) => event.workflowTaskCompletedEventAttributes != null)?.eventId);
}

async function resetTo(client: Client, orderId: string, eventId: Long | null | undefined): Promise<void> {
  const { workflowId, runId } = await client.workflow.getHandle(orderWorkflowId(orderId)).describe();
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'try again',
    workflowTaskFinishEventId: eventId ?? null,
    requestId: randomUUID(),
  });
}

type Long = NonNullable<
  Parameters<Client['workflowService']['resetWorkflowExecution']>[0]['workflowTaskFinishEventId']
>;
