import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { createOpsView, newOrderId } from '../support/ops-view';
import type { QuickOrders } from '../support/quick-orders';

export function describeOpsClosing(orders: () => QuickOrders): void {
  describe('a workflow that ends while a request about it is under way', () => {
    let environment: OrderEnvironment;
    const { post } = createOpsView(() => orders().services);
    beforeAll(() => {
      ({ environment } = orders());
    });

    // Temporal itself takes a cancellation that comes then, and nothing comes of it.
    test.each([
      ['terminate', 'terminateWorkflowExecution'],
      ['signal', 'signalWorkflowExecution'],
    ] as const)('%s answers 409 when the workflow ends before the request arrives', async (verb, call) => {
      const orderId = newOrderId('delivered');
      const handle = await environment.placeOrder(orderId);
      const { workflowService } = environment.temporal.client;
      const send: (request: object) => Promise<object> = workflowService[call].bind(workflowService);
      const spy = jest.spyOn(workflowService, call).mockImplementationOnce(async (request: object) => {
        await handle.terminate();
        return (await send(request)) as never;
      });

      const asked = post(`order-${orderId}`, verb, verb === 'signal' ? { signal: 'paymentReceived' } : {});
      await expect(asked.finally(() => spy.mockRestore())).rejects.toMatchObject({
        status: 409,
        code: 'WORKFLOW_CLOSED',
        message: expect.stringContaining('ended (TERMINATED) before Temporal received the request'),
      });
    });
  });
}
