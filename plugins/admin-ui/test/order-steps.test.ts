import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowStatus } from '@gantry/contracts';
import type { HistoryEvent } from '../web/src/operations/api/history-event';
import {
  activeStep,
  orderSteps,
  type OrderSources,
  type OrderStep,
  type StepKey,
} from '../web/src/operations/orders/order-steps';

const folder = join(__dirname, '../../../test/workflows/fixtures/histories');

describe('the steps of an order under way', () => {
  it('say since when its consignment waits for dispatch', () => {
    const events = before(read('order.delivered.json'), 'CHILD_WORKFLOW_EXECUTION_COMPLETED');
    const consignmentEvents = before(read('consignment.confirmed.json'), 'WORKFLOW_EXECUTION_SIGNALED');
    const steps = orderSteps({ ...sourcesOf('RUNNING', events), consignmentEvents });
    const started = events.find(({ eventType }) => eventType === 'EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED');

    expect(activeStep(steps)).toEqual({
      key: 'dispatch',
      state: 'active',
      text: 'Waiting for dispatch',
      since: Date.parse(started?.eventTime ?? ''),
    });
  });
});

describe('the steps of an order that is delivered again', () => {
  it('are those of the redelivery after its payment, and not of the consignment that failed', () => {
    const first = sourcesOf('FAILED', read('order.consignment-terminated.json'));
    const again = sourcesOf('RUNNING', before(read('order.delivered.json'), 'CHILD_WORKFLOW_EXECUTION_COMPLETED'));
    const consignmentEvents = before(read('consignment.confirmed.json'), 'WORKFLOW_EXECUTION_SIGNALED');
    const states = (sources: OrderSources) => orderSteps(sources).map(({ key, state }) => `${key} ${state}`);

    expect(states(first)).toContain('compensation failed');
    expect(states({ ...first, redelivery: { ...again, consignmentEvents } })).toEqual([
      'placed done',
      'payment done',
      'dispatch active',
      'delivery waiting',
      'confirmation waiting',
      'compensation waiting',
    ]);
  });
});

describe('the steps of an order that has ended', () => {
  it('say that nobody paid in time only when the minute is why it ended', () => {
    expect(stepOf('payment', 'COMPLETED', read('order.not-paid.json'))?.text).toBe('The order was not paid in time.');
    expect(stepOf('payment', 'CANCELED', read('order.cancelled-unpaid.json'))?.text).toBe(
      'The order ended before it was paid.',
    );
  });

  it('say that money is still owed when it was paid, and its consignment failed', () => {
    expect(stepOf('compensation', 'FAILED', read('order.consignment-times-out.json'))).toEqual({
      key: 'compensation',
      state: 'failed',
      text: 'The order was paid and has ended without a refund. Check whether the parcel was delivered.',
    });
  });

  it('say so as well when somebody terminated it while its parcel was on its way', () => {
    const events = terminated(before(read('order.delivered.json'), 'CHILD_WORKFLOW_EXECUTION_COMPLETED'));

    expect(stepOf('compensation', 'TERMINATED', events)).toMatchObject({ state: 'failed' });
  });

  it('owe nothing when it was delivered or never paid, however it ended', () => {
    const delivered = terminated(before(read('order.delivered.json'), 'WORKFLOW_EXECUTION_COMPLETED'));

    for (const [status, events] of [
      ['COMPLETED', read('order.delivered.json')],
      ['COMPLETED', read('order.not-paid.json')],
      ['CANCELED', read('order.cancelled-unpaid.json')],
      ['TERMINATED', delivered],
    ] as const) {
      expect(stepOf('compensation', status, events)).toMatchObject({
        state: 'skipped',
        text: 'Nothing to refund.',
      });
    }
  });

  it('do not say that the customer was notified: without a mail server, a message is written and not sent', () => {
    const texts = orderSteps(sourcesOf('COMPLETED', read('order.undelivered.json'))).map(({ text }) => text);

    expect(texts).toContain('The order was placed.');
    expect(texts).toContain('The payment was refunded.');
    expect(texts.join(' ')).not.toMatch(/notified/);
  });

  it('do not say that a payment is being refunded, or a customer notified, when nothing is in progress any more', () => {
    const undelivered = read('order.undelivered.json');
    const inRefund = terminated(through(undelivered, 'refundPayment'));
    const inNotice = terminated(through(undelivered, 'sendOrderCancelledNotification'));
    const inFirstNotice = terminated(through(undelivered, 'sendOrderPlacedNotification'));

    expect(stepOf('compensation', 'TERMINATED', inRefund)).toMatchObject({
      state: 'failed',
      text: 'The order ended while the payment was being refunded. Check whether the refund was made.',
    });
    expect(stepOf('compensation', 'TERMINATED', inNotice)).toMatchObject({
      state: 'failed',
      text: 'The payment was refunded, but the order ended before the customer was notified.',
    });
    expect(stepOf('placed', 'TERMINATED', inFirstNotice)).toMatchObject({
      state: 'failed',
      text: 'The order ended before the customer was notified.',
    });
  });
});

function stepOf(key: StepKey, status: WorkflowStatus, orderEvents: readonly HistoryEvent[]): OrderStep | undefined {
  return orderSteps(sourcesOf(status, orderEvents)).find((step) => step.key === key);
}

function sourcesOf(status: WorkflowStatus, orderEvents: readonly HistoryEvent[]): OrderSources {
  const order = {
    workflowId: 'order-1',
    runId: 'run',
    type: 'placeOrder',
    status,
    taskQueue: 'order-tq',
    startTime: '2026-01-01T00:00:00Z',
    activities: [],
    pendingChildren: [],
    result: [],
    historyLength: orderEvents.length,
    problems: [],
  };
  return { order, orderEvents, consignmentEvents: undefined };
}

function read(name: string): readonly HistoryEvent[] {
  return (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { events: readonly HistoryEvent[] }).events;
}

/** Events before the first event of a type. */
function before(events: readonly HistoryEvent[], type: string): readonly HistoryEvent[] {
  return events.slice(
    0,
    indexOf(events, ({ eventType }) => eventType === `EVENT_TYPE_${type}`),
  );
}

/** Events up to the scheduling of an activity. */
function through(events: readonly HistoryEvent[], activity: string): readonly HistoryEvent[] {
  return events.slice(0, indexOf(events, (event) => JSON.stringify(event).includes(`"name":"${activity}"`)) + 1);
}

function indexOf(events: readonly HistoryEvent[], isSought: (event: HistoryEvent) => boolean): number {
  const index = events.findIndex(isSought);
  if (index === -1) throw new Error('The history has no such event.');
  return index;
}

function terminated(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const eventTime = events.at(-1)?.eventTime ?? '';
  const end = { eventId: String(events.length + 1), eventTime, eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED' };
  return [...events, end];
}
