import { randomUUID } from 'node:crypto';
import payment from '@gantry/service-payment';
import { eventually } from '../../support/eventually';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { walkOrder } from '../../workflows/support/walk-order';
import { openServices, type OpenServices } from '../support/open-services';

export function describeWaitingPayments(opened: () => OrderEnvironment): void {
  // A host that dies between storing a payment and confirming it leaves a row behind that the next one settles.
  describe('payments whose request was cut off', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    beforeAll(async () => {
      environment = opened();
      const client = <T>(): Promise<T> => Promise.resolve(environment.temporal.client as T);
      services = await openServices({ temporal: { namespace: 'default', client } });
    });
    afterAll(() => services.close());

    test('reach an order that still waits, stay where it had them already, and are refused where it is too late, and removed where nothing was ever placed', async () => {
      const waiting = randomUUID();
      const signalled = randomUUID();
      const tooLate = randomUUID();
      const neverPlaced = randomUUID();
      const perhapsForgotten = randomUUID();
      await (await walkOrder(environment, tooLate).place()).result();
      const order = await walkOrder(environment, signalled).dispatch();
      await order.result();
      await walkOrder(environment, waiting).place();
      await Promise.all([waiting, signalled, tooLate, neverPlaced].map((orderId) => leaveBehind(orderId, '1 minute')));
      await leaveBehind(perhapsForgotten, '1 day');

      await payment.start?.(services.context('payment'));

      await untilSettled();
      expect(await stateOf(waiting)).toBe('ACCEPTED');
      expect(await stateOf(signalled)).toBe('ACCEPTED');
      expect(await stateOf(tooLate)).toBe('REFUSED');
      expect(await stateOf(neverPlaced)).toBeUndefined();
      expect(await stateOf(perhapsForgotten)).toBe('REFUSED');
      await environment.consignmentAt(waiting, 'WAITING_FOR_DISPATCH');
    });

    async function leaveBehind(orderId: string, age: string): Promise<void> {
      await services.database.query(
        `INSERT INTO payment_payment (order_id, state, version, created_at, updated_at)
       VALUES ($1, 'RECEIVED', 1, now() - $2::interval, now() - $2::interval)`,
        [orderId, age],
      );
    }

    function untilSettled(): Promise<void> {
      return eventually(async () => {
        const rows = await services.database.query(`SELECT 1 FROM payment_payment WHERE state = 'RECEIVED'`);
        return rows.length === 0;
      });
    }

    async function stateOf(orderId: string): Promise<string | undefined> {
      const sql = 'SELECT state FROM payment_payment WHERE order_id = $1';
      const rows = await services.database.query<{ state: string }>(sql, [orderId]);
      return rows.at(0)?.state;
    }
  });
}
