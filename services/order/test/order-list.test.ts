import type { OrderActivities, OrderStatus } from '@gantry/contracts';
import { useServices, type OpenServices, type PlatformSchema } from '../../../test/services/support/open-services';

type ListedOrder = PlatformSchema<'order.ListedOrder'>;
type OrderCounts = PlatformSchema<'order.OrderCounts'>;

const now = Date.now();
/** Minutes ago. */
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

interface Row {
  readonly status: OrderStatus | null;
  readonly step: string | null;
  readonly since: string | null;
}

/** One of everything; none of them is stalled but those named so. */
const rows: Readonly<Record<string, Row>> = {
  placed: { status: 'OPEN', step: 'ORDER_PLACED', since: ago(1) },
  'placed-stalled': { status: 'OPEN', step: 'ORDER_PLACED', since: ago(9) },
  waiting: { status: 'OPEN', step: 'WAITING_FOR_CHILD', since: ago(19) },
  'waiting-stalled': { status: 'OPEN', step: 'WAITING_FOR_CHILD', since: ago(60) },
  paid: { status: 'OPEN', step: 'PAID', since: ago(2) },
  again: { status: 'REDELIVERING', step: 'WAITING_FOR_CHILD', since: ago(3) },
  'again-left': { status: 'REDELIVERING', step: 'IN_TRANSIT', since: ago(4) },
  left: { status: 'OPEN', step: 'IN_TRANSIT', since: ago(5) },
  undecided: { status: 'NEEDS_DECISION', step: 'WAITING_FOR_CHILD', since: ago(30) },
  failed: { status: 'FAILED', step: 'START', since: ago(31) },
  delivered: { status: 'DELIVERED', step: 'COMPLETED', since: ago(32) },
  refunded: { status: 'REFUNDED', step: 'COMPLETED', since: ago(33) },
  refunding: { status: 'REFUNDING', step: 'WAITING_FOR_CHILD', since: ago(1) },
  compensating: { status: 'OPEN', step: 'COMPENSATING', since: ago(2) },
  cancelled: { status: 'CANCELED', step: 'ORDER_PLACED', since: ago(34) },
  'not-paid': { status: 'NOT_PAID', step: 'NOT_PAID', since: ago(35) },
  'from-before': { status: null, step: null, since: null },
};

const opened = useServices();

