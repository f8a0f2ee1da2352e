import type { ShippingActivities } from '@gantry/contracts';
import type { Temporal } from '@gantry/plugin-api';
import consignment from '@gantry/service-consignment';
import { openServices, type OpenServices } from '../../../test/services/support/open-services';

describe('the shipping activity', () => {
  let services: OpenServices;
  beforeAll(async () => {
    services = await openServices({ temporal: temporalWithOrders });
  });
  afterAll(() => services.close());

  test('answers what the carrier reported last', async () => {
    const shipping = services.activities<ShippingActivities>('consignment');
    await report('reported', false);
    expect(await shipping.checkShipping('reported')).toBe(false);
    await report('reported', true);
    expect(await shipping.checkShipping('reported')).toBe(true);

    const rows = await services.database.query('SELECT version FROM consignment_shipment WHERE order_id = $1', [
      'reported',
    ]);
    expect(rows).toEqual([{ version: 2 }]);
  });

  test('takes a parcel without a report as delivered and notes it once', async () => {
    const shipping = services.activities<ShippingActivities>('consignment');

    expect(await Promise.all([1, 2, 3].map(() => shipping.checkShipping('silent')))).toEqual([true, true, true]);
    const rows = await services.database.query('SELECT delivered FROM consignment_shipment WHERE order_id = $1', [
      'silent',
    ]);
    expect(rows).toEqual([{ delivered: null }]);
  });

  test.each([
    ['no delivered', {}, 'VALIDATION_FAILED'],
    ['delivered as text', { delivered: 'true' }, 'VALIDATION_FAILED'],
    ['delivered as null', { delivered: null }, 'VALIDATION_FAILED'],
    ['an unknown member', { delivered: true, by: 'nobody' }, 'VALIDATION_FAILED'],
    ['a list', [true], 'BAD_REQUEST'],
    ['nothing', undefined, 'BAD_REQUEST'],
  ])('a report with %s is refused', async (_name, body, code) => {
    await expect(
      services.call('PUT /consignments/:orderId/delivery', { params: { orderId: 'bad' }, body }),
    ).rejects.toMatchObject({ status: 400, code });
  });

  test('a parcel without a report may count as not delivered', async () => {
    const services = await openServices({ environment: { CONSIGNMENT_DELIVERED_BY_DEFAULT: 'false' } });
    try {
      expect(await services.activities<ShippingActivities>('consignment').checkShipping('silent')).toBe(false);
    } finally {
      await services.close();
    }
  });

  test('refuses a setting that is neither true nor false, by its name', () => {
    const config = () => consignment.config?.({ CONSIGNMENT_DELIVERED_BY_DEFAULT: 'perhaps' });

    expect(config).toThrow(/CONSIGNMENT_DELIVERED_BY_DEFAULT/);
  });

  function report(orderId: string, delivered: boolean) {
    return services.call('PUT /consignments/:orderId/delivery', { params: { orderId }, body: { delivered } });
  }
});

/** Every order is under way; test/services/suites/order-routes.ts asks a real one. */
const temporalWithOrders: Temporal = {
  namespace: 'default',
  client: <T>() => Promise.resolve({ withDeadline: (_deadline: number, work: () => unknown) => work(), workflow } as T),
};
const workflow = {
  getHandle: () => ({ describe: () => Promise.resolve({ type: 'placeOrder', status: { name: 'RUNNING' } }) }),
};
