import type { OrderEnvironment } from '../../workflows/support/order-environment';
import type { OpenServices } from '../support/open-services';
import type { OrderServices } from '../support/order-services';

export function describeForeignWorkflows(opened: () => OrderServices): void {
  // The starter of a workflow chooses its id. On a real server: one that skips time does not advance for workflows of others.
  describe('a workflow of others that has the id', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    beforeAll(() => {
      ({ environment, services } = opened());
    });

    test('of an order is no duplicate of it, and takes no payment', async () => {
      const stranger = await start('order-1');

      await expect(services.call('POST /place-order', { body: { orderId: '1' } })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/ order-1 .* somethingElse .* orderId/),
      });
      await expect(services.call('POST /payment', { query: { orderId: '1' } })).rejects.toMatchObject({
        code: 'ORDER_NOT_FOUND',
      });
      expect(await services.database.query('SELECT state FROM payment_payment')).toEqual([]);
      expect(await stranger.signals()).toBe(0);
    });

    test.each(['dispatched', 'confirmed'])('of a consignment is not notified that the parcel was %s', async (what) => {
      const stranger = await start(`consignment-${what}`);

      await expect(
        services.call(`POST /consignments/:orderId/${what}`, { params: { orderId: what } }),
      ).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
      expect(await stranger.signals()).toBe(0);
    });

    test('gets a signal with its arguments, as its own client would send them, and who asked', async () => {
      const { workflow } = environment.temporal.client;
      const handle = await workflow.start('somethingElse', { workflowId: 'postponed', taskQueue: 'elsewhere-tq' });
      const args = [{ until: '2030-01-31', tags: ['a', 'ü'] }, null, 5, 'text'];
      const body = { signal: 'postpone', args, reason: 'holiday', requestedBy: 'eve' };
      await services.call('POST /workflows/:workflowId/signal', { params: { workflowId: 'postponed' }, body });
      await handle.signal('postpone', ...args);

      const { events } = await handle.fetchHistory();
      const [ours, theirs] = (events ?? []).flatMap((event) => event.workflowExecutionSignaledEventAttributes ?? []);
      expect(ours?.input).toEqual(theirs?.input);
      expect(ours?.identity).toBe('gantry ops: eve');
    });

    async function start(workflowId: string): Promise<{ signals(): Promise<number> }> {
      const { workflow } = environment.temporal.client;
      const handle = await workflow.start('somethingElse', { workflowId, taskQueue: 'elsewhere-tq' });
      return {
        async signals() {
          const { events } = await handle.fetchHistory();
          return (events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null).length;
        },
      };
    }
  });
}
