import { signalNames } from '@gantry/contracts';
import {
  attributesOf,
  failureText,
  payloadText,
  typeOf,
  type Attributes,
  type HistoryEvent,
} from '../api/history-event';

/** Something that was reported about an order or done to it from outside its workflows. */
export interface OperatorAction {
  /** Distinguishes it from the others. */
  readonly key: string;
  /** In milliseconds. */
  readonly time: number;
  readonly what: string;
  /** Undefined where the history names nobody. */
  readonly who: string | undefined;
  readonly why: string | undefined;
}

/** Actions of people, read from the histories of an order and its consignment, the newest first. */
export function operatorActions(histories: readonly (readonly HistoryEvent[])[]): readonly OperatorAction[] {
  return histories
    .flatMap((events, index) => events.flatMap((event) => actionOf(event, index) ?? []))
    .toSorted((left, right) => right.time - left.time);
}

function actionOf(event: HistoryEvent, index: number): OperatorAction | undefined {
  const attributes = attributesOf(event);
  const what = whatOf(event, attributes);
  if (what === undefined) return undefined;
  const { who, why } = noteOf(attributes);
  // Without a name, it is the end of the order that ends its consignment.
  if (index > 0 && typeOf(event) !== 'WORKFLOW_EXECUTION_SIGNALED' && who === undefined) return undefined;
  return { key: `${index} ${event.eventId}`, time: Date.parse(event.eventTime), what, who, why };
}

const signalTexts: Readonly<Record<string, string>> = {
  [signalNames.paymentReceived]: 'Payment recorded',
  [signalNames.shipmentDispatched]: 'Dispatched',
  [signalNames.customerConfirmed]: 'Receipt confirmed',
};

function whatOf(event: HistoryEvent, { signalName = '', baseRunId }: Attributes): string | undefined {
  switch (typeOf(event)) {
    case 'WORKFLOW_EXECUTION_SIGNALED':
      return signalTexts[signalName] ?? `Signal ${signalName}`;
    case 'WORKFLOW_EXECUTION_CANCEL_REQUESTED':
      return 'Cancellation requested';
    case 'WORKFLOW_EXECUTION_TERMINATED':
      return 'Terminated';
    case 'WORKFLOW_TASK_FAILED':
      return baseRunId === undefined || baseRunId === '' ? undefined : 'Reset';
    default:
      return undefined;
  }
}

/** As the operations service writes it: who is the identity, and in brackets after the reason. */
function noteOf({ identity = '', reason, cause, header, failure }: Attributes): Pick<OperatorAction, 'who' | 'why'> {
  const text =
    reason ?? payloadText(header?.fields?.['reason'])?.replaceAll(/^"|"$/g, '') ?? failureText(failure) ?? cause;
  const [, why = text, named] = /^(.*) \(requested by (.*)\)$/s.exec(text ?? '') ?? [];
  const who = named ?? /^gantry(?: ops)?: (.*)$/s.exec(identity)?.[1];
  return { who: who === 'unknown' ? undefined : who, why: why === '' ? undefined : why };
}
