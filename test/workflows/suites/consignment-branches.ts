import { consignmentWorkflowId, dispatchedMarker } from '@gantry/contracts';
import { historyOf, keepHistory, traceOf, type HistoryEvent } from '../support/history-facts';
import type { OrderEnvironment } from '../support/order-environment';
import { walkOrder } from '../support/walk-order';

export function describeConsignmentBranches(opened: () => OrderEnvironment): void {
  // Every branch of the child workflow in the order specification, section 3, with its true time limits.
  describe('the child workflow that delivers an order', () => {
    let environment: OrderEnvironment;
    beforeAll(() => {
      environment = opened();
    });

    test('finishes as delivered when the customer confirms within the minute', async () => {
      await walkOrder(environment, 'confirmed').deliver();
      await environment.signalConsignment('confirmed', 'customerConfirmed');

      expect(await resultOf('confirmed')).toBe('DELIVERED');
      expect(traceOf(await childHistory('confirmed'))).toEqual([
        'started',
        'signal shipmentDispatched',
        'timer 120s',
        'timer fired',
        'activity checkShipping',
        'timer 60s',
        'signal customerConfirmed',
        'timer cancelled',
        'completed',
      ]);
      expect(await environment.consignmentAt('confirmed', 'FINISHED')).toEqual({
        orderId: 'confirmed',
        step: 'FINISHED',
        shipmentDispatched: true,
        customerConfirmed: true,
        result: 'DELIVERED',
      });
    });

    test('finishes as delivered when the minute for the confirmation elapses', async () => {
      await walkOrder(environment, 'not-confirmed').dispatch();

      expect(await resultOf('not-confirmed')).toBe('DELIVERED');
      expect(traceOf(await childHistory('not-confirmed')).slice(4)).toEqual([
        'activity checkShipping',
        'timer 60s',
        'timer fired',
        'completed',
      ]);
    });

    test('finishes at once when the customer had confirmed before the check', async () => {
      await walkOrder(environment, 'confirmed-early').dispatch();
      await environment.signalConsignment('confirmed-early', 'customerConfirmed');

      expect(await resultOf('confirmed-early')).toBe('DELIVERED');
      expect(traceOf(await childHistory('confirmed-early')).slice(3)).toEqual([
        'signal customerConfirmed',
        'timer fired',
        'activity checkShipping',
        'completed',
      ]);
    });

    test('finishes as undelivered, without waiting for the customer, when the carrier did not deliver', async () => {
      environment.activities.script('not-delivered', { delivered: false });
      await walkOrder(environment, 'not-delivered').dispatch();

      expect(await resultOf('not-delivered')).toBe('UNDELIVERED');
      expect(traceOf(await childHistory('not-delivered'))).toEqual([
        'started',
        'signal shipmentDispatched',
        'timer 120s',
        'timer fired',
        'activity checkShipping',
        'completed',
      ]);
    });

    test('is listed as dispatched by a marker, once, as soon as the parcel has left', async () => {
      await walkOrder(environment, 'listed').pay();
      expect(
        listedVersions(await historyOf(environment.temporal.client.workflow, consignmentWorkflowId('listed'))),
      ).toEqual([]);
      await environment.signalConsignment('listed', 'shipmentDispatched');
      await environment.signalConsignment('listed', 'shipmentDispatched');

      expect(await resultOf('listed')).toBe('DELIVERED');
      const events = await historyOf(environment.temporal.client.workflow, consignmentWorkflowId('listed'));
      expect(listedVersions(events)).toEqual([[dispatchedMarker]]);
    });

    test('waits for the dispatch without a separate timer', async () => {
      await walkOrder(environment, 'dispatched-late').pay();
      await environment.temporal.sleep('16m');
      await environment.signalConsignment('dispatched-late', 'shipmentDispatched');

      expect(await resultOf('dispatched-late')).toBe('DELIVERED');
      expect(traceOf(await childHistory('dispatched-late')).slice(0, 3)).toEqual([
        'started',
        'signal shipmentDispatched',
        'timer 120s',
      ]);
    });

    test('is ended by its run time-out when nothing is dispatched', async () => {
      await walkOrder(environment, 'never-dispatched').pay();

      await expect(resultOf('never-dispatched')).rejects.toMatchObject({ cause: { name: 'TimeoutFailure' } });
      expect(traceOf(await childHistory('never-dispatched'))).toEqual(['started', 'timed out']);
    });

    test('takes a second dispatch as the first', async () => {
      await walkOrder(environment, 'dispatched-twice').dispatch();
      await environment.signalConsignment('dispatched-twice', 'shipmentDispatched');

      expect(await resultOf('dispatched-twice')).toBe('DELIVERED');
      expect(traceOf(await childHistory('dispatched-twice')).filter((step) => step === 'timer 120s')).toHaveLength(1);
    });

    test('tries the check until it succeeds', async () => {
      environment.activities.script('checked-again', { failures: { checkShipping: 9 } });
      await walkOrder(environment, 'checked-again').dispatch();

      expect(await resultOf('checked-again')).toBe('DELIVERED');
      const checks = environment.activities.attempts('checked-again').filter((name) => name === 'checkShipping');
      expect(checks).toHaveLength(10);
      await childHistory('checked-again');
    });

    test('ends as cancelled when cancelled on the way', async () => {
      await walkOrder(environment, 'cancelled').dispatch();
      await handleOf('cancelled').cancel();

      await expect(resultOf('cancelled')).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(traceOf(await childHistory('cancelled')).slice(2)).toEqual([
        'timer 120s',
        'cancel requested',
        'timer cancelled',
        'cancelled',
      ]);
    });

    test('stays delivered when cancelled after the parcel has arrived', async () => {
      await walkOrder(environment, 'cancelled-late').deliver();
      await handleOf('cancelled-late').cancel();

      expect(await resultOf('cancelled-late')).toBe('DELIVERED');
      expect(traceOf(await childHistory('cancelled-late')).slice(5)).toEqual([
        'timer 60s',
        'cancel requested',
        'timer fired',
        'completed',
      ]);
    });

    function handleOf(orderId: string) {
      return environment.temporal.client.workflow.getHandle(consignmentWorkflowId(orderId));
    }

    function resultOf(orderId: string): Promise<unknown> {
      return handleOf(orderId).result();
    }

    /** The history of the child; kept as a fixture when asked to. */
    async function childHistory(orderId: string): Promise<readonly HistoryEvent[]> {
      const events = await historyOf(environment.temporal.client.workflow, consignmentWorkflowId(orderId));
      await keepHistory(`consignment.${orderId}`, events);
      return events;
    }
  });
}

/** The values of the search attribute by which a list finds the workflow, one entry for each event that sets it. */
function listedVersions(events: readonly HistoryEvent[]): readonly unknown[] {
  return events.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) => {
    const { TemporalChangeVersion: version } = upserted?.searchAttributes.indexedFields ?? {};
    return version === undefined ? [] : [JSON.parse(Buffer.from(version.data, 'base64').toString('utf8'))];
  });
}
