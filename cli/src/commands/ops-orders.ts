import type { ListedOrder } from '@gantry/contracts';
import type { CommandContext } from '../context/command-context';
import { moment } from '../terminal/duration';
import { plain } from '../common/plain';
import { counted, table } from '../terminal/table';
import { callOps } from './ops-client';

export interface OrderListArguments {
  readonly group: string | undefined;
  readonly status: string | undefined;
  /** The beginning of the ids. */
  readonly id: string | undefined;
  readonly limit: string | undefined;
  readonly after: string | undefined;
  /** All pages from there on, not one. */
  readonly all: boolean;
}

/** `gantry ops orders`: the orders as their rows have them; Temporal is not asked. */
export async function listOrders(context: CommandContext, wanted: OrderListArguments): Promise<number> {
  const { terminal } = context;
  const { orders, nextCursor } = await find(context, wanted);
  if (context.json) {
    terminal.printJson(orders, nextCursor === undefined ? undefined : { nextCursor });
    return 0;
  }
  const rows = orders.map((order) => [
    plain(order.orderId),
    order.status ?? '',
    order.step ?? '',
    order.since === null ? '' : moment(order.since),
    plain(reasonOf(order)),
  ]);
  if (rows.length === 0) terminal.note('There is no such order.');
  else terminal.print(table(['ORDER', 'STATUS', 'STEP', 'SINCE', 'REASON'], rows));
  if (nextCursor !== undefined) {
    terminal.note(`${counted(rows.length, 'order')} shown; there are more. Add --all, or --after ${nextCursor}`);
  }
  return 0;
}

/** Platforms of earlier versions give no acknowledgement. */
function reasonOf({ reason, acknowledgement }: Omit<ListedOrder, 'acknowledgement'> & Partial<ListedOrder>): string {
  const text = reason ?? '';
  if (acknowledgement == null) return text;
  const { by, reason: why } = acknowledgement;
  return `${text}${text === '' ? '' : ' '}(acknowledged${by === null ? '' : ` by ${by}`}: ${why})`;
}

interface Found {
  readonly orders: readonly ListedOrder[];
  readonly nextCursor: string | undefined;
}

async function find(context: CommandContext, wanted: OrderListArguments): Promise<Found> {
  const { all, after, group, status, id: orderId } = wanted;
  const limit = wanted.limit ?? (all ? '200' : undefined);
  const orders: ListedOrder[] = [];
  let cursor = after;
  do {
    const query = { group, status, orderId, limit, after: cursor };
    const page = await callOps<readonly ListedOrder[]>(context, { root: 'orders', query });
    orders.push(...page.data);
    const next = page.meta?.['nextCursor'];
    cursor = typeof next === 'string' ? next : undefined;
  } while (all && cursor !== undefined);
  return { orders, nextCursor: cursor };
}
