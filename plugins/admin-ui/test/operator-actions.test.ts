import { signalNames } from '@gantry/contracts';
import type { HistoryEvent } from '../web/src/operations/api/history-event';
import { operatorActions } from '../web/src/operations/orders/operator-actions';

const at = (second: number): string => `2026-03-01T10:00:0${second}.000Z`;
const text = (value: string) => ({ data: Buffer.from(JSON.stringify(value)).toString('base64') });

/** An event as Temporal gives it: the attributes are in a member named after the type. */
function event(second: number, type: string, attributes: object): HistoryEvent {
  const eventType = `EVENT_TYPE_${type}`;
  return { eventId: String(second), eventTime: at(second), eventType, someEventAttributes: attributes } as HistoryEvent;
}

describe('what people did to an order', () => {
  it('is what was reported and requested, with who and why, the newest first', () => {
    const order = [
      event(1, 'WORKFLOW_EXECUTION_STARTED', { identity: '12@host' }),
      event(2, 'WORKFLOW_EXECUTION_SIGNALED', { signalName: signalNames.paymentReceived, identity: '12@host' }),
      event(5, 'WORKFLOW_EXECUTION_CANCEL_REQUESTED', {
        cause: 'Changed their mind (requested by Ada)',
        identity: 'gantry ops: Ada',
      }),
    ];
    const consignment = [
      event(3, 'WORKFLOW_EXECUTION_SIGNALED', {
        signalName: signalNames.shipmentDispatched,
        identity: 'gantry ops: Grace',
        header: { fields: { reason: text('Handed over (requested by Grace)') } },
      }),
      event(4, 'WORKFLOW_EXECUTION_SIGNALED', { signalName: 'other', identity: 'gantry ops: unknown' }),
      event(6, 'WORKFLOW_EXECUTION_CANCEL_REQUESTED', { identity: 'history-service' }),
      event(7, 'WORKFLOW_EXECUTION_SIGNALED', { signalName: signalNames.customerConfirmed, identity: 'gantry: Alan' }),
    ];

    expect(operatorActions([order, consignment]).map(({ what, who, why }) => [what, who, why])).toEqual([
      ['Receipt confirmed', 'Alan', undefined],
      ['Cancellation requested', 'Ada', 'Changed their mind'],
      ['Signal other', undefined, undefined],
      ['Dispatched', 'Grace', 'Handed over'],
      ['Payment recorded', undefined, undefined],
    ]);
  });

  it('includes resets and terminations, and no tasks that failed by themselves', () => {
    const order = [
      event(1, 'WORKFLOW_TASK_FAILED', { failure: { message: 'Retry' } }),
      event(2, 'WORKFLOW_TASK_FAILED', {
        baseRunId: 'before',
        identity: 'gantry ops: Ada',
        failure: { message: 'Carrier is back (requested by Ada)' },
      }),
      event(3, 'WORKFLOW_EXECUTION_TERMINATED', { reason: 'Lost', identity: 'gantry ops: Grace' }),
    ];

    expect(operatorActions([order]).map(({ what, who, why, time }) => [what, who, why, time])).toEqual([
      ['Terminated', 'Grace', 'Lost', Date.parse(at(3))],
      ['Reset', 'Ada', 'Carrier is back', Date.parse(at(2))],
    ]);
  });
});
