import {
  maxListedOrders,
  maxOrderDays,
  orderGroups,
  orderIdPattern,
  orderIdSchema,
  orderRowSteps,
  orderStatuses,
  type ListedOrder,
  type OrderCounts,
  type OrderDay,
} from '@gantry/contracts';
import { GantryError, type RouteHandler } from '@gantry/plugin-api';
import { z } from 'zod';
import { isTimeZone, localDays } from './local-days';
import type { OrderPosition, StoredOrderList } from './stored-order-list';

const defaultLimit = 50;
const defaultDays = 14;

const limitError = `limit must be a number from 1 to ${maxListedOrders}`;
const limit = wholeNumber(limitError, maxListedOrders)
  .default(defaultLimit)
  .meta({ description: `Orders on a page; ${defaultLimit} unless given.` });

const sorts = ['since', '-since'] as const;

/** GET /orders */
export const orderListSchemas = {
  query: z
    .object({
      group: oneOf('group', orderGroups).meta({ description: 'What the orders wait for, or how they ended.' }),
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
        .meta({ description: 'The beginning of the order id.' }),
      sort: z
        .enum(sorts, { error: `sort must be one of ${sorts.join(', ')}` })
        .default('-since')
        .meta({ description: 'By the time when they reached their step; `-since` shows the latest first.' }),
      limit,
      after: z.string().optional().meta({ description: '`meta.nextCursor` of the previous page.' }),
    })
    .transform(({ sort, after, ...request }, context) => {
      const position = after === undefined ? undefined : parseCursor(sort, after);
      if (after === undefined || position !== undefined) {
        return { ...request, sort, isDescending: sort === '-since', after: position };
      }
      const message = 'after must be the meta.nextCursor of the previous page, with the same sort';
      context.addIssue({ code: 'custom', path: ['after'], message });
      return z.NEVER;
    }),
};

/** GET /orders: a page of orders as their rows have them, also of those that Temporal no longer keeps. */
export function createOrderListRoute(list: StoredOrderList, now: () => Date): RouteHandler<typeof orderListSchemas> {
  return async ({ query: { sort, ...request } }) => {
    const { orders, next } = await list.page(request, now());
    const data: readonly ListedOrder[] = orders;
    return { data, ...(next === undefined ? {} : { meta: { nextCursor: formatCursor(sort, next) } }) };
  };
}

/** GET /orders/:orderId */
export const orderSchemas = { params: orderIdSchema };

/** GET /orders/:orderId: one order, as the list has it. */
export function createOrderRoute(list: StoredOrderList, now: () => Date): RouteHandler<typeof orderSchemas> {
  return async ({ params: { orderId } }) => {
    const data: ListedOrder | undefined = await list.find(orderId, now());
    if (data === undefined) throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
    return { data };
  };
}

/** GET /orders/counts: how many orders each group has. */
export function createOrderCountsRoute(list: StoredOrderList, now: () => Date): RouteHandler {
  return async () => {
    const data: OrderCounts = await list.counts(now());
    return { data };
  };
}

const daysError = `days must be a number from 1 to ${maxOrderDays}`;

/** GET /orders/daily */
export const orderDaysSchemas = {
  query: z.object({
    days: wholeNumber(daysError, maxOrderDays)
      .default(defaultDays)
      .meta({ description: `Days up to today; ${defaultDays} unless given.` }),
    timeZone: z
      .string()
      .refine(isTimeZone, { error: 'timeZone must be the name of a time zone, such as Europe/Berlin' })
      .default('UTC')
      .meta({ description: 'In which the days begin; UTC unless given.', examples: ['Europe/Berlin'] }),
  }),
};

/** GET /orders/daily: how many orders were placed on each of the last days. */
export function createOrderDaysRoute(list: StoredOrderList, now: () => Date): RouteHandler<typeof orderDaysSchemas> {
  return async ({ query: { days, timeZone } }) => {
    const data: readonly OrderDay[] = await list.placedOn(localDays(days, timeZone, now()));
    return { data };
  };
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

type Sort = (typeof sorts)[number];

/** The cursor of the page behind a position, and of no other sort order. */
function formatCursor(sort: Sort, { since, id }: OrderPosition): string {
  return Buffer.from(JSON.stringify([sort, since, id])).toString('base64url');
}

const cursorParts = z.tuple([z.enum(sorts), z.iso.datetime().nullable(), z.string().regex(/^\d{1,18}$/)]);

function parseCursor(sort: Sort, cursor: string): OrderPosition | undefined {
  const [sortedBy, since, id] = cursorParts.safeParse(parseJson(cursor)).data ?? [];
  return sortedBy === sort && since !== undefined && id !== undefined ? { since, id } : undefined;
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
