import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Webhook, WebhookTest } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { Request, RequestHandler } from 'express';
import { parsePosition } from '../../content/changes/position';
import {
  isAfter,
  testEventOf,
  type SubscriptionEngine,
  type Feed,
  type Webhooks,
  type WebhookSender,
} from '../../subscriptions';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { assertPermission } from '../exchange/principal';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { replayBody, webhookBody, webhookChangeBody } from './webhook-input';

export interface WebhookRouteDependencies {
  readonly webhooks: Webhooks;
  readonly feed: Feed;
  readonly sender: WebhookSender;
  /** `source` of the events. */
  readonly source: string;
  readonly engine: Pick<SubscriptionEngine, 'refresh'>;
  readonly isType: (code: string) => boolean;
  readonly readJson: ReadJson;
  /** Notes in the audit log what the caller did. */
  readonly record: (request: IncomingMessage, action: string, webhook: Webhook) => Promise<void>;
}

interface IdParams {
  readonly id: string;
}

/** Webhooks: who defines one gets the changes of all items. */
export function webhookRoutes(dependencies: WebhookRouteDependencies): Routes {
  return (app) => {
    addPath(app, '/api/platform/webhooks', listPath(dependencies));
    addPath(app, '/api/platform/webhooks/:id', onePath(dependencies));
    for (const [name, handler] of Object.entries(actions(dependencies))) {
      addPath(app, `/api/platform/webhooks/:id/${name}`, { post: handler });
    }
    addPath(app, '/api/platform/webhooks/:id/deliveries', logPath(dependencies.webhooks, 'log'));
    addPath(app, '/api/platform/webhooks/:id/undelivered', logPath(dependencies.webhooks, 'undelivered'));
  };
}

function listPath({
  webhooks,
  feed,
  isType,
  readJson,
  record,
  engine,
}: WebhookRouteDependencies): PathHandlers<object> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertManages(request);
      sendData(response, 200, JSON.stringify(await webhooks.list()));
    },
    async post(request, response) {
      parseQuery(request, []);
      assertManages(request);
      const input = parseBody(webhookBody, await readJson(request, response));
      assertTypes(input.types, isType);
      const webhook = await webhooks.create(input, await feed.end());
      await record(request, 'webhook-created', webhook);
      await engine.refresh(await webhooks.subscriptionOf(webhook.id));
      sendData(response, 201, JSON.stringify(webhook), undefined, {
        Location: `/api/platform/webhooks/${webhook.id}`,
      });
    },
  };
}

function onePath({ webhooks, isType, readJson, record, engine }: WebhookRouteDependencies): PathHandlers<IdParams> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertManages(request);
      sendData(response, 200, JSON.stringify(await webhooks.get(request.params.id)));
    },
    async patch(request, response) {
      parseQuery(request, []);
      assertManages(request);
      const change = parseBody(webhookChangeBody, await readJson(request, response));
      assertTypes(change.types ?? [], isType);
      const webhook = await webhooks.update(request.params.id, change);
      await record(request, 'webhook-changed', webhook);
      await engine.refresh(await webhooks.subscriptionOf(webhook.id));
      sendData(response, 200, JSON.stringify(webhook));
    },
    async delete(request, response) {
      parseQuery(request, []);
      assertManages(request);
      await readJson(request, response);
      const subscriptionId = await webhooks.subscriptionOf(request.params.id);
      const webhook = await webhooks.remove(request.params.id);
      await record(request, 'webhook-deleted', webhook);
      await engine.refresh(subscriptionId);
      response.status(204).end();
    },
  };
}

/** What can be done with a webhook, by the last part of the path. */
function actions(dependencies: WebhookRouteDependencies): Readonly<Record<string, RequestHandler<IdParams>>> {
  const { webhooks, feed, readJson, record, engine } = dependencies;
  const action =
    (name: string, act: (id: string, body: unknown) => Promise<Webhook>): RequestHandler<IdParams> =>
    async (request, response) => {
      parseQuery(request, []);
      assertManages(request);
      const webhook = await act(request.params.id, await readJson(request, response));
      await record(request, name, webhook);
      await engine.refresh(await webhooks.subscriptionOf(webhook.id));
      sendData(response, 200, JSON.stringify(webhook));
    };
  return {
    pause: action('webhook-paused', (id) => webhooks.setState(id, 'paused')),
    resume: action('webhook-resumed', (id) => webhooks.setState(id, 'active')),
    secret: action('webhook-secret-changed', (id) => webhooks.rotateSecret(id)),
    retry: action('webhook-retried', async (id) => {
      await webhooks.retry(id);
      return webhooks.get(id);
    }),
    replay: action('webhook-replayed', async (id, body) => {
      const wanted = parseBody(replayBody, body);
      return webhooks.replay(
        id,
        'from' in wanted ? await feed.positionAt(new Date(wanted.from)) : await placeOf(feed, wanted.after),
      );
    }),
    test: async (request: Request<IdParams>, response) => {
      parseQuery(request, []);
      assertManages(request);
      await readJson(request, response);
      const result = await sendTest(dependencies, request.params.id);
      await record(request, 'webhook-tested', await webhooks.get(request.params.id));
      sendData(response, 200, JSON.stringify(result));
    },
  };
}

async function placeOf(feed: Feed, text: string) {
  const position = parsePosition('after', text);
  if (isAfter(position, await feed.end())) {
    throw new GantryError('BAD_REQUEST', 'after must be a position that the change feed has reached.');
  }
  return position;
}

async function sendTest({ webhooks, sender, source }: WebhookRouteDependencies, id: string): Promise<WebhookTest> {
  const { name } = await webhooks.get(id);
  const target = await webhooks.target(id);
  if (target === undefined) throw new GantryError('NOT_FOUND', `There is no webhook ${id}.`);
  const webhookId = `test_${randomBytes(12).toString('base64url')}`;
  const { url, secrets, headers } = target;
  const begin = performance.now();
  const body = testEventOf(webhookId, source, name);
  const { isDelivered, status, error, answer } = await sender.send({
    ...{ url, webhookId, body, secrets, headers },
    signal: new AbortController().signal,
  });
  return {
    webhookId,
    delivered: isDelivered,
    status,
    durationMs: Math.round(performance.now() - begin),
    error,
    answer,
  };
}

const maxLimit = 500;

function logPath(webhooks: Webhooks, what: 'log' | 'undelivered'): PathHandlers<IdParams> {
  return {
    async get(request, response) {
      assertManages(request);
      const { limit = '50', before } = parseQuery(request, ['limit', 'before']);
      const page = await webhooks[what](
        request.params.id,
        parseCount('limit', limit, maxLimit),
        before === undefined ? undefined : String(parseCount('before', before, Number.MAX_SAFE_INTEGER)),
      );
      const meta = page.nextBefore === undefined ? {} : { nextBefore: page.nextBefore };
      sendData(response, 200, JSON.stringify(page.rows), meta);
    },
  };
}

function parseCount(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= 1 && value <= max) return value;
  throw new GantryError('BAD_REQUEST', `${name} must be a whole number from 1 to ${max}.`);
}

function assertManages(request: IncomingMessage): void {
  assertPermission(request, 'webhooks.manage');
}

function assertTypes(types: readonly string[], isType: (code: string) => boolean): void {
  const unknown = types.filter((type) => !isType(type));
  if (unknown.length === 0) return;
  const message = `types: there is no item type ${unknown.join(', ')}`;
  throw new GantryError('VALIDATION_FAILED', `${message}. See GET /api/cms/items/types.`, {
    details: [{ path: 'types', code: 'VALUE_INVALID', message }],
  });
}
