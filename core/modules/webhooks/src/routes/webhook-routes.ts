import { randomBytes } from 'node:crypto';
import { GantryError, type Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { type AuditedChange, type ChangeAuthor, routesWith } from '@gantry/core-http';
import { cloudEventOf, testEventOf, webhookIdOf } from '../sending/webhook-event';
import { contentType, type WebhookSender } from '../sending/webhook-sender';
import { originOf } from '../sending/webhook-headers';
import {
  positionText,
  webhook,
  webhookRequest,
  webhookTest,
  webhookWithSecret,
  type Webhook,
  type WebhookRequestView,
  type WebhookTest,
} from '../sending/webhook-schemas';
import type { FeedChange } from '../delivery/feed';
import type { Webhooks } from '../sending/webhooks';
import { assertDeliverable, type DeliverableDependencies } from './assert-deliverable';
import { controlRoutes, managesWebhooks, type ControlServices, type Named } from './control-routes';
import { webhookBody, webhookChangeBody } from './webhook-input';

export interface WebhookServices extends DeliverableDependencies, ControlServices {
  readonly webhooks: Webhooks;
  readonly sender: WebhookSender;
  /** `source` of the events. */
  readonly source: string;
  /**
   * Makes or changes a webhook: it keeps sending all fields of all items, so that the caller has to be allowed it in that transaction.
   * @throws GantryError UNAUTHENTICATED, FORBIDDEN, PRESENCE_REQUIRED
   */
  readonly change: <T>(author: ChangeAuthor, work: (change: AuditedChange) => Promise<T>) => Promise<T>;
}

const route = routesWith<WebhookServices>();
const path = '/api/platform/webhooks/:id';
const parameters = z.object({ id: z.string().describe('Id.') });
const params = parameters.transform(({ id }) => id);
const paramsOfChange = parameters.extend({ position: positionText });
const audited = ({ id, name }: Named) => ({ subject: `webhook:${id}`, detail: { name } });

/** Webhooks: who defines one gets the changes of all items. */
export const webhookRoutes: readonly Route<WebhookServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/webhooks',
    operationId: 'listWebhooks',
    summary: 'List all webhooks',
    description: 'Includes state, backlog and latest attempt; secrets are not included.',
    access: managesWebhooks,
    answer: z.array(webhook),
    handler: async (_call, { webhooks }) => ({ data: await webhooks.list() }),
  }),
  route({
    method: 'POST',
    path: '/api/platform/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook, which gets the changes from now on',
    description:
      'The response contains the secret that signs requests, which is not shown again. A private address in the URL is a 400, ' +
      'unless the settings allow it, and so is an unknown type.',
    access: managesWebhooks,
    presence: true,
    audit: 'webhook-created',
    body: webhookBody,
    answer: webhookWithSecret,
    status: 201,
    async handler({ body, author, audit }, services) {
      const { webhooks, feed, change } = services;
      assertDeliverable(services, body);
      const position = await feed.end();
      const { id, secret } = await change(author, async ({ actor, transaction, record }) => {
        const created = await webhooks.within(transaction).create(body, position, actor);
        await audit(audited({ id: created.id, name: body.name }), record);
        return created;
      });
      const data = { ...(await changed(services, id)), secret };
      return { data, headers: { Location: `/api/platform/webhooks/${id}` } };
    },
  }),
  route({
    method: 'GET',
    path,
    operationId: 'readWebhook',
    summary: 'Show a webhook',
    description: 'The secret is not included.',
    access: managesWebhooks,
    params,
    answer: webhook,
    handler: async ({ params: id }, { webhooks }) => ({ data: await webhooks.get(id) }),
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'updateWebhook',
    summary: 'Change the given members of a webhook',
    description: 'Members that are not sent stay as they are. Applies to changes that are delivered afterwards.',
    access: managesWebhooks,
    presence: true,
    audit: 'webhook-changed',
    params,
    body: webhookChangeBody,
    answer: webhook,
    async handler({ params: id, body, author, audit }, services) {
      const { webhooks, change } = services;
      const { types: keptTypes } = await webhooks.get(id);
      assertDeliverable(services, { ...body, keptTypes });
      await change(author, async ({ transaction, record }) => {
        const { name, url, previousUrl } = await webhooks.within(transaction).update(id, body);
        await audit({ subject: `webhook:${id}`, detail: { name, ...movedOrigin(previousUrl, url) } }, record);
      });
      return { data: await changed(services, id) };
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook and its log',
    description: 'Waiting changes are never delivered. This cannot be undone.',
    access: managesWebhooks,
    audit: 'webhook-deleted',
    params,
    async handler({ params: id, audit }, { webhooks, engine }) {
      const subscriptionId = await webhooks.subscriptionOf(id);
      await audit(audited(await webhooks.remove(id)));
      await engine.refresh(subscriptionId);
      return {};
    },
  }),
  route({
    method: 'POST',
    path: `${path}/secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Create another secret; for a day, requests are signed with both',
    description: 'The response contains the secret, which is not shown again.',
    access: managesWebhooks,
    presence: true,
    audit: 'webhook-secret-changed',
    params,
    answer: webhookWithSecret,
    async handler({ params: id, author, audit }, services) {
      const { webhooks, change } = services;
      const { name } = await webhooks.get(id);
      const secret = await change(author, async ({ transaction, record }) => {
        const made = await webhooks.within(transaction).rotateSecret(id);
        await audit(audited({ id, name }), record);
        return made;
      });
      return { data: { ...(await changed(services, id)), secret } };
    },
  }),
  route({
    method: 'POST',
    path: `${path}/test`,
    operationId: 'testWebhook',
    summary: 'Send a test event, of the type gantry.webhook.test',
    description:
      'Makes one attempt, which is not repeated or logged. If the receiver refuses it, the response is a 200 with `delivered: ' +
      'false`.',
    access: managesWebhooks,
    audit: 'webhook-tested',
    params,
    answer: webhookTest,
    async handler({ params: id, audit }, services) {
      const data = await sendTest(services, id);
      await audit(audited(await services.webhooks.get(id)));
      return { data };
    },
  }),
  ...controlRoutes<WebhookServices>({
    ...{ noun: 'webhook', path, params, paramsOfChange, audited, requestOf },
    subscriptions: ({ webhooks }) => webhooks,
    subscription: webhook,
    request: webhookRequest,
    operationIds: {
      pause: 'pauseWebhook',
      resume: 'resumeWebhook',
      retry: 'retryUndelivered',
      discard: 'discardUndelivered',
      replay: 'replayWebhook',
      deliveries: 'webhookDeliveries',
      undelivered: 'undeliveredChanges',
      change: 'webhookRequest',
    },
  }),
];

/** Lets the delivery notice the change. @returns the webhook as it is afterwards */
async function changed({ webhooks, engine }: WebhookServices, id: string): Promise<Webhook> {
  await engine.refresh(await webhooks.subscriptionOf(id));
  return webhooks.get(id);
}

/** The request for a change as it is sent, but for its secrets and what differs with each attempt. */
async function requestOf({ webhooks, source }: WebhookServices, id: string, change: FeedChange): Promise<string> {
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

async function sendTest({ webhooks, sender, source }: WebhookServices, id: string): Promise<WebhookTest> {
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
