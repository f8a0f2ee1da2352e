import { randomUUID } from 'node:crypto';
import { GantryError, type Database, type Route, type RouteHandler } from '@gantry/plugin-api';
import order from '@gantry/service-order';
import { eventually } from '../../support/eventually';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import type { OpenServices } from '../support/open-services';
import type { OrderServices } from '../support/order-services';

export function describeForgottenOrders(opened: () => OrderServices): void {
  // Temporal removes what has ended when the retention of its namespace is over: a day, on the dev server.
  describe('an order that Temporal has forgotten', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    beforeAll(() => {
      ({ environment, services } = opened());
    });

    test('is answered as the duplicate that it is, and never started a second time', async () => {
      const orderId = randomUUID();
      const first = await place(orderId);
      await forget(orderId);

      expect(await Promise.all([place(orderId), place(orderId)])).toEqual(
        [1, 2].map(() => ({ ...first, meta: { duplicate: true } })),
      );
      expect(await exists(orderId)).toBe(false);
    });

    test('and whose row says that it is open needs a decision when a person asks for one', async () => {
      const orderId = randomUUID();
      await place(orderId);
      await forget(orderId);
      const settle = () =>
        services.call('POST /orders/:orderId/settlement', {
          params: { orderId },
          body: { outcome: 'REFUNDED', reason: 'Paid back by the bank' },
        });

      // A workflow that has just been started may not be found yet.
      await expect(settle()).rejects.toMatchObject({ code: 'CONFLICT' });
      await services.database.query(`UPDATE order_order SET since = '2026-01-31T00:00:00.000Z' WHERE order_id = $1`, [
        orderId,
      ]);

      expect(await settle()).toMatchObject({ data: { orderId, status: 'REFUNDED' } });
    });

    test('is known even if the request that placed it was cut off before it was remembered, once it was sent again', async () => {
      const orderId = randomUUID();
      const first = await placeWithoutDatabase(orderId);
      expect(await place(orderId)).toEqual({ ...first, meta: { duplicate: true } });
      await forget(orderId);

      expect(await place(orderId)).toEqual({ ...first, meta: { duplicate: true } });
      expect(await exists(orderId)).toBe(false);
    });

    test('is placed while PostgreSQL takes queries and answers none', async () => {
      const orderId = randomUUID();
      const never = new Promise<never>(() => undefined);

      expect(await placeWithoutDatabase(orderId, () => never)).toMatchObject({ status: 202 });
      expect(await exists(orderId)).toBe(true);
    });

    test('counts in its own Temporal only: one that was set up again takes the order', async () => {
      const orderId = randomUUID();
      await services.database.query(
        `INSERT INTO order_order (order_id, namespace_id, run_id, version, created_at, updated_at)
       VALUES ($1, 'of another Temporal', 'another-run', 1, now(), now())`,
        [orderId],
      );

      expect(await place(orderId)).not.toHaveProperty('meta');
      expect(await exists(orderId)).toBe(true);
    });

    test('is distinguished from one of another Temporal without a question to Temporal for every order', async () => {
      const asked = jest.spyOn(environment.temporal.client.workflowService, 'describeNamespace');
      await Promise.all(Array.from({ length: 20 }, () => place(randomUUID())));
      expect(asked.mock.calls.length).toBeLessThanOrEqual(1);
      asked.mockRestore();
    });

    function place(orderId: string) {
      return services.call('POST /place-order', { body: { orderId } });
    }

    async function exists(orderId: string): Promise<boolean> {
      const handle = environment.temporal.client.workflow.getHandle(`order-${orderId}`);
      return handle.describe().then(
        () => true,
        () => false,
      );
    }

    /** Removes an order as the end of the retention does. */
    async function forget(orderId: string): Promise<void> {
      const { client } = environment.temporal;
      await client.workflowService.deleteWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId: `order-${orderId}` },
      });
      await eventually(async () => !(await exists(orderId)));
    }

    const unavailable = () => Promise.reject(new GantryError('UNAVAILABLE', 'PostgreSQL is unavailable in this test.'));

    async function placeWithoutDatabase(orderId: string, query = unavailable) {
      const database: Database = { query, transaction: query };
      let placing: Route | undefined;
      const add = (...routes: readonly Route[]): void => {
        placing = routes.find(({ path }) => path === '/place-order');
      };
      const router = { add, mount: () => {} };
      order.register?.({ ...services.context('order'), database, router } as never);
      if (placing === undefined) throw new Error('The order service has no route.');
      const signal = new AbortController().signal;
      const caller = { kind: 'local', id: 'local', name: 'local', login: 'local', permissions: [] } as const;
      const handler = placing.handler as unknown as RouteHandler;
      const answer = await handler({ params: {}, query: {}, body: { orderId }, caller, requestId: 'test', signal });
      return { status: placing.status, ...answer };
    }
  });
}
