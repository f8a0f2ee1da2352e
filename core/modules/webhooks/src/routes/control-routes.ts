import { GantryError, type AuditedSubject, type RequestSchema, type Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { count } from '@gantry/core-common';
import { parsePosition, type Position } from '@gantry/core-database';
import {
  deliveryAttempt,
  givenUpChange,
  type DeliveryAttempt,
  type GivenUpChange,
  type SubscriptionState,
} from '../sending/webhook-schemas';
import type { Feed, FeedChange } from '../delivery/feed';
import type { LogPage } from '../delivery/subscription-control';
import type { SubscriptionEngine } from '../delivery/subscription-engine';
import { routesWith, type HostCall } from '@gantry/core-http';
import { replayBody, undeliveredBody } from './webhook-input';

/** Of webhooks and of subscriptions of plugins. */
export const managesWebhooks = { permission: 'webhooks.manage' } as const;

/** Routes of both kinds of subscriptions. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Webhooks, or subscriptions of plugins; all methods throw NOT_FOUND. */
export interface ControlledSubscriptions {
  get(id: string): Promise<Named>;
  setState(id: string, state: SubscriptionState): Promise<Named>;
  replay(id: string, position: Position): Promise<Named>;
  retry(id: string, changes?: readonly string[]): Promise<Named>;
  discard(id: string, changes?: readonly string[]): Promise<Named>;
  log(id: string, limit: number, before: string | undefined): Promise<LogPage<DeliveryAttempt>>;
  undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<GivenUpChange>>;
  /** The id of the subscription in the database. */
  subscriptionOf(id: string): Promise<string>;
}

export interface ControlServices {
  readonly feed: Feed;
  readonly engine: Pick<SubscriptionEngine, 'refresh'>;
}

/** A kind of subscriptions, and how its routes differ from those of the other. */
export interface ControlledKind<Services> {
  /** In the audit log, for example `webhook`, of which `webhook-paused` is made. */
  readonly noun: string;
  /** Of one of them. */
  readonly path: string;
  readonly params: z.ZodType<string>;
  /** Of a change that is sent to one of them. */
  readonly paramsOfChange: z.ZodType<{ readonly id: string; readonly position: string }>;
  readonly subscriptions: (services: Services) => ControlledSubscriptions;
  readonly audited: (subscription: Named) => AuditedSubject;
  readonly subscription: RequestSchema<Named>;
  /** The request that is sent for a change. */
  readonly request: RequestSchema<object>;
  /** JSON of it. */
  readonly requestOf: (services: Services, id: string, change: FeedChange) => Promise<string>;
  readonly operationIds: Readonly<
    Record<'pause' | 'resume' | 'retry' | 'discard' | 'replay' | 'deliveries' | 'undelivered' | 'change', string>
  >;
}

const pageOfLog = z.object({
  limit: count(500).default(50).meta({ description: 'Maximum number of rows.', default: 50 }),
  before: count(Number.MAX_SAFE_INTEGER).optional().describe('`meta.nextBefore` of the previous page.'),
});
const logMeta = z.object({ nextBefore: z.string().exactOptional() });

/** Actions on a subscription, and the outcomes of its changes. */
export function controlRoutes<Services extends ControlServices>(
  kind: ControlledKind<Services>,
): readonly Route<Services>[] {
  return [...actionRoutes(kind), ...logRoutes(kind)];
}

function actionRoutes<Services extends ControlServices>(kind: ControlledKind<Services>): readonly Route<Services>[] {
  const { path, params, operationIds, noun, subscriptions } = kind;
  const route = routesWith<Services>();

  const action = (name: 'pause' | 'resume' | 'retry' | 'discard' | 'replay', done: string) => ({
    ...{ method: 'POST' as const, path: `${path}/${name}`, operationId: operationIds[name], access: managesWebhooks },
    ...{ audit: `${noun}-${done}`, params, answer: kind.subscription },
  });
  /** An action answers with the subscription as it is afterwards. */
  const after = async ({ params: id, audit }: Acting, services: Services, acted: Promise<Named>) => {
    const data = await acted;
    await audit(kind.audited(data));
    await services.engine.refresh(await subscriptions(services).subscriptionOf(id));
    return { data };
  };
  return [
    route({
      ...action('pause', 'paused'),
      summary: 'Pause delivery; changes wait until it is resumed',
      description: 'Changes stay in the feed; nothing is lost.',
      handler: (call, services) => after(call, services, subscriptions(services).setState(call.params, 'paused')),
    }),
    route({
      ...action('resume', 'resumed'),
      summary: 'Resume delivery, and retry waiting changes at once',
      description: 'Delivery continues where it was paused, in the order of the changes.',
      handler: (call, services) => after(call, services, subscriptions(services).setState(call.params, 'active')),
    }),
    route({
      ...action('retry', 'retried'),
      summary: 'Retry undelivered changes',
      description:
        'Retries all undelivered changes, or those named in `ids`. Each is delivered after later changes of its item.',
      body: undeliveredBody,
      handler: (call, services) => after(call, services, subscriptions(services).retry(call.params, call.body.ids)),
    }),
    route({
      ...action('discard', 'changes-discarded'),
      summary: 'Remove undelivered changes from the list',
      description: 'Removes all undelivered changes, or those named in `ids`. They are never delivered.',
      body: undeliveredBody,
      handler: (call, services) => after(call, services, subscriptions(services).discard(call.params, call.body.ids)),
    }),
    route({
      ...action('replay', 'replayed'),
      summary: 'Replay the changes since a time or after a position',
      description:
        'Moves the position back. Changes that were delivered before come again with the same ids, so that a receiver can ' +
        'ignore them.',
      body: replayBody,
      async handler(call, services) {
        const position = await startOf(services.feed, call.body);
        return after(call, services, subscriptions(services).replay(call.params, position));
      },
    }),
  ];
}

function logRoutes<Services extends ControlServices>(kind: ControlledKind<Services>): readonly Route<Services>[] {
  const { path, params, operationIds, subscriptions } = kind;
  const route = routesWith<Services>();
  const log = (name: 'deliveries' | 'undelivered') => ({
    ...{ method: 'GET' as const, path: `${path}/${name}`, operationId: operationIds[name], access: managesWebhooks },
    ...{ params, query: pageOfLog, meta: logMeta },
  });

  return [
    route({
      ...log('deliveries'),
      answer: z.array(deliveryAttempt).describe('The latest first.'),
      summary: 'List the latest attempts, about 1,000',
      description: 'For the next page, send `meta.nextBefore` as `before`.',
      handler: async ({ params: id, query }, services) =>
        pageOf(await subscriptions(services).log(id, query.limit, query.before?.toString())),
    }),
    route({
      ...log('undelivered'),
      answer: z.array(givenUpChange).describe('The latest first.'),
      summary: 'List the undelivered changes',
      description:
        'A change that is refused for 24 hours is undelivered and not tried again. For the next page, send `meta.nextBefore` as `before`.',
      handler: async ({ params: id, query }, services) =>
        pageOf(await subscriptions(services).undelivered(id, query.limit, query.before?.toString())),
    }),
    route({
      method: 'GET',
      path: `${path}/changes/:position`,
      operationId: operationIds.change,
      summary: 'Show the request that is sent for a change',
      description: 'Secrets and signatures are null. 404 when the change feed no longer has the change.',
      access: managesWebhooks,
      params: kind.paramsOfChange,
      answer: kind.request,
      async handler({ params: { id, position } }, services) {
        await subscriptions(services).subscriptionOf(id);
        const change = await services.feed.at(parsePosition('position', position));
        if (change === undefined) {
          const reason = 'It was removed, or the plugin of its type is not in use.';
          throw new GantryError('NOT_FOUND', `The change feed has no change ${position}. ${reason}`);
        }
        return { json: await kind.requestOf(services, id, change) };
      },
    }),
  ];
}

interface Acting extends Pick<HostCall, 'audit'> {
  readonly params: string;
}

async function startOf(feed: Feed, wanted: z.infer<typeof replayBody>): Promise<Position> {
  if ('from' in wanted) return feed.positionAt(new Date(wanted.from));
  const position = parsePosition('after', wanted.after);
  await feed.assertReached('after', position);
  return position;
}

function pageOf<T>({ rows, nextBefore }: LogPage<T>) {
  return { data: rows, meta: nextBefore === undefined ? {} : { nextBefore } };
}
