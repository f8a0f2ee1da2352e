import type { PaymentActivities } from '@gantry/contracts';
import { useServices, type OpenServices } from '../../../test/services/support/open-services';

const opened = useServices();

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
