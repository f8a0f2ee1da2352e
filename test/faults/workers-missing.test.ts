import type { PlatformSchema } from '@gantry/client/platform';
import { askUntil } from '../support/ask-until';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { endsOf, expectedEnds } from './support/ends';
import { createFaultHome, type FaultHome } from './support/home';
import { makeOrders, type Orders, type Outcome } from './support/outcomes';
import { createOutside, type Outside } from './support/outside';
import type { Platform } from './support/platform-process';
import { countRows, expectedRows, storedRows } from './support/rows';
import { size } from './support/size';

type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;

jest.setTimeout(420_000);

const outcomes: readonly Outcome[] = ['confirmed', 'unconfirmed', 'undelivered', 'unpaid', 'cancelled'];

/** One process has the workflows; email and payment are in another one, which starts and stops at a separate address. */
describe('orders whose workers are missing for a while', () => {
  let home: FaultHome;
  let outside: Outside;
  let port: string;
  beforeAll(async () => {
    home = await createFaultHome();
    const { address } = await home.up({ only: 'order,consignment,ops' });
    port = String(await freePort());
    outside = createOutside({
      order: address,
      payment: `http://127.0.0.1:${port}`,
      consignment: address,
      ops: address,
    });
  });
  afterAll(async () => {
    outside.close();
    await home.remove();
  });

  it('say which queue nobody serves, and end as they should once it is served, also when it is left in between', async () => {
    const orders = makeOrders('missing', size.orders, outcomes);
    await Promise.all([...orders.keys()].map((order) => outside.place(order)));

    await untilProblem('order-missing-0-confirmed', /^No worker .* email-tq: .* activity sendOrderPlacedNotification /);
    expect(await outside.countOpen()).toBe(size.orders);

    const first = await startEmailAndPayment();
    const driven = outside.drive(orders);
    await untilRows('missing', size.workerKilledAtRows);
    const open = await outside.countOpen();
    await home.killClient(first);
    const second = await startEmailAndPayment();

    await driven;
    await expectToEnd(orders);
    expect(open).toBeGreaterThan(0);
    await second.stop();
  });

  it('say what fails while the worker does not know an activity, and end as they should once it does', async () => {
    const older = home.olderEmail('sendPaymentCompletedNotification');
    const first = await startEmailAndPayment({ GANTRY_PLUGIN_PATH: older });
    const orders = makeOrders('older', size.orders, outcomes);
    const driven = outside.drive(orders);

    const failing = / email-tq .* no activity sendPaymentCompletedNotification, /;
    const waiting = await untilProblem('order-older-0-confirmed', failing);
    expect(waiting?.activities).toMatchObject([
      { type: 'sendOrderPlacedNotification', state: 'completed' },
      { type: 'sendPaymentCompletedNotification', lastFailure: expect.stringContaining('is not registered') as string },
    ]);
    const open = await outside.countOpen();
    await home.killClient(first);
    await startEmailAndPayment();

    await driven;
    await expectToEnd(orders);
    expect(open).toBeGreaterThan(0);
  });

  function startEmailAndPayment(environment: Readonly<Record<string, string>> = {}): Promise<Platform> {
    return home.up({ only: 'email,payment', environment: { ...environment, GANTRY_PORT: port } });
  }

  async function expectToEnd(orders: Orders): Promise<void> {
    expect(await endsOf(outside, orders)).toEqual(expectedEnds(orders));
    expect(await storedRows(home.running().databaseUrl, orders)).toEqual(expectedRows(orders));
  }

  async function untilRows(prefix: string, rows: number): Promise<void> {
    await eventually(async () => (await countRows(home.running().databaseUrl, prefix)) >= rows);
  }

  /** Resolves with the detail as soon as its problems have a line that matches. */
  function untilProblem(workflowId: string, wanted: RegExp): Promise<WorkflowDetail | undefined> {
    const tells = (detail: WorkflowDetail | undefined): boolean =>
      detail?.problems.some((problem) => wanted.test(problem)) === true;
    return askUntil(() => outside.detail(workflowId), tells);
  }
});
