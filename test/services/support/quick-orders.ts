import type { OrderActivities } from '@gantry/contracts';
import { eventually } from '../../support/eventually';
import { createOrderEnvironment, type OrderEnvironment } from '../../workflows/support/order-environment';
import { openServices, type OpenServices } from './open-services';
import { bundleQuickConsignment } from './quick-consignment';

/** Orders on a real Temporal whose consignments do not wait, and whose rows are stored by the order service. */
export interface QuickOrders {
  readonly environment: OrderEnvironment;
  readonly services: OpenServices;
  /** As Temporal names it, for example `RUNNING`. */
  statusOf(workflowId: string): Promise<string>;
  untilClosed(workflowId: string): Promise<void>;
  close(): Promise<void>;
}

export async function openQuickOrders(): Promise<QuickOrders> {
  const consignment = await bundleQuickConsignment();
  const environment = await createOrderEnvironment({ server: 'local', consignmentBundle: consignment.bundle });
  const client = <T>(): Promise<T> => Promise.resolve(environment.temporal.client as T);
  const services = await openServices({ temporal: { namespace: 'default', client } });
  environment.activities.storeWith(services.activities<OrderActivities>('order'));
  const statusOf = async (workflowId: string): Promise<string> =>
    (await environment.temporal.client.workflow.getHandle(workflowId).describe()).status.name;
  return {
    environment,
    services,
    statusOf,
    untilClosed: (workflowId) =>
      eventually(async () => (await statusOf(workflowId)) !== 'RUNNING', 30_000, `${workflowId} is closed`),
    async close() {
      await environment.close();
      await services.close();
      await consignment.remove();
    },
  };
}
