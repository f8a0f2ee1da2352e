import type { WorkflowDetail } from '@gantry/contracts';
import { createOrderEnvironment, type OrderEnvironment } from '../workflows/support/order-environment';
import { eventually } from './support/eventually';
import { openServices, type OpenServices } from './support/open-services';

describe('the operations view while a worker is missing', () => {
  let environment: OrderEnvironment;
  let services: OpenServices;
  beforeAll(async () => {
    environment = await createOrderEnvironment({ server: 'local', missing: ['email'] });
    const client = <T>(): Promise<T> => Promise.resolve(environment.temporal.client as T);
    services = await openServices({ temporal: { namespace: 'default', client } });
  }, 60_000);
  afterAll(async () => {
    await services.close();
    await environment.close();
  });

  test('names the queue and the activity that waits, and nothing more once the worker is there', async () => {
    await environment.placeOrder('held-up');
    const detail = async (): Promise<WorkflowDetail> =>
      (await services.call('GET /workflows/:workflowId', { params: { workflowId: 'order-held-up' } }))
        .data as WorkflowDetail;

    const waiting = await eventually(detail, ({ activities, problems }) => activities.length * problems.length === 1);
    expect(waiting.activities).toMatchObject([{ type: 'sendOrderPlacedNotification', state: 'scheduled' }]);
    expect(waiting.problems).toEqual([
      'No worker polls the queue email-tq: the activity sendOrderPlacedNotification waits until its service is started.',
    ]);

    await environment.startWorker('email');
    const going = await eventually(detail, ({ activities }) => activities[0]?.state === 'completed');
    expect(going.problems).toEqual([]);
  });
});
