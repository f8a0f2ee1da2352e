import { randomUUID } from 'node:crypto';
import type { OperationEnd, OrderActivities, OrderProgress } from '@gantry/contracts';
import { GantryError, type Temporal } from '@gantry/plugin-api';
import { openServices, type OpenServices } from '../../../test/services/support/open-services';

const namespaceId = 'a-namespace';
const client = {
  options: { namespace: 'default' },
  withDeadline: <T>(_deadline: number, work: () => Promise<T>): Promise<T> => work(),
  workflowService: { describeNamespace: () => Promise.resolve({ namespaceInfo: { id: namespaceId } }) },
};
let isAvailable = true;
const temporal: Temporal = {
  namespace: 'default',
  client: <T>() =>
    isAvailable ? Promise.resolve(client as T) : Promise.reject(new GantryError('UNAVAILABLE', 'No Temporal.')),
};

describe('the rows of orders', () => {
  let services: OpenServices;
  let activities: OrderActivities;
  beforeAll(async () => {
    services = await openServices({ temporal });
    activities = services.activities('order');
  });
  afterAll(() => services.close());

  it('keep the latest of the steps that are recorded at once, in any order', async () => {
    const order = newOrder();
    const times = Array.from({ length: 12 }, (_step, index) => timeAt(index));
    const steps = [...times, ...times].toSorted(() => Math.random() - 0.5);
    await Promise.all(steps.map((since) => activities.recordOrder({ ...order, step: 'PAID', status: 'OPEN', since })));

    expect(await rowOf(order)).toMatchObject({ step: 'PAID', status: 'OPEN', since: times.at(-1) });
  });

  it('take no earlier step, and no step back at the same time', async () => {
    const order = newOrder();
    await activities.recordOrder({ ...order, step: 'PAID', status: 'OPEN', since: timeAt(5) });
    await activities.recordOrder({ ...order, step: 'COMPLETED', status: 'DELIVERED', since: timeAt(4) });
    await activities.recordOrder({ ...order, step: 'ORDER_PLACED', status: 'OPEN', since: timeAt(5) });
    expect(await rowOf(order)).toMatchObject({ step: 'PAID', status: 'OPEN', since: timeAt(5) });

    await activities.recordOrder({ ...order, step: 'WAITING_FOR_CHILD', status: 'OPEN', since: timeAt(5) });
    expect(await rowOf(order)).toMatchObject({ step: 'WAITING_FOR_CHILD', since: timeAt(5) });
  });

  it('take the first step of the workflow whatever the clock of the request said', async () => {
    const order = newOrder();
    await activities.recordOrder({ ...order, step: 'START', status: 'OPEN', since: timeAt(9) });
    await activities.recordOrder({ ...order, step: 'ORDER_PLACED', status: 'OPEN', since: timeAt(1) });

    expect(await rowOf(order)).toMatchObject({ step: 'ORDER_PLACED', since: timeAt(1) });
  });

  it('keep a refund from later steps, and say so to the workflow', async () => {
    const order = newOrder();
    await activities.recordOrder({ ...order, step: 'COMPLETED', status: 'REFUNDED', since: timeAt(1) });
    const status = await activities.recordOrder({ ...order, step: 'PAID', status: 'OPEN', since: timeAt(2) });

    expect(status).toBe('REFUNDED');
    expect(await rowOf(order)).toMatchObject({ status: 'REFUNDED', since: timeAt(1) });
  });

  it('take steps while Temporal does not name its namespace', async () => {
    const order = newOrder();
    await activities.recordOrder({ ...order, step: 'START', status: 'OPEN', since: timeAt(1) });
    isAvailable = false;
    try {
      const status = await activities.recordOrder({ ...order, step: 'PAID', status: 'OPEN', since: timeAt(2) });
      const unknown = activities.recordOrder({ ...newOrder(), step: 'PAID', status: 'OPEN', since: timeAt(2) });

      expect(status).toBe('OPEN');
      await expect(unknown).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    } finally {
      isAvailable = true;
    }
    expect(await rowOf(order)).toMatchObject({ step: 'PAID', since: timeAt(2) });
  });

  it('let one of many runs end an operation, once', async () => {
    const order = newOrder();
    await activities.recordOrder({ ...order, step: 'PAID', status: 'NEEDS_DECISION', since: timeAt(1) });
    await services.database.query(
      `UPDATE order_order SET status = 'REFUNDING', operation = 'token' WHERE order_id = $1`,
      [order.orderId],
    );
    const request = { orderId: order.orderId, namespaceId, status: 'REFUNDING', operation: 'token' } as const;
    const runs = Array.from({ length: 8 }, (_run, index) => `run-${index}`);
    const begun = await Promise.all(runs.map((runId) => activities.beginOperation({ ...request, runId })));
    const runId = runs[begun.indexOf(true)] ?? '';
    expect(begun.filter(Boolean)).toHaveLength(1);
    expect(await activities.beginOperation({ ...request, runId })).toBe(true);

    const end: OperationEnd = { orderId: order.orderId, namespaceId, runId, status: 'REFUNDED', since: timeAt(2) };
    await activities.finishOperation({ ...end, runId: 'another', status: 'NEEDS_DECISION' });
    await Promise.all([1, 2, 3].map(() => activities.finishOperation(end)));
    const row = await rowOf(order);
    expect(row).toMatchObject({
      status: 'REFUNDED',
      step: 'COMPLETED',
      operation: null,
      since: timeAt(2),
      reason: null,
    });

    await activities.finishOperation({ ...end, runId: 'reset', reason: 'The notice failed.', since: timeAt(3) });
    expect(await rowOf(order)).toMatchObject({ reason: 'The notice failed.', since: timeAt(3) });
  });

  it.each([
    ['several lines', 'first\r\n\tsecond\u2028third', 'first second third'],
    ['characters that nobody sees', 'a\u0000b\u200bc\u202ed\ufeffe', 'a bcde'],
    ['half of a surrogate pair', 'a\ud800b', 'ab'],
    ['a pair that the limit cuts', `${'x'.repeat(999)}\u{1f600}`, 'x'.repeat(999)],
    ['more than the field takes', 'y'.repeat(5_000), 'y'.repeat(1_000)],
    ['text that is longer in NFC', '\u0958'.repeat(1_000), '\u0915\u093c'.repeat(500)],
    ['many combining marks', `e${'\u0301'.repeat(100)}`, `\u00e9${'\u0301'.repeat(30)}`],
    ['nothing to see', '\u200b', ''],
  ])('store the end of an order whose failure has %s', async (_name, reason, stored) => {
    const order = newOrder();
    const end: OrderProgress = { ...order, step: 'PAID', status: 'FAILED', reason, since: timeAt(1) };

    expect(await activities.recordOrder(end)).toBe('FAILED');
    expect(await activities.recordOrder(end)).toBe('FAILED');
    expect(await rowOf(order)).toMatchObject({ status: 'FAILED', reason: stored, version: 1 });
  });

  async function rowOf({ orderId }: { readonly orderId: string }): Promise<object | undefined> {
    const [row] = await services.database.query(
      'SELECT step, status, since, reason, operation, version FROM order_order WHERE order_id = $1',
      [orderId],
    );
    return row;
  }
});

function newOrder(): Pick<OrderProgress, 'orderId' | 'runId'> {
  return { orderId: `rows-${randomUUID()}`, runId: randomUUID() };
}

function timeAt(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
}
