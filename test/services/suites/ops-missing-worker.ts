import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PlatformSchema } from '@gantry/client/platform';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { workflowBundle, type OrderEnvironment } from '../../workflows/support/order-environment';
import { askUntil } from '../../support/ask-until';
import type { OpenServices } from '../support/open-services';
import type { QuickOrders } from '../support/quick-orders';

type OperationsOverview = PlatformSchema<'ops.OperationsOverview'>;
type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;

/** @param orders whose worker for email has not been started yet */
export function describeMissingWorker(orders: () => QuickOrders): void {
  describe('the operations view while a worker is missing', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    beforeAll(() => {
      ({ environment, services } = orders());
    });
    afterAll(() => environment.startWorker('email'));

    test('names the queue and the activity that waits, and nothing more once the worker is there', async () => {
      await environment.placeOrder('worker-held-up');
      const order = () => detail('order-worker-held-up');

      const waiting = await askUntil(order, ({ activities, problems }) => activities.length * problems.length === 1);
      expect(waiting.activities).toMatchObject([{ type: 'sendOrderPlacedNotification', state: 'scheduled' }]);
      expect(waiting.problems).toEqual([
        expect.stringMatching(/^No worker .* email-tq: .* activity sendOrderPlacedNotification /),
      ]);

      await environment.startWorker('email');
      const going = await askUntil(order, ({ activities }) => activities[0]?.state === 'completed');
      expect(going.problems).toEqual([]);
    });

    test('reports within seconds that a worker has ended which Temporal still lists', async () => {
      await environment.stopWorker('email');
      await environment.placeOrder('worker-left');
      const { pollers } = await environment.temporal.client.workflowService.describeTaskQueue({
        namespace: 'default',
        taskQueue: { name: 'email-tq' },
        taskQueueType: 2 as never,
      });
      expect(pollers).not.toEqual([]);

      const view = await askUntil(
        () => detail('order-worker-left'),
        ({ problems }) => problems.length > 0,
      );
      expect(view.problems).toEqual([expect.stringMatching(/^No worker .* email-tq: /)]);
      await environment.startWorker('email');
      await askUntil(
        () => detail('order-worker-left'),
        ({ activities, problems }) => activities[0]?.state === 'completed' && problems.length === 0,
      );
    });

    test('says that nobody polls the queue of a workflow', async () => {
      const { workflow } = environment.temporal.client;
      const workflowId = `stranded-${randomUUID()}`;
      await workflow.start('placeOrder', { workflowId, taskQueue: 'nobody-tq', args: [{ orderId: 'x' }] });
      const view = await detail(workflowId);

      expect(view.problems).toEqual([expect.stringMatching(/^No worker .* nobody-tq: .* workflow /)]);
      // Nobody can answer for it.
      expect(view).not.toHaveProperty('state');
      const query = { query: `WorkflowId = '${workflowId}'` };
      await askUntil(
        () => services.call('GET /workflows', { query }),
        ({ data }) => (data as readonly unknown[]).length === 1,
      );
      const { problems } = (await services.call('GET /operations')).data as OperationsOverview;
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^No worker .* nobody-tq, .* ${workflowId}: `))]);
      await workflow.getHandle(workflowId).terminate();
    });

    test('distinguishes a worker that ended during a step from code that fails', async () => {
      const { client } = environment.temporal;
      const { workflow, workflowService } = client;
      const workflowId = `in-hand-${randomUUID()}`;
      const taskQueue = { name: 'in-hand-tq' };
      const handle = await workflow.start('foreignWorkflow', {
        workflowId,
        taskQueue: taskQueue.name,
        workflowTaskTimeout: '1 second',
      });
      const take = () =>
        client.withDeadline(Date.now() + 30_000, () =>
          workflowService.pollWorkflowTaskQueue({ namespace: 'default', taskQueue }),
        );
      await take();
      const lost = await askUntil(
        () => detail(workflowId),
        ({ problems }) => problems.some((problem) => problem.includes('attempt')),
      );
      expect(lost.problems.join()).toMatch(/worker .* ended/);
      expect(lost.problems.join()).not.toContain('code');

      const { taskToken } = await take();
      await workflowService.respondWorkflowTaskCompleted({ namespace: 'default', taskToken, commands: [] });
      await handle.signal('go');
      const failing = await take();
      const codeFails = 14 as never;
      await workflowService.respondWorkflowTaskFailed({
        namespace: 'default',
        taskToken: failing.taskToken,
        cause: codeFails,
        failure: { message: 'a mistake of the author' },
      });
      const failed = await askUntil(
        () => detail(workflowId),
        ({ problems }) => problems.some((problem) => problem.includes('code')),
      );
      expect(failed.problems.join()).toMatch(/code .*\(attempt \d+\): a mistake of the author/);
      await handle.terminate();
    });

    test('says that a worker does not know the type of a workflow', async () => {
      const workflowId = `unknown-${randomUUID()}`;
      const { workflow } = environment.temporal.client;
      const handle = await workflow.start('noSuchWorkflow', { workflowId, taskQueue: 'order-tq' });
      const view = await askUntil(
        () => detail(workflowId),
        ({ problems }) => problems.length > 0,
      );

      expect(view.status).toBe('RUNNING');
      expect(view.problems.join()).toMatch(/code .*\(attempt \d+\): .*noSuchWorkflow/);
      await handle.terminate();
    });

    test('says that a worker does not know the type of an activity, and nothing more when one does', async () => {
      await environment.stopWorker('email');
      const activities = { somethingElse: () => Promise.resolve() };
      const stranger = await startOther(environment, { taskQueue: 'email-tq', activities });
      await environment.placeOrder('worker-misunderstood');
      const order = () => detail('order-worker-misunderstood');
      const view = await askUntil(order, ({ problems }) => problems.length > 0);

      expect(view.activities).toMatchObject([{ type: 'sendOrderPlacedNotification' }]);
      expect(view.problems).toEqual([
        expect.stringMatching(/ email-tq .* no activity sendOrderPlacedNotification, .*\(attempt \d+\): .+ version\.$/),
      ]);
      await stranger.stop();
      await environment.startWorker('email');
      expect((await askUntil(order, ({ activities }) => activities[0]?.state === 'completed')).problems).toEqual([]);
    });

    test('says that the code was changed so that an order cannot continue, before its next step fails', async () => {
      await environment.placeOrder('worker-changed');
      await environment.orderAt('worker-changed', 'ORDER_PLACED');
      await environment.stopWorker('order');
      const code = (await readFile(workflowBundle('order'), 'utf8')).replace(
        'sendOrderPlacedNotification)(state.orderId)',
        'refundPayment)(state.orderId)',
      );
      const changed = await startOther(environment, { taskQueue: 'order-tq', workflowBundle: { code } });
      const order = () => detail('order-worker-changed');
      const view = await askUntil(order, ({ problems }) => problems.length > 0);

      expect(view.problems).toEqual([expect.stringMatching(/code .* changed .* history; .*: .*Nondeterminism/)]);
      await changed.stop();
      await environment.startWorker('order');
      expect((await askUntil(order, ({ state }) => state !== undefined)).problems).toEqual([]);
    });

    async function detail(workflowId: string): Promise<WorkflowDetail> {
      const { data } = await services.call('GET /workflows/:workflowId', { params: { workflowId } });
      return data as WorkflowDetail;
    }
  });
}

/** A worker in addition to those of the services. */
async function startOther(
  { temporal }: OrderEnvironment,
  options: Pick<WorkerOptions, 'taskQueue' | 'activities' | 'workflowBundle'>,
): Promise<{ stop(): Promise<void> }> {
  const connection = temporal.nativeConnection;
  const worker = await Worker.create({ connection, maxCachedWorkflows: 0, ...options });
  const ended = worker.run();
  return {
    stop: () => {
      worker.shutdown();
      return ended;
    },
  };
}
