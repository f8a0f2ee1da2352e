import type { IncomingMessage } from 'node:http';
import type { SubscriptionState } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { Express, Request, RequestHandler } from 'express';
import { parseCount } from '../../content/query/parameters';
import { parsePosition, type Position } from '../../content/changes/position';
import { type Feed, type FeedChange, type LogPage, type SubscriptionEngine } from '../../subscriptions';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { assertPermission } from '../exchange/principal';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { replayBody, undeliveredBody } from './webhook-input';

/** Webhooks, or subscriptions of plugins; all methods throw NOT_FOUND. */
export interface ControlledSubscriptions<T> {
  get(id: string): Promise<T>;
  setState(id: string, state: SubscriptionState): Promise<T>;
  replay(id: string, position: Position): Promise<T>;
  retry(id: string, changes?: readonly string[]): Promise<T>;
  discard(id: string, changes?: readonly string[]): Promise<T>;
  log(id: string, limit: number, before: string | undefined): Promise<LogPage<unknown>>;
  undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<unknown>>;
  /** The id of the subscription in the database. */
  subscriptionOf(id: string): Promise<string>;
}

export interface ControlPathsOptions<T, P> {
  /** Of one of them, with parameters. */
  readonly path: string;
  /** In the audit log, for example `webhook`, of which `webhook-paused` is made. */
  readonly noun: string;
  readonly idOf: (parameters: P) => string;
  readonly subscriptions: ControlledSubscriptions<T>;
  /** JSON of what is sent for a change. */
  readonly requestOf: (id: string, change: FeedChange) => Promise<string>;
  readonly feed: Feed;
  readonly engine: Pick<SubscriptionEngine, 'refresh'>;
  readonly readJson: ReadJson;
  /** Notes in the audit log what the caller did. */
  readonly record: (request: IncomingMessage, action: string, subscription: T) => Promise<void>;
}

/** What can be done with a subscription, and what became of its changes; by the last part of the path. */
export function addControlPaths<T, P>(app: Express, options: ControlPathsOptions<T, P>): void {
  const { path } = options;
  for (const [name, handler] of Object.entries(actions(options))) addPath(app, `${path}/${name}`, { post: handler });
  addPath(app, `${path}/deliveries`, logPath(options, 'log'));
  addPath(app, `${path}/undelivered`, logPath(options, 'undelivered'));
  addPath(app, `${path}/changes/:position`, changePath(options));
}

/** Of webhooks and of subscriptions of plugins. */
export const webhooksPermission = 'webhooks.manage';

export function assertManages(request: IncomingMessage): void {
  assertPermission(request, webhooksPermission);
}

/** An action that answers with the subscription as it is afterwards. */
function actionOf<T, P>(
  {
    noun,
    idOf,
    subscriptions,
    readJson,
    record,
    engine,
  }: Omit<ControlPathsOptions<T, P>, 'requestOf' | 'path' | 'feed'>,
  done: string,
  act: (id: string, body: unknown) => Promise<T>,
): RequestHandler<P> {
  return async (request, response) => {
    parseQuery(request, []);
    assertManages(request);
    const id = idOf(request.params);
    const subscription = await act(id, await readJson(request, response));
    await record(request, `${noun}-${done}`, subscription);
    await engine.refresh(await subscriptions.subscriptionOf(id));
    sendData(response, 200, JSON.stringify(subscription));
  };
}

function actions<T, P>(options: ControlPathsOptions<T, P>): Readonly<Record<string, RequestHandler<P>>> {
  const { subscriptions, feed } = options;
  return {
    pause: actionOf(options, 'paused', (id) => subscriptions.setState(id, 'paused')),
    resume: actionOf(options, 'resumed', (id) => subscriptions.setState(id, 'active')),
    retry: actionOf(options, 'retried', async (id, body) =>
      subscriptions.retry(id, parseBody(undeliveredBody, body ?? {}).ids),
    ),
    discard: actionOf(options, 'changes-discarded', async (id, body) =>
      subscriptions.discard(id, parseBody(undeliveredBody, body ?? {}).ids),
    ),
    replay: actionOf(options, 'replayed', async (id, body) => {
      const wanted = parseBody(replayBody, body);
      const position =
        'from' in wanted ? await feed.positionAt(new Date(wanted.from)) : await placeOf(feed, wanted.after);
      return subscriptions.replay(id, position);
    }),
  };
}

async function placeOf(feed: Feed, text: string): Promise<Position> {
  const position = parsePosition('after', text);
  await feed.assertReached('after', position);
  return position;
}

const maxLimit = 500;

function logPath<T, P>(
  { subscriptions, idOf }: ControlPathsOptions<T, P>,
  what: 'log' | 'undelivered',
): PathHandlers<P> {
  return {
    async get(request, response) {
      assertManages(request);
      const { limit = '50', before } = parseQuery(request, ['limit', 'before']);
      const page = await subscriptions[what](
        idOf(request.params),
        parseCount('limit', limit, maxLimit),
        before === undefined ? undefined : String(parseCount('before', before, Number.MAX_SAFE_INTEGER)),
      );
      const meta = page.nextBefore === undefined ? {} : { nextBefore: page.nextBefore };
      sendData(response, 200, JSON.stringify(page.rows), meta);
    },
  };
}

function changePath<T, P>({
  subscriptions,
  idOf,
  feed,
  requestOf,
}: ControlPathsOptions<T, P>): PathHandlers<P & { readonly position: string }> {
  return {
    async get(request: Request<P & { readonly position: string }>, response) {
      parseQuery(request, []);
      assertManages(request);
      const id = idOf(request.params);
      await subscriptions.subscriptionOf(id);
      const { position: text } = request.params;
      const change = await feed.at(parsePosition('position', text));
      if (change === undefined) {
        const reason = 'It was removed, or the plugin of its type is not in use.';
        throw new GantryError('NOT_FOUND', `The change feed has no change ${text}. ${reason}`);
      }
      sendData(response, 200, await requestOf(id, change));
    },
  };
}
