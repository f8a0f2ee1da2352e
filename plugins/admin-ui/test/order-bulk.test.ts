import type { ListedOrder } from '../web/src/operations/api/orders';
import { ApiError } from '../web/src/api/api-error';
import { effectOn, isApplicable } from '../web/src/operations/order-list/bulk/bulk-actions';
import { createOrderRun, type OrderResult } from '../web/src/operations/order-list/bulk/order-run';

const orderIds = ['1', '2', '3', '4', '5', '6', '7', '8'];

describe('a run over several orders', () => {
  it('has four requests under way at most, and a result for every order', async () => {
    let underWay = 0;
    let most = 0;
    const seen: (readonly OrderResult[])[] = [];
    const run = createOrderRun({
      orderIds,
      async act(orderId) {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        if (orderId === '3') throw new Error('It has ended.');
      },
      onResults: (results) => seen.push(results),
    });
    await run.start();

    expect(most).toBe(4);
    expect(seen.at(-1)?.map(({ state }) => state)).toEqual(
      orderIds.map((orderId) => (orderId === '3' ? 'failed' : 'done')),
    );
    expect(seen.at(-1)?.[2]?.error).toEqual(new Error('It has ended.'));
  });

  it('tries only those again that are not done', async () => {
    const acted: string[] = [];
    let isBroken = true;
    const run = createOrderRun({
      orderIds,
      act: (orderId) => {
        acted.push(orderId);
        return isBroken && orderId === '5' ? Promise.reject(new Error('no')) : Promise.resolve();
      },
      onResults: () => undefined,
    });
    await run.start();
    isBroken = false;
    await run.start();

    expect(acted).toEqual([...orderIds, '5']);
  });

  it('begins no further order when it is stopped, and continues when it is started again', async () => {
    const { run, states } = runOf(() => new Promise(setImmediate));
    const started = run.start();
    run.stop();
    await started;
    expect(states().toSorted()).toEqual([...Array<string>(4).fill('done'), ...Array<string>(4).fill('waiting')]);

    await run.start();
    expect(new Set(states())).toEqual(new Set(['done']));
  });

  it('begins no further order when the platform is unavailable', async () => {
    const { run, states } = runOf(() => Promise.reject(new ApiError(503, 'UNAVAILABLE', 'Temporal is unavailable.')));
    await run.start();

    expect(states().filter((state) => state === 'waiting')).toHaveLength(4);
  });
});

function runOf(act: () => Promise<void>) {
  let latest: readonly OrderResult[] = [];
  const run = createOrderRun({
    orderIds,
    act,
    onResults: (results) => {
      latest = results;
    },
  });
  return { run, states: () => latest.map(({ state }) => state) };
}

describe('an action on several orders', () => {
  const order = (status: ListedOrder['status'], step: ListedOrder['step']) => ({ status, step, acknowledgement: null });

  it.each([
    ['dispatch', order('OPEN', 'WAITING_FOR_CHILD'), true],
    ['dispatch', order('OPEN', 'IN_TRANSIT'), false],
    ['cancel', order('OPEN', 'ORDER_PLACED'), true],
    ['cancel', order('OPEN', 'COMPENSATING'), false],
    ['cancel', order('NEEDS_DECISION', 'WAITING_FOR_CHILD'), false],
    ['refund', order('NEEDS_DECISION', 'WAITING_FOR_CHILD'), true],
    ['refund', order('DELIVERED', 'COMPLETED'), false],
    ['redelivery', order('NEEDS_DECISION', 'WAITING_FOR_CHILD'), true],
    ['redelivery', order(null, null), false],
    ['reset', order('FAILED', 'START'), true],
    ['reset', order('NEEDS_DECISION', 'WAITING_FOR_CHILD'), true],
    ['reset', order('OPEN', 'PAID'), false],
    ['acknowledgement', order('FAILED', 'START'), true],
    ['acknowledgement', { ...order('FAILED', 'START'), acknowledgement: { at: '', by: null, reason: '' } }, false],
    ['acknowledgement', order('NEEDS_DECISION', 'WAITING_FOR_CHILD'), false],
  ] as const)('%s applies to %j: %s', (action, subject, expected) => {
    expect(isApplicable(action, subject)).toBe(expected);
  });

  it('says what a cancellation does to an order', () => {
    expect(effectOn('cancel', order('OPEN', 'ORDER_PLACED'))).toBe('Not paid: ends');
    expect(effectOn('cancel', order('OPEN', 'IN_TRANSIT'))).toBe('Paid: is refunded');
    expect(effectOn('refund', order('NEEDS_DECISION', 'PAID'))).toBeUndefined();
  });
});
