import { openServices, type OpenServices, type PlatformSchema } from '../../../test/services/support/open-services';

type OrderDay = PlatformSchema<'order.OrderDay'>;

describe('GET /orders/daily', () => {
  let services: OpenServices;
  beforeAll(async () => {
    services = await openServices();
    await services.database.query(
      `INSERT INTO order_order (order_id, run_id, namespace_id, created_at)
     SELECT 'day-' || n, 'run', 'one', now() - make_interval(days => n / 2) FROM generate_series(0, 9) n`,
    );
  });
  afterAll(() => services.close());

  const daily = async (query: Readonly<Record<string, string>>) =>
    (await services.call('GET /orders/daily', { query })).data as readonly OrderDay[];

  it('counts the orders that were placed on each day, and has the days without any', async () => {
    const days = await daily({ days: '7' });

    expect(days.map(({ placed }) => placed)).toEqual([0, 0, 2, 2, 2, 2, 2]);
    expect(days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10));
    expect(await daily({})).toHaveLength(14);
  });

  it('begins its days in the time zone', async () => {
    const days = await daily({ days: '2', timeZone: 'Pacific/Kiritimati' });

    expect(days.at(-1)?.day).toBe(new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10));
  });

  it.each([
    [{ days: '0' }, 'VALUE_INVALID', '1 to 90'],
    [{ days: '91' }, 'VALUE_INVALID', '1 to 90'],
    [{ days: 'all' }, 'PATTERN', '1 to 90'],
    [{ timeZone: 'Mars/Base' }, 'VALUE_INVALID', 'Europe/Berlin'],
  ])('refuses %j', async (query, code, named) => {
    const [path] = Object.keys(query);
    await expect(services.call('GET /orders/daily', { query })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path, code, message: expect.stringContaining(named) }],
    });
  });
});
