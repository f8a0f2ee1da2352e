import type { PaymentActivities, ShippingActivities } from '@gantry/contracts';
import type { Temporal } from '@gantry/plugin-api';
import { openServices, type OpenServices } from '../support/open-services';

export function describePaymentAndShipping(opened: () => OpenServices): void {
  describe('the payment activities', () => {
    let services: OpenServices;
    let payment: PaymentActivities;
    beforeAll(() => {
      services = opened();
      payment = services.activities('payment');
    });

    test('a refund is stored once, however often it is repeated', async () => {
      await Promise.all([1, 2, 3, 4].map(() => payment.refundPayment('refunded')));
      await payment.refundPayment('refunded');

      const rows = await services.database.query('SELECT 1 FROM payment_refund WHERE order_id = $1', ['refunded']);
      expect(rows).toHaveLength(1);
      expect([await payment.checkRefund('refunded'), await payment.checkRefund('unknown')]).toEqual([true, false]);
    });

    test('a payment counts as soon as it was accepted', async () => {
      expect(await payment.checkPayment('unknown')).toBe(false);
      await services.database.query(
        `INSERT INTO payment_payment (order_id, state, version, created_at, updated_at)
       VALUES ('waiting', 'RECEIVED', 1, now(), now()), ('paid', 'ACCEPTED', 1, now(), now())`,
      );

      expect([await payment.checkPayment('waiting'), await payment.checkPayment('paid')]).toEqual([false, true]);
    });
  });

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

    function report(orderId: string, delivered: boolean) {
      return services.call('PUT /consignments/:orderId/delivery', { params: { orderId }, body: { delivered } });
    }
  });

  describe('the settings of the services', () => {
    test('a parcel without a report may count as not delivered', async () => {
      const services = await openServices({ environment: { CONSIGNMENT_DELIVERED_BY_DEFAULT: 'false' } });
      try {
        expect(await services.activities<ShippingActivities>('consignment').checkShipping('silent')).toBe(false);
      } finally {
        await services.close();
      }
    });

    test.each([
      ['CONSIGNMENT_DELIVERED_BY_DEFAULT', 'perhaps', 'consignment'],
      ['SMTP_URL', 'http://user:secret@host', 'email'],
      ['SMTP_URL', 'not an address', 'email'],
    ] as const)(
      '%s = %s is refused by name, without its value where it may be secret',
      async (name, value, service) => {
        const { default: plugin } = await import(`@gantry/service-${service}`);

        expect(() => plugin.default.config({ [name]: value })).toThrow(new RegExp(name));
        expect(() => plugin.default.config({ [name]: value })).not.toThrow(/secret/);
      },
    );
  });
}

/** Every order is under way; order-routes.ts asks a real one. */
const temporalWithOrders: Temporal = {
  namespace: 'default',
  client: <T>() => Promise.resolve({ withDeadline: (_deadline: number, work: () => unknown) => work(), workflow } as T),
};
const workflow = {
  getHandle: () => ({ describe: () => Promise.resolve({ type: 'placeOrder', status: { name: 'RUNNING' } }) }),
};
