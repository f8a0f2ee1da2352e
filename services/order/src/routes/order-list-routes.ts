import {
  maxListedOrders,
  maxOrderDays,
  orderGroups,
  orderIdPattern,
  orderIdSchema,
  orderRowSteps,
  orderStatuses,
} from '@gantry/contracts';
import { GantryError, route, type Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { isTimeZone, localDays } from '../local-days';
import { listedOrder, orderCounts, orderDay } from './order-schemas';
import { orderSorts, type OrderPosition, type OrderSort, type StoredOrderList } from '../stored-order-list';

const defaultLimit = 50;
const defaultDays = 14;

const limitError = `limit must be a number from 1 to ${maxListedOrders}`;
const limit = wholeNumber(limitError, maxListedOrders)
  .default(defaultLimit)
  .meta({ description: `Maximum number of orders; ${defaultLimit} unless given.` });

const listQuery = z
  .object({
    group: oneOf('group', orderGroups).meta({ description: 'The order group.' }),
    status: oneOf('status', orderStatuses),
    step: oneOf('step', orderRowSteps),
    from: time('from').meta({ description: 'Only orders that reached their step at this time or later: ISO 8601.' }),
    to: time('to').meta({ description: 'Only orders that reached their step before this time: ISO 8601.' }),
    orderId: z
      .string()
      // It may be one or two dots, which an id must not be.
      .refine((text) => orderIdPattern.test(text) || /^\.{1,2}$/.test(text), {
        error: 'orderId must be the beginning of an order id: letters, digits, dots, underscores or hyphens',
      })
      .optional()
      .meta({ description: 'Beginning of the order id.' }),
    sort: z
      .enum(orderSorts, { error: `sort must be one of ${orderSorts.join(', ')}` })
      .default('-since')
      .meta({
        description:
          '`since`: by the time at which they reached their step; `-since`: the latest first. `waiting`: first the orders that need attention, then open orders, the longest waiting first, then the others, the latest first.',
      }),
    limit,
    after: z.string().optional().meta({ description: '`meta.nextCursor` of the previous page.' }),
  })
  .transform(({ after, ...request }, context) => {
    const position = after === undefined ? undefined : parseCursor(request.sort, after);
    if (after === undefined || position !== undefined) return { ...request, after: position };
    const message = 'after must be the meta.nextCursor of the previous page, with the same sort';
    context.addIssue({ code: 'custom', path: ['after'], message });
    return z.NEVER;
  });

const daysError = `days must be a number from 1 to ${maxOrderDays}`;

const daysQuery = z.object({
  days: wholeNumber(daysError, maxOrderDays)
    .default(defaultDays)
    .meta({ description: `Number of days up to today; ${defaultDays} unless given.` }),
  timeZone: z
    .string()
    .refine(isTimeZone, { error: 'timeZone must be the name of a time zone, such as Europe/Berlin' })
    .default('UTC')
    .meta({ description: 'Time zone in which days begin; UTC unless given.', examples: ['Europe/Berlin'] }),
});

const reading = { method: 'GET', access: { permission: 'order.read' }, errors: ['VALIDATION_FAILED'] } as const;

/** Orders as their rows have them, also of those that Temporal no longer keeps. */
export function orderListRoutes(list: StoredOrderList, now: () => Date): readonly Route[] {
  return [
    route({
      ...reading,
      path: '/orders',
      operationId: 'listOrders',
      summary: 'List orders, also those that Temporal no longer keeps, page by page',
      description:
        'Reads the rows of the platform, which follow the workflows within seconds. For the next page, send ' +
        '`meta.nextCursor` as `after`.',
      query: listQuery,
      answer: z.array(listedOrder).describe('A page of orders.'),
      meta: z.object({ nextCursor: z.string().exactOptional().describe('Absent on the last page.') }),
      async handler({ query }) {
        const { orders, next } = await list.page(query, now());
        const meta = next === undefined ? {} : { meta: { nextCursor: formatCursor(query.sort, next) } };
        return { data: orders, ...meta };
      },
    }),
    route({
      ...reading,
      path: '/orders/counts',
      operationId: 'countOrders',
      summary: 'Count the orders of each group, up to 10,000',
      description: 'Reads the rows of the platform. `isCapped` is true if there are more.',
      answer: orderCounts,
      handler: async () => ({ data: await list.counts(now()) }),
    }),
    route({
      ...reading,
      path: '/orders/daily',
      operationId: 'ordersByDay',
      summary: 'Count the orders that were placed on each of the last days',
      description: 'Days without orders have an entry, too.',
      query: daysQuery,
      answer: z.array(orderDay).describe('An entry for each day, the earliest first.'),
      handler: async ({ query: { days, timeZone } }) => ({
        data: await list.placedOn(localDays(days, timeZone, now())),
      }),
    }),
    route({
      ...reading,
      path: '/orders/:orderId',
      operationId: 'readOrder',
      summary: 'Show an order, also one that Temporal no longer keeps',
      description: 'Orders named `counts` and `daily` are found with `GET /orders`.',
      params: orderIdSchema,
      answer: listedOrder,
      async handler({ params: { orderId } }) {
        const data = await list.find(orderId, now());
        if (data === undefined) throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
        return { data };
      },
    }),
  ];
}

function wholeNumber(error: string, max: number) {
  return z
    .string()
    .regex(/^\d{1,5}$/, { error })
    .transform(Number)
    .pipe(z.int().min(1, { error }).max(max, { error }));
}

function oneOf<const Values extends readonly string[]>(name: string, values: Values) {
  return z.enum(values, { error: `${name} must be one of ${values.join(', ')}` }).optional();
}

/** A point in time, in the notation in which rows have theirs. */
function time(name: string) {
  const error = `${name} must be a time in ISO 8601 with its zone, such as 2030-01-31T12:00:00Z`;
  return z.iso
    .datetime({ offset: true, error })
    .transform((text) => new Date(text).toISOString())
    .optional();
}

/** The cursor of the page behind a position, and of no other sort order. */
function formatCursor(sort: OrderSort, { rank, since, id }: OrderPosition): string {
  return Buffer.from(JSON.stringify([sort, since, id, rank])).toString('base64url');
}

const cursorParts = z.tuple([
  z.enum(orderSorts),
  z.iso.datetime().nullable(),
  z.string().regex(/^\d{1,18}$/),
  // Absent in a cursor from before there were ranks.
  z.int().min(0).max(2).default(0),
]);

function parseCursor(sort: OrderSort, cursor: string): OrderPosition | undefined {
  const [sortedBy, since, id, rank] = cursorParts.safeParse(parseJson(cursor)).data ?? [];
  if (sortedBy !== sort || since === undefined || id === undefined || rank === undefined) return undefined;
  return { rank, since, id };
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