describe('the list of orders', () => {
  let services: OpenServices;
  beforeAll(async () => {
    services = opened();
    for (const [orderId, { status, step, since }] of Object.entries(rows)) {
      await services.database.query(
        `INSERT INTO order_order (order_id, run_id, namespace_id, status, step, since) VALUES ($1, 'run', 'one', $2, $3, $4)`,
        [orderId, status, step, since],
      );
    }
  });

  it.each([
    ['attention', ['undecided', 'failed', 'placed-stalled', 'waiting-stalled']],
    ['awaiting-payment', ['placed', 'placed-stalled']],
    ['to-dispatch', ['paid', 'waiting', 'waiting-stalled', 'again']],
    ['in-transit', ['again-left', 'left']],
    ['delivered', ['delivered']],
    ['refunded', ['refunded', 'refunding', 'compensating']],
    ['cancelled', ['cancelled', 'not-paid']],
  ])('has the group %s, and counts it', async (group, expected) => {
    const { data } = await list({ group });
    const { data: counts } = (await services.call('GET /orders/counts')) as { readonly data: OrderCounts };

    expect(idsOf(data).toSorted()).toEqual(expected.toSorted());
    expect(counts[group as keyof OrderCounts]).toEqual({ count: expected.length, isCapped: false });
    expect(counts.all).toEqual({ count: Object.keys(rows).length, isCapped: false });
  });

  it('shows each order with the time when it was placed, and whether it has stalled', async () => {
    const { data } = await list({ orderId: 'placed-' });

    expect(data).toEqual([
      {
        orderId: 'placed-stalled',
        ...rows['placed-stalled'],
        reason: null,
        placedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        isStalled: true,
        acknowledgement: null,
      },
    ]);
  });

  it('shows one order by its id as a page has it', async () => {
    const { data } = await list({ orderId: 'waiting-stalled' });

    expect(await show('waiting-stalled')).toEqual({ data: data[0] });
    await expect(show('waiting-')).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    await expect(show('a%')).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'orderId' }] });
  });

  it('shows the order that was placed last where an earlier Temporal had one with the same id', async () => {
    await services.database.query(
      `INSERT INTO order_order (order_id, run_id, namespace_id, status, step, since)
        VALUES ('twice', 'run', 'one', 'DELIVERED', 'COMPLETED', $1), ('twice', 'run', 'two', 'OPEN', 'START', $1)`,
      [ago(1)],
    );

    expect((await show('twice')).data).toMatchObject({ orderId: 'twice', status: 'OPEN' });

    await services.database.query(`DELETE FROM order_order WHERE order_id = 'twice'`);
  });

  it.each([{ sort: 'since' }, { sort: '-since' }, { sort: 'since', group: 'to-dispatch' }, { group: 'attention' }])(
    'goes from page to page with %j, with orders from before statuses were stored at the end',
    async (query) => {
      const { data: whole } = await list(query);
      const paged: string[] = [];
      let after: string | undefined;
      do {
        const { data, meta } = await list({ ...query, limit: '2', ...(after === undefined ? {} : { after }) });
        paged.push(...idsOf(data));
        after = meta?.['nextCursor'] as string | undefined;
      } while (after !== undefined);

      expect(paged).toEqual(idsOf(whole));
      const times = whole.flatMap(({ since }) => since ?? []);
      const isAscending = 'sort' in query && query.sort === 'since';
      expect(times).toEqual(isAscending ? times.toSorted() : times.toSorted().toReversed());
      expect(paged.indexOf('from-before')).toBe('group' in query ? -1 : paged.length - 1);
    },
  );

  it('shows first what needs attention, then what is under way, each the longest waiting first, and what has ended last', async () => {
    const sort = 'waiting';
    const attention = ['waiting-stalled', 'failed', 'undecided', 'placed-stalled'];
    const underWay = ['waiting', 'left', 'again-left', 'again', 'compensating', 'paid', 'refunding', 'placed'];
    const ended = ['delivered', 'refunded', 'cancelled', 'not-paid', 'from-before'];
    const idsBySort = async (query: Readonly<Record<string, string>>) => idsOf((await list({ sort, ...query })).data);

    const found = await idsBySort({});
    expect(found.slice(0, 4)).toEqual(attention);
    expect(found.slice(4, 12).toSorted()).toEqual(underWay.toSorted());
    expect(found.at(4)).toBe('waiting');
    expect(found.slice(12)).toEqual(ended);
    expect(await idsBySort({ group: 'to-dispatch' })).toEqual(['waiting-stalled', 'waiting', 'again', 'paid']);
    expect(await idsBySort({ group: 'cancelled' })).toEqual(['cancelled', 'not-paid']);
    expect(await idsBySort({ status: 'OPEN', step: 'ORDER_PLACED' })).toEqual(['placed-stalled', 'placed']);
  });

  it.each([{}, { group: 'attention' }, { orderId: 'p' }])(
    'goes from page to page of %j by what waits',
    async (query) => {
      const { data: whole } = await list({ sort: 'waiting', ...query });
      const paged: string[] = [];
      let after: string | undefined;
      do {
        const page = { sort: 'waiting', limit: '1', ...query, ...(after === undefined ? {} : { after }) };
        const { data, meta } = await list(page);
        paged.push(...idsOf(data));
        after = meta?.['nextCursor'] as string | undefined;
      } while (after !== undefined);

      expect(paged).toEqual(idsOf(whole));
    },
  );

  it('is narrowed down by status, step, time and the beginning of the id', async () => {
    expect(idsOf((await list({ status: 'REDELIVERING' })).data)).toEqual(['again', 'again-left']);
    expect(idsOf((await list({ group: 'to-dispatch', step: 'PAID' })).data)).toEqual(['paid']);
    expect(idsOf((await list({ from: ago(33), to: ago(31) })).data)).toEqual(['delivered', 'refunded']);
    expect(idsOf((await list({ orderId: 'again' })).data)).toEqual(['again', 'again-left']);
    expect(idsOf((await list({ orderId: '_' })).data)).toEqual([]);
  });

  it.each([
    [{ group: 'others' }, 'VALUE_INVALID', 'attention, '],
    [{ limit: '201' }, 'VALUE_INVALID', '1 to 200'],
    [{ limit: '1e2' }, 'PATTERN', '1 to 200'],
    [{ from: 'yesterday' }, 'PATTERN', 'ISO 8601'],
    [{ orderId: 'a%' }, 'VALUE_INVALID', 'beginning'],
    [{ after: 'nothing' }, 'VALUE_INVALID', 'meta.nextCursor'],
  ])('refuses %j', async (query, code, named) => {
    const [path] = Object.keys(query);
    await expect(list(query)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path, code, message: expect.stringContaining(named) }],
    });
  });

  it('refuses the cursor of another sort order', async () => {
    const { meta } = await list({ limit: '1' });

    await expect(list({ sort: 'since', after: String(meta?.['nextCursor']) })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  describe('a failure that was acknowledged', () => {
    const note = { reason: 'placed by mistake', requestedBy: 'Ann' };
    beforeAll(() => insertFailed('known-1', 'known-2'));
    afterAll(() => services.database.query(`DELETE FROM order_order WHERE order_id LIKE 'known-%'`));

    it('no longer needs attention, and says who acknowledged it, when and why', async () => {
      const attention = async () => idsOf((await list({ group: 'attention', orderId: 'known' })).data);
      const countOf = async () =>
        ((await services.call('GET /orders/counts')) as { readonly data: OrderCounts }).data.attention.count;
      expect(await attention()).toEqual(['known-2', 'known-1']);
      const before = await countOf();

      const answer = await acknowledge('known-1', note);

      const acknowledgement = { at: expect.stringMatching(/^\d{4}-.*Z$/), by: 'Ann', reason: note.reason };
      expect(answer).toEqual({ data: { orderId: 'known-1', acknowledgement } });
      expect(await attention()).toEqual(['known-2']);
      expect(await countOf()).toBe(before - 1);
      expect((await list({ status: 'FAILED', orderId: 'known-1' })).data).toEqual([
        expect.objectContaining({ orderId: 'known-1', status: 'FAILED', reason: 'mail is down', acknowledgement }),
      ]);
    });

    it('keeps the first acknowledgement when it is sent again', async () => {
      await acknowledge('known-2', note);

      expect(await acknowledge('known-2', { reason: 'again', requestedBy: 'Bob' })).toEqual({
        data: { orderId: 'known-2', acknowledgement: expect.objectContaining({ by: 'Ann', reason: note.reason }) },
        meta: { duplicate: true },
      });
    });

    it('needs attention again when the order fails another time', async () => {
      await insertFailed('known-3');
      await acknowledge('known-3', note);
      const { recordOrder } = services.activities<OrderActivities>('order');
      const run = { orderId: 'known-3', runId: 'run', step: 'START' } as const;

      await recordOrder({ ...run, status: 'FAILED', reason: 'mail is down', since: ago(40) });
      expect(idsOf((await list({ group: 'attention', orderId: 'known-3' })).data)).toEqual([]);
      await recordOrder({ ...run, status: 'OPEN', since: ago(2) });
      await recordOrder({ ...run, status: 'FAILED', reason: 'mail is down', since: ago(1) });

      expect(idsOf((await list({ group: 'attention', orderId: 'known-3' })).data)).toEqual(['known-3']);
    });

    it.each([
      ['nobody', { reason: 'known' }, 'ORDER_NOT_FOUND', 'nobody'],
      ['delivered', { reason: 'known' }, 'CONFLICT', ' DELIVERED'],
      ['failed', undefined, 'VALIDATION_FAILED', 'reason must be'],
      ['failed', { reason: ' ' }, 'VALIDATION_FAILED', 'reason must be'],
      ['failed', { reason: 'known', by: 'Ann' }, 'VALIDATION_FAILED', 'by'],
    ])('is refused for the order %s with %j', async (orderId, body, code, message) => {
      await expect(acknowledge(orderId, body)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
    });

    async function insertFailed(...orderIds: readonly string[]): Promise<void> {
      for (const orderId of orderIds) {
        await services.database.query(
          `INSERT INTO order_order (order_id, run_id, namespace_id, status, step, since, reason)
         VALUES ($1, 'run', 'one', 'FAILED', 'START', $2, 'mail is down')`,
          [orderId, ago(40)],
        );
      }
    }

    function acknowledge(orderId: string, body: unknown) {
      return services.call('POST /orders/:orderId/acknowledgement', { params: { orderId }, body });
    }
  });

  function show(orderId: string) {
    return services.call('GET /orders/:orderId', { params: { orderId } });
  }

  async function list(query: Readonly<Record<string, string>>) {
    return (await services.call('GET /orders', { query })) as {
      readonly data: readonly ListedOrder[];
      readonly meta?: Readonly<Record<string, unknown>>;
    };
  }
});

function idsOf(orders: readonly ListedOrder[]): readonly string[] {
  return orders.map(({ orderId }) => orderId);
}
