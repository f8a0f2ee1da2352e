import { setTimeout } from 'node:timers/promises';
import { consignmentWorkflowId } from '@gantry/contracts';
import { eventually } from '../../support/eventually';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { walkOrder } from '../../workflows/support/walk-order';
import type { OpenServices } from '../support/open-services';
import type { QuickOrders } from '../support/quick-orders';

const orderId = 'in-transit';
/** Dispatches are looked for every three seconds. */
const twoRoundsMs = 6_500;

interface Request {
  readonly execution?: { readonly workflowId?: string };
}

// The workflow of an order has no step for a parcel that has left.
export function describeDispatches(orders: () => QuickOrders): void {
  describe('the row of an order that waits for its consignment', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    beforeAll(async () => {
      ({ environment, services } = orders());
      await environment.startWorker('email');
      await orders().startBackground();
    });

    it('says that the parcel is in transit once it was dispatched, also in a redelivery', async () => {
      const read = jest.spyOn(environment.temporal.client.workflowService, 'getWorkflowExecutionHistory');
      const readsOfConsignment = (): number =>
        read.mock.calls.filter(
          ([request]) => (request as Request).execution?.workflowId === consignmentWorkflowId(orderId),
        ).length;
      await walkOrder(environment, orderId).pay();
      await untilRow('OPEN', 'WAITING_FOR_CHILD');
      const waitingSince = await since();
      await setTimeout(twoRoundsMs);
      expect(readsOfConsignment()).toBe(0);
      await environment.signalConsignment(orderId, 'shipmentDispatched');
      await untilRow('OPEN', 'IN_TRANSIT');
      expect(Date.parse(await since())).toBeGreaterThan(Date.parse(waitingSince));
      await setTimeout(twoRoundsMs);
      expect(readsOfConsignment()).toBe(1);
      read.mockRestore();

      await environment.temporal.client.workflow.getHandle(consignmentWorkflowId(orderId)).terminate('lost');
      await untilRow('NEEDS_DECISION', 'WAITING_FOR_CHILD');
      await services.call('POST /orders/:orderId/redelivery', { params: { orderId }, body: {} });
      await untilRow('REDELIVERING', 'WAITING_FOR_CHILD');
      await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');
      // The dispatch of the first consignment does not count for the second.
      expect(await row()).toMatchObject({ step: 'WAITING_FOR_CHILD' });
      await environment.signalConsignment(orderId, 'shipmentDispatched');
      await untilRow('REDELIVERING', 'IN_TRANSIT');
    });

    async function row() {
      const [found] = await services.database.query<{ status: string; step: string; since: string }>(
        'SELECT status, step, since FROM order_order WHERE order_id = $1',
        [orderId],
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
      return eventually(isThere, `the order is ${status} at ${step}`);
    }
  });
}
