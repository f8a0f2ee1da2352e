import type {
  OperationStarted,
  OrderAcknowledged,
  OrderOperation,
  OrderSettled,
  SettlementOutcome,
} from '@gantry/contracts';
import type { CommandContext } from '../context/command-context';
import { assertAskable, confirm } from '../terminal/confirm';
import { plain } from '../common/plain';
import { callOps } from './ops-client';
import { bodyOf, declined, type AuditNote, type Confirmed } from './ops-control';

interface OperationTexts {
  /** Begins the sentence that asks for a confirmation. */
  readonly subject: string;
  readonly question: (orderId: string) => string;
  readonly started: (orderId: string) => string;
}

const texts: Readonly<Record<OrderOperation, OperationTexts>> = {
  refund: {
    subject: 'Refunding an order',
    question: (orderId) => `Refund the order ${orderId}? The payment is refunded and the customer is notified.`,
    started: (orderId) => `The refund of ${orderId} runs`,
  },
  redelivery: {
    subject: 'Delivering an order again',
    question: (orderId) =>
      `Deliver the order ${orderId} again? A new consignment is started; if it is not delivered, the payment is refunded.`,
    started: (orderId) => `The redelivery of ${orderId} runs`,
  },
};

/** `gantry ops refund <order>` and `gantry ops redeliver <order>`: what a person decides about an order that needs it. */
export async function decideOrder(
  context: CommandContext,
  orderId: string,
  { operation, yes, ...note }: Confirmed & { readonly operation: OrderOperation },
): Promise<number> {
  const { terminal } = context;
  const { subject, question, started } = texts[operation];
  assertAskable(terminal, yes, subject);
  if (!yes && !(await confirm(terminal, question(plain(orderId))))) throw declined();
  const path = [orderId, operation];
  const { data, meta } = await callOps<OperationStarted>(context, { root: 'orders', path, body: bodyOf(note) });
  if (context.json) {
    terminal.printJson(data, meta);
    return 0;
  }
  const already = meta?.['duplicate'] === true ? ' already' : '';
  terminal.print(`${started(plain(orderId))}${already}: gantry ops show ${plain(data.workflowId)}`);
  return 0;
}

/** `gantry ops settle <order>`: what a person has done about such an order outside of the platform. */
export async function settleOrder(
  context: CommandContext,
  orderId: string,
  { outcome, yes, ...note }: Confirmed & { readonly outcome: SettlementOutcome },
): Promise<number> {
  const { terminal } = context;
  const id = plain(orderId);
  assertAskable(terminal, yes, 'Settling an order');
  const question = `Record that the order ${id} was ${outcome} elsewhere? Nothing is refunded or delivered.`;
  if (!yes && !(await confirm(terminal, question))) throw declined();
  const body = { outcome, ...bodyOf(note) };
  const { data, meta } = await callOps<OrderSettled>(context, { root: 'orders', path: [orderId, 'settlement'], body });
  if (context.json) {
    terminal.printJson(data, meta);
    return 0;
  }
  terminal.print(`The order ${id} has the status ${data.status}.`);
  return 0;
}

/** `gantry ops acknowledge <order>`: a person takes note that an order has failed. */
export async function acknowledgeOrder(context: CommandContext, orderId: string, note: AuditNote): Promise<number> {
  const { terminal } = context;
  const path = [orderId, 'acknowledgement'];
  const { data, meta } = await callOps<OrderAcknowledged>(context, { root: 'orders', path, body: bodyOf(note) });
  if (context.json) {
    terminal.printJson(data, meta);
    return 0;
  }
  const { by, reason } = data.acknowledgement;
  const name = by === null ? '' : ` by ${plain(by)}`;
  const already =
    meta?.['duplicate'] === true ? `had been acknowledged before${name}: ${plain(reason)}` : 'is acknowledged.';
  terminal.print(`The failure of the order ${plain(orderId)} ${already}`);
  return 0;
}
