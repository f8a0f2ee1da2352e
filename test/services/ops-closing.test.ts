import { createOrderEnvironment, type OrderEnvironment } from '../workflows/support/order-environment';
import { openServices, type OpenServices } from './support/open-services';
import { createOpsView, newOrderId } from './support/ops-view';

describe('a workflow that ends while a request about it is under way', () => {
  let environment: OrderEnvironment;
  let services: OpenServices;
  const { post } = createOpsView(() => services);
  beforeAll(async () => {
    environment = await createOrderEnvironment({ server: 'local' });
    const client = <T>(): Promise<T> => Promise.resolve(environment.temporal.client as T);
    services = await openServices({ temporal: { namespace: 'default', client } });
  });
  afterAll(async () => {
    await services.close();
    await environment.close();
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
