import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Webhook, WebhookRequestView, WebhookTest } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { RequestHandler } from 'express';
import type { AccountChange } from '../../identity';
import {
  cloudEventOf,
  contentType,
  originOf,
  testEventOf,
  webhookIdOf,
  type Feed,
  type FeedChange,
  type SubscriptionEngine,
  type Webhooks,
  type WebhookSender,
} from '../../subscriptions';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertDeliverable, type DeliverableDependencies } from './assert-deliverable';
import { addControlPaths, assertManages } from './control-paths';
import { webhookBody, webhookChangeBody } from './webhook-input';

export interface WebhookRouteDependencies extends DeliverableDependencies {
  readonly webhooks: Webhooks;
  readonly feed: Feed;
  readonly sender: WebhookSender;
  /** `source` of the events. */
  readonly source: string;
  readonly engine: Pick<SubscriptionEngine, 'refresh'>;
  readonly readJson: ReadJson;
  /** Notes in the audit log what the caller did. */
  readonly record: (request: IncomingMessage, action: string, webhook: Webhook) => Promise<void>;
  /**
   * Makes or changes a webhook: it keeps sending all fields of all items, so that the caller has to be allowed it in that transaction.
   * @throws GantryError UNAUTHENTICATED, FORBIDDEN, PRESENCE_REQUIRED
   */
  readonly change: <T>(request: IncomingMessage, work: (change: AccountChange) => Promise<T>) => Promise<T>;
}

interface IdParams {
  readonly id: string;
}

const path = '/api/platform/webhooks/:id';

/** Webhooks: who defines one gets the changes of all items. */
export function webhookRoutes(dependencies: WebhookRouteDependencies): Routes {
  return (app) => {
    addPath(app, '/api/platform/webhooks', listPath(dependencies), ['post']);
    addPath(app, path, onePath(dependencies), ['patch']);
    addPath(app, `${path}/secret`, { post: rotateSecret(dependencies) }, ['post']);
    addPath(app, `${path}/test`, { post: testWebhook(dependencies) });
    addControlPaths(app, {
      ...dependencies,
      ...about(dependencies.webhooks),
      path,
      requestOf: (id, change) => requestOf(dependencies, id, change),
    });
  };
}

function listPath(dependencies: WebhookRouteDependencies): PathHandlers<object> {
  const { webhooks, feed, readJson, change: makeChange } = dependencies;
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
      assertDeliverable(dependencies, input);
      const position = await feed.end();
      const { id, secret } = await makeChange(request, async ({ actor, transaction, record }) => {
        const created = await webhooks.within(transaction).create(input, position, actor);
        await record({ action: 'webhook-created', subject: `webhook:${created.id}`, detail: { name: input.name } });
        return created;
      });
      const webhook = { ...(await changed(dependencies, id)), secret };
      sendData(response, 201, JSON.stringify(webhook), undefined, { Location: `/api/platform/webhooks/${id}` });
    },
  };
}

function onePath(dependencies: WebhookRouteDependencies): PathHandlers<IdParams> {
  const { webhooks, readJson, record, engine, change: makeChange } = dependencies;
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
      const { id } = request.params;
      const { types: keptTypes } = await webhooks.get(id);
      assertDeliverable(dependencies, { ...change, keptTypes });
      await makeChange(request, async ({ transaction, record: note }) => {
        const { name, url, previousUrl } = await webhooks.within(transaction).update(id, change);
        const detail = { name, ...movedOrigin(previousUrl, url) };
        await note({ action: 'webhook-changed', subject: `webhook:${id}`, detail });
      });
      sendData(response, 200, JSON.stringify(await changed(dependencies, id)));
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

/** Lets the delivery notice the change. @returns the webhook as it is afterwards */
async function changed({ webhooks, engine }: WebhookRouteDependencies, id: string): Promise<Webhook> {
  await engine.refresh(await webhooks.subscriptionOf(id));
  return webhooks.get(id);
}

function rotateSecret(dependencies: WebhookRouteDependencies): RequestHandler<IdParams> {
  const { webhooks, readJson, change } = dependencies;
  return async (request, response) => {
    parseQuery(request, []);
    assertManages(request);
    await readJson(request, response);
    const { id } = request.params;
    const { name } = await webhooks.get(id);
    const secret = await change(request, async ({ transaction, record }) => {
      const made = await webhooks.within(transaction).rotateSecret(id);
      await record({ action: 'webhook-secret-changed', subject: `webhook:${id}`, detail: { name } });
      return made;
    });
    sendData(response, 200, JSON.stringify({ ...(await changed(dependencies, id)), secret }));
  };
}

function testWebhook(dependencies: WebhookRouteDependencies): RequestHandler<IdParams> {
  const { webhooks, readJson, record } = dependencies;
  return async (request, response) => {
    parseQuery(request, []);
    assertManages(request);
    await readJson(request, response);
    const result = await sendTest(dependencies, request.params.id);
    await record(request, 'webhook-tested', await webhooks.get(request.params.id));
    sendData(response, 200, JSON.stringify(result));
  };
}

function about(subscriptions: Webhooks) {
  return { noun: 'webhook', idOf: ({ id }: IdParams) => id, subscriptions };
}

/** The request for a change as it is sent, but for its secrets and what differs with each attempt. */
async function requestOf(
  { webhooks, source }: WebhookRouteDependencies,
  id: string,
  change: FeedChange,
): Promise<string> {
  const target = await webhooks.target(id);
  if (target === undefined) throw new GantryError('NOT_FOUND', `There is no webhook ${id}.`);
  const { url, headers, subscriptionId } = target;
  const webhookId = webhookIdOf(subscriptionId, change.position);
  const view = JSON.stringify({
    url,
    headers: {
      ...Object.fromEntries(Object.keys(headers).map((name) => [name, null])),
      'content-type': contentType,
      'webhook-id': webhookId,
      'webhook-timestamp': null,
      'webhook-signature': null,
    },
  } satisfies Omit<WebhookRequestView, 'body'>);
  return `${view.slice(0, -1)},"body":${cloudEventOf(webhookId, source, change)}}`;
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

/** For the audit log. */
function movedOrigin(previousUrl: string, url: string): Readonly<Record<string, string>> {
  const [previousOrigin, origin] = [originOf(previousUrl), originOf(url)];
  return origin === previousOrigin ? {} : { previousOrigin, origin };
}
