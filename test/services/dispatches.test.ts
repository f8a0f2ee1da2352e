import { consignmentWorkflowId, type OrderActivities } from '@gantry/contracts';
import order from '@gantry/service-order';
import { eventually } from '../support/eventually';
import { createOrderEnvironment, type OrderEnvironment } from '../workflows/support/order-environment';
import { walkOrder } from '../workflows/support/walk-order';
import { openServices, type OpenServices } from './support/open-services';

// The workflow of an order has no step for a parcel that has left.
describe('the row of an order that waits for its consignment', () => {
  let environment: OrderEnvironment;
  let services: OpenServices;
  const stopped = new AbortController();
  beforeAll(async () => {
    environment = await createOrderEnvironment({ server: 'local' });
    const client = <T>() => Promise.resolve(environment.temporal.client as T);
    services = await openServices({ temporal: { namespace: 'default', client } });
    environment.activities.storeWith(services.activities<OrderActivities>('order'));
    await order.start?.({ ...services.context('order'), signal: stopped.signal });
  });
  afterAll(async () => {
    stopped.abort();
    await environment.close();
    await services.close();
  });

  it('says that the parcel is in transit once it was dispatched, also in a redelivery', async () => {
    await walkOrder(environment, 'left').pay();
    await untilRow('OPEN', 'WAITING_FOR_CHILD');
    const waitingSince = await since();
    await environment.signalConsignment('left', 'shipmentDispatched');
    await untilRow('OPEN', 'IN_TRANSIT');
    expect(Date.parse(await since())).toBeGreaterThan(Date.parse(waitingSince));

    await environment.temporal.client.workflow.getHandle(consignmentWorkflowId('left')).terminate('lost');
    await untilRow('NEEDS_DECISION', 'WAITING_FOR_CHILD');
    await services.call('POST /orders/:orderId/redelivery', { params: { orderId: 'left' }, body: {} });
    await untilRow('REDELIVERING', 'WAITING_FOR_CHILD');
    await environment.consignmentAt('left', 'WAITING_FOR_DISPATCH');
    // The dispatch of the first consignment does not count for the second.
    expect(await row()).toMatchObject({ step: 'WAITING_FOR_CHILD' });
    await environment.signalConsignment('left', 'shipmentDispatched');
    await untilRow('REDELIVERING', 'IN_TRANSIT');
  }, 60_000);

  async function row() {
    const [found] = await services.database.query<{ status: string; step: string; since: string }>(
      `SELECT status, step, since FROM order_order WHERE order_id = 'left'`,
    );
    return found;
  }

  async function since(): Promise<string> {
    return (await row())?.since ?? '';
  }

  function untilRow(status: string, step: string): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const found = await row();
      return found?.status === status && found.step === step;
    };
    return eventually(isThere, 30_000, `the order is ${status} at ${step}`);
  }
});
