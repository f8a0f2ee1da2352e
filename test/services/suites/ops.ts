import { randomUUID } from 'node:crypto';
import ops from '@gantry/service-ops';
import type { PlatformSchema } from '@gantry/client/platform';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { walkOrder } from '../../workflows/support/walk-order';
import { askUntil } from '../../support/ask-until';
import type { OpenServices } from '../support/open-services';
import { createOpsView, hasState, newOrderId } from '../support/ops-view';
import { createEndedOrders } from '../support/ended-orders';
import type { QuickOrders } from '../support/quick-orders';

type ResetOutcome = PlatformSchema<'ops.ResetOutcome'>;

export function describeOps(orders: () => QuickOrders): void {
  describe('the operations view', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    let delivered: Promise<string> | undefined;
    const { post, reset, detail, detailWhen, listed, allPages, eventsOf, taskBefore, taskAfter, problemsLater } =
      createOpsView(() => services);
    const { finishedOrder, failedOrder, exhaustedOrder } = createEndedOrders(() => environment);
    beforeAll(async () => {
      ({ environment, services } = orders());
      await environment.startWorker('email');
    });

    test('counts the runs of every state that has some, and reports where the pages of Temporal are', async () => {
      await deliveredOrder();
      await environment.placeOrder(newOrderId('delivered'));
      const overview = await askUntil(
        async () => (await services.call('GET /operations')).data as PlatformSchema<'ops.OperationsOverview'>,
        ({ runs }) => (runs.COMPLETED ?? 0) >= 2 && (runs.RUNNING ?? 0) >= 1,
      );

      expect(overview).toMatchObject({ namespace: 'default', temporalPages: 'https://temporal.example' });
      expect(Object.values(overview.runs)).not.toContain(0);
      expect(await ops.health?.(services.context('ops'))).toEqual({ status: 'up' });
    });

    test('names an activity that keeps failing in workflows which have run for a minute', async () => {
      const orderId = newOrderId('delivered');
      environment.activities.script(orderId, { failures: { sendOrderPlacedNotification: 1_000 }, retryDelay: 100 });
      await environment.placeOrder(orderId);
      await detailWhen(`order-${orderId}`, ({ activities }) => (activities[0]?.attempt ?? 0) > 3);
      expect(await problemsLater(11_000)).toEqual([]);
      // Each time beyond what is kept of the answer before.
      const [problem] = await askUntil(
        () => problemsLater(61_000),
        (problems) => problems.length > 0,
      );
      expect(problem).toMatch(
        / sendOrderPlacedNotification .* \d+ of the \d+ workflows .* order-\S+ at attempt \d+: sendOrderPlacedNotification fails on purpose$/,
      );
      await post(`order-${orderId}`, 'terminate');
    });

    describe('of one workflow', () => {
      test('shows a finished order with its activities and the result of its child', async () => {
        const orderId = await deliveredOrder();
        const view = await detailWhen(`order-${orderId}`, hasState);

        expect(view).toMatchObject({ workflowId: `order-${orderId}`, type: 'placeOrder', status: 'COMPLETED' });
        expect(view.activities.map(({ type, state }) => ({ type, state }))).toEqual([
          { type: 'sendOrderPlacedNotification', state: 'completed' },
          { type: 'sendPaymentCompletedNotification', state: 'completed' },
        ]);
        expect(view.result).toEqual(['"DELIVERED"']);
        expect(view.temporalPage).toBe(
          `https://temporal.example/namespaces/default/workflows/order-${orderId}/${view.runId}/history`,
        );
        expect(view).toMatchObject({ pendingChildren: [], problems: [] });
        expect(await detail(`consignment-${orderId}`)).toMatchObject({ status: 'COMPLETED', result: ['"DELIVERED"'] });
        expect(view.state).toEqual({ orderId, step: 'COMPLETED', paymentReceived: true, consignment: 'DELIVERED' });
      });

      test('shows the child that an order waits for', async () => {
        const orderId = newOrderId('delivered');
        await walkOrder(environment, orderId).pay();

        const view = await detailWhen(
          `order-${orderId}`,
          (order) => order.pendingChildren.length > 0 && hasState(order),
        );
        expect(view.pendingChildren).toMatchObject([
          { workflowId: `consignment-${orderId}`, type: 'startConsignment' },
        ]);
        expect(view.state).toMatchObject({ step: 'WAITING_FOR_CHILD', paymentReceived: true });
        expect(await detailWhen(`consignment-${orderId}`, hasState)).toMatchObject({
          parentWorkflowId: `order-${orderId}`,
          state: { step: 'WAITING_FOR_DISPATCH' },
        });
      });

      test('shows an activity that is tried again, with its attempt and its last failure', async () => {
        const orderId = newOrderId('delivered');
        environment.activities.script(orderId, { failures: { sendOrderPlacedNotification: 100 }, retryDelay: 300 });
        await environment.placeOrder(orderId);
        const view = await detailWhen(`order-${orderId}`, ({ activities }) => (activities[0]?.attempt ?? 0) > 1);

        expect(view.activities).toMatchObject([
          { type: 'sendOrderPlacedNotification', lastFailure: 'sendOrderPlacedNotification fails on purpose' },
        ]);
        expect(['scheduled', 'started']).toContain(view.activities[0]?.state);
        expect(view.problems.join()).toContain('sendOrderPlacedNotification failed and is retried');
        await post(`order-${orderId}`, 'terminate');
        expect((await detail(`order-${orderId}`)).activities[0]?.state).toBe('canceled');
      });

      test('says why a failed order failed', async () => {
        const orderId = await exhaustedOrder('refundPayment');
        const view = await detail(`order-${orderId}`);

        expect(view).toMatchObject({ status: 'FAILED', result: ['"UNDELIVERED"'] });
        expect(view.failure).toContain('refundPayment fails on purpose');
        expect(view.activities.at(-1)).toMatchObject({ type: 'refundPayment', state: 'failed', attempt: 8 });
      });

      test('shows every event of its history', async () => {
        const orderId = await deliveredOrder();
        const { data, meta } = await services.call('GET /workflows/:workflowId/history', {
          params: { workflowId: `order-${orderId}` },
        });

        const { events } = data as { readonly events: readonly { readonly eventType: string }[] };
        expect(meta).toEqual({ total: events.length });
        expect(events[0]?.eventType).toBe('EVENT_TYPE_WORKFLOW_EXECUTION_STARTED');
        expect(events.at(-1)?.eventType).toBe('EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED');
      });

      test.each(['GET /workflows/:workflowId', 'GET /workflows/:workflowId/history'])(
        '%s refuses a run without an id, instead of showing the newest',
        async (route) => {
          const request = { params: { workflowId: 'order-none' }, query: { runId: '' } };

          await expect(services.call(route, request)).rejects.toMatchObject({
            status: 400,
            details: [{ path: 'runId' }],
          });
        },
      );

      test.each(['GET /workflows/:workflowId', 'GET /workflows/:workflowId/history'])(
        '%s answers 404 for a workflow or a run that does not exist',
        async (route) => {
          const orderId = await deliveredOrder();
          const missing = { status: 404, code: 'WORKFLOW_NOT_FOUND' };

          await expect(services.call(route, { params: { workflowId: 'order-none' } })).rejects.toMatchObject(missing);
          for (const runId of [randomUUID(), 'no-uuid']) {
            const request = { params: { workflowId: `order-${orderId}` }, query: { runId } };
            await expect(services.call(route, request)).rejects.toMatchObject(missing);
          }
        },
      );
    });

    describe('of all workflows', () => {
      test('lists by status and type, page by page, every workflow once', async () => {
        const more = await Promise.all([1, 2].map(() => finishedOrder('delivered')));
        const wanted = new Set([await deliveredOrder(), ...more].map((orderId) => `order-${orderId}`));
        const query = { status: 'COMPLETED', type: 'placeOrder', limit: '2' };
        await askUntil(
          () => allPages(query),
          (found) => [...wanted].every((id) => found.some(({ workflowId }) => workflowId === id)),
        );

        const found = await allPages(query);
        expect(found.every(({ status, type }) => status === 'COMPLETED' && type === 'placeOrder')).toBe(true);
        expect(new Set(found.map(({ workflowId }) => workflowId)).size).toBe(found.length);
      });

      test('takes a condition in the query language of Temporal, together with the others', async () => {
        const orderId = await deliveredOrder();
        const query = `WorkflowId = 'order-${orderId}' OR WorkflowId = 'consignment-${orderId}'`;

        const both = await askUntil(
          () => listed({ query }),
          (found) => found.length === 2,
        );
        expect(both.map(({ type }) => type).toSorted()).toEqual(['placeOrder', 'startConsignment']);
        expect(await listed({ query, type: 'startConsignment' })).toHaveLength(1);
      });

      test('shows an order that was fixed as what it is now', async () => {
        const orderId = await failedOrder('refundPayment');
        const workflowId = `order-${orderId}`;
        const query = `WorkflowId = '${workflowId}'`;
        await askUntil(
          () => listed({ query, status: 'FAILED' }),
          (found) => found.length === 1,
        );
        await requestReset(orderId);

        await askUntil(
          () => listed({ query, status: 'COMPLETED' }),
          (found) => found.length === 1,
        );
        expect(await listed({ query, status: 'FAILED' })).toEqual([]);
        expect(await listed({ query })).toMatchObject([{ workflowId, status: 'COMPLETED' }]);
      });
    });

    describe('cancel, terminate and signal', () => {
      test('cancel ends a paid order in its own way: it pays back', async () => {
        const orderId = newOrderId('delivered');
        await walkOrder(environment, orderId).pay();
        const answer = await post(`order-${orderId}`, 'cancel', { reason: 'sold out', requestedBy: 'ann' });

        expect(answer).toMatchObject({ status: 202, data: { workflowId: `order-${orderId}` } });
        await detailWhen(`order-${orderId}`, ({ status }) => status === 'CANCELED');
        expect(environment.activities.attempts(orderId)).toContain('refundPayment');
        expect(JSON.stringify(await eventsOf(`order-${orderId}`))).toContain('sold out (requested by ann)');
      });

      test('terminate ends an order at once and asks its consignment to end', async () => {
        const orderId = newOrderId('delivered');
        await walkOrder(environment, orderId).pay();
        await post(`order-${orderId}`, 'terminate', { reason: 'a mistake', requestedBy: 'bob' });

        await detailWhen(`order-${orderId}`, ({ status }) => status === 'TERMINATED');
        await detailWhen(`consignment-${orderId}`, ({ status }) => status === 'CANCELED');
        expect((await detail(`order-${orderId}`)).pendingChildren).toEqual([]);
        expect(JSON.stringify(await eventsOf(`order-${orderId}`))).toContain('a mistake (requested by bob)');
      });

      test('an order whose consignment is terminated fails and leaves the rest to a person', async () => {
        const orderId = newOrderId('delivered');
        await walkOrder(environment, orderId).pay();
        await post(`consignment-${orderId}`, 'terminate');

        await detailWhen(`order-${orderId}`, ({ status }) => status === 'FAILED');
        expect(environment.activities.attempts(orderId)).not.toContain('refundPayment');
      });

      test('signal moves an order on and keeps who asked', async () => {
        const orderId = newOrderId('delivered');
        await walkOrder(environment, orderId).place();
        await post(`order-${orderId}`, 'signal', { signal: 'paymentReceived', requestedBy: 'cleo' });

        await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');
        expect(JSON.stringify(await eventsOf(`order-${orderId}`))).toContain('gantry ops: cleo');
        await post(`order-${orderId}`, 'terminate');
      });

      test.each(['cancel', 'terminate', 'signal'])(
        '%s answers 404 for an unknown and 409 for an ended one',
        async (verb) => {
          const orderId = await deliveredOrder();
          const body = verb === 'signal' ? { signal: 'paymentReceived' } : {};

          await expect(post('order-none', verb, body)).rejects.toMatchObject({
            status: 404,
            code: 'WORKFLOW_NOT_FOUND',
          });
          await expect(post(`order-${orderId}`, verb, body)).rejects.toMatchObject({
            status: 409,
            code: 'WORKFLOW_CLOSED',
          });
        },
      );

      test('signals that a workflow does not have, and arguments of those that have none, are refused', async () => {
        const orderId = newOrderId('delivered');
        await walkOrder(environment, orderId).place();
        const workflowId = `order-${orderId}`;

        await expect(post(workflowId, 'signal', { signal: 'shipmentDispatched' })).rejects.toMatchObject({
          details: [{ path: 'signal', code: 'SIGNAL_UNKNOWN' }],
        });
        await expect(post(workflowId, 'signal', { signal: 'paymentReceived', args: [1] })).rejects.toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          details: [{ path: 'args', code: 'VALUE_INVALID' }],
        });
        expect(JSON.stringify(await eventsOf(workflowId))).not.toContain('paymentReceived');
        await post(workflowId, 'signal', { signal: 'paymentReceived', args: [] });
        await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');
        await post(workflowId, 'terminate');
      });
    });

    describe('reset', () => {
      test('COMPENSATION of an order whose refund failed pays back and notifies the customer, and repeats nothing else', async () => {
        const orderId = await failedOrder('refundPayment');
        const before = environment.activities.attempts(orderId);
        const { data: answer } = await requestReset(orderId);

        expect(answer).toMatchObject({ repeats: ['activity refundPayment'] });
        await detailWhen(`order-${orderId}`, ({ status }) => status === 'COMPLETED');
        expect(environment.activities.attempts(orderId).slice(before.length)).toEqual([
          'refundPayment',
          'sendOrderCancelledNotification',
        ]);
        expect(JSON.stringify(await eventsOf(`order-${orderId}`))).toContain('fixed (requested by dora)');
      });

      test('COMPENSATION of an order whose notice failed repeats the notice alone', async () => {
        const orderId = await failedOrder('sendOrderCancelledNotification');
        const before = environment.activities.attempts(orderId);
        await requestReset(orderId);

        await detailWhen(`order-${orderId}`, ({ status }) => status === 'COMPLETED');
        expect(environment.activities.attempts(orderId).slice(before.length)).toEqual([
          'sendOrderCancelledNotification',
        ]);
      });

      test('COMPENSATION of an order that was cancelled pays back what could not be paid back then', async () => {
        const orderId = newOrderId('delivered');
        environment.activities.script(orderId, { fatal: 'refundPayment' });
        await walkOrder(environment, orderId).pay();
        await post(`order-${orderId}`, 'cancel', { reason: 'sold out' });
        await detailWhen(`order-${orderId}`, ({ status }) => status === 'FAILED');
        environment.activities.script(orderId, {});
        await requestReset(orderId);

        await detailWhen(`order-${orderId}`, ({ status }) => status === 'CANCELED');
        expect(environment.activities.attempts(orderId).slice(-2)).toEqual([
          'refundPayment',
          'sendOrderCancelledNotification',
        ]);
      });

      test('a dry run reports what would be repeated and does nothing', async () => {
        const orderId = await deliveredOrder();
        const { data } = await post(`order-${orderId}`, 'reset', { to: 'FIRST_TASK', dryRun: true });

        expect(data).toMatchObject({
          repeats: [
            'activity sendOrderPlacedNotification',
            'activity sendPaymentCompletedNotification',
            `child workflow consignment-${orderId}`,
          ],
        });
        expect(data).not.toHaveProperty('runId');
        expect(await detail(`order-${orderId}`)).toMatchObject({ status: 'COMPLETED' });
      });

      test('FIRST_TASK of a finished order runs it again, with its payment', async () => {
        const orderId = await finishedOrder('delivered');
        const { data } = await post(`order-${orderId}`, 'reset', { to: 'FIRST_TASK' });

        await detailWhen(`consignment-${orderId}`, ({ status }) => status === 'RUNNING');
        await environment.signalConsignment(orderId, 'shipmentDispatched');
        const again = await detailWhen(`order-${orderId}`, ({ status }) => status === 'COMPLETED');
        expect(data).toMatchObject({ runId: again.runId });
      });

      test('an event before the consignment, which is the failed step, delivers again an order whose consignment was lost', async () => {
        const orderId = newOrderId('delivered');
        await walkOrder(environment, orderId).pay();
        await post(`consignment-${orderId}`, 'terminate');
        const lost = await detailWhen(`order-${orderId}`, ({ status }) => status === 'FAILED');
        const point = await taskBefore(`order-${orderId}`, 'EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED');
        const { data: plan } = await reset(orderId, 'FAILED_STEP', { dryRun: true });
        const { data } = await post(`order-${orderId}`, 'reset', { to: point, runId: lost.runId });

        const planned = { eventId: point, repeats: [`child workflow consignment-${orderId}`] };
        expect([plan, data]).toMatchObject([planned, planned]);
        await detailWhen(`consignment-${orderId}`, ({ status }) => status === 'RUNNING');
        await environment.signalConsignment(orderId, 'shipmentDispatched');
        await detailWhen(`order-${orderId}`, ({ status }) => status === 'COMPLETED');
      });

      test('two at once: one is done, the other is refused', async () => {
        const orderId = await failedOrder('refundPayment');
        environment.activities.script(orderId, { during: { refundPayment: () => environment.temporal.sleep(1_000) } });
        const answers = await Promise.allSettled([1, 2, 3].map(() => requestReset(orderId)));

        expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 'rejected')).toEqual(
          [1, 2].map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'CONFLICT' }) })),
        );
        await detailWhen(`order-${orderId}`, ({ status }) => status === 'COMPLETED');
      });

      test('refuses a workflow that runs, that does not exist, and a run that is not the newest', async () => {
        const running = newOrderId('delivered');
        await walkOrder(environment, running).place();
        const finished = await deliveredOrder();

        await expect(reset(running, 'FIRST_TASK')).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
        await expect(reset('none', 'FIRST_TASK')).rejects.toMatchObject({ status: 404, code: 'WORKFLOW_NOT_FOUND' });
        await expect(reset(finished, 'FIRST_TASK', { runId: randomUUID() })).rejects.toMatchObject({
          code: 'CONFLICT',
        });
        await post(`order-${running}`, 'terminate');
      });

      test('refuses a consignment, whose order knows its result already', async () => {
        const orderId = await deliveredOrder();
        const consignment = post(`consignment-${orderId}`, 'reset', { to: 'FIRST_TASK', dryRun: true });

        await expect(consignment).rejects.toMatchObject({
          status: 409,
          code: 'CONFLICT',
          message: expect.stringContaining(`order-${orderId}`) as string,
        });
      });

      test('of an order that was paid back is done only for those who acknowledge it, also after another reset', async () => {
        const orderId = await finishedOrder('undelivered');
        const warnings = [{ code: 'PAID_BACK', message: expect.stringContaining('was refunded') as string }];
        const { data: plan } = await reset(orderId, 'FIRST_TASK', { dryRun: true });
        expect((plan as ResetOutcome).warnings).toEqual(warnings);
        await expect(reset(orderId, 'FIRST_TASK')).rejects.toMatchObject({
          status: 409,
          message: expect.stringContaining('Send "acknowledge": ["PAID_BACK"]') as string,
          details: [{ path: 'acknowledge', code: 'PAID_BACK' }],
        });
        const { data: last } = await reset(orderId, 'LAST_TASK', { dryRun: true });
        expect((last as ResetOutcome).warnings).toEqual([]);

        await reset(orderId, 'FIRST_TASK', { acknowledge: ['PAID_BACK'] });
        await detailWhen(`consignment-${orderId}`, ({ status }) => status === 'RUNNING');
        await post(`order-${orderId}`, 'terminate');
        await detailWhen(`consignment-${orderId}`, ({ status }) => status === 'CANCELED');
        const { data: again } = await reset(orderId, 'FIRST_TASK', { dryRun: true });
        expect((again as ResetOutcome).warnings).toEqual(warnings);
      });

      test('refuses points that do not exist', async () => {
        const orderId = await deliveredOrder();

        await expect(reset(orderId, 9_999)).rejects.toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
        await expect(reset(orderId, 1)).rejects.toMatchObject({
          message: expect.stringMatching(/^Event 1 .* points are \d/) as string,
          details: [{ path: 'to', code: 'VALUE_INVALID' }],
        });
        await expect(reset(orderId, 'COMPENSATION')).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
        await expect(reset(orderId, 'FAILED_STEP')).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
      });

      test('refuses a point at which the child had begun and not ended', async () => {
        const orderId = await deliveredOrder();
        const point = await taskAfter(`order-${orderId}`, 'EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_STARTED');

        const message = expect.stringContaining(' waited for consignment-');
        await expect(reset(orderId, point)).rejects.toMatchObject({ code: 'CONFLICT', message });
      });

      test('refuses to start a child again that still runs', async () => {
        const orderId = await finishedOrder('delivered');
        await environment.temporal.client.workflow.start('startConsignment', {
          workflowId: `consignment-${orderId}`,
          taskQueue: 'consignment-tq',
          args: [orderId],
        });

        await expect(reset(orderId, 'FIRST_TASK')).rejects.toMatchObject({
          code: 'CONFLICT',
          message: expect.stringMatching(/consignment-.* running/),
        });
        await post(`consignment-${orderId}`, 'terminate');
      });
    });

    /** An order that no test changes. */
    function deliveredOrder(): Promise<string> {
      return (delivered ??= finishedOrder('delivered'));
    }

    function requestReset(orderId: string) {
      return reset(orderId, 'COMPENSATION', { reason: 'fixed', requestedBy: 'dora' });
    }
  });
}
