import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PlatformRequest, PlatformSchema } from '@gantry/client/platform';
import { callPlatform } from '../api/platform/call-platform';
import { isUnavailable } from '../api/api-error';

export type Webhook = PlatformSchema<'Webhook'>;
export type WebhookWithSecret = PlatformSchema<'WebhookWithSecret'>;
export type PluginSubscription = PlatformSchema<'PluginSubscription'>;
export type WebhookCondition = PlatformSchema<'WebhookCondition'>;
export type WebhookTest = PlatformSchema<'WebhookTest'>;
export type DeliveryAttempt = PlatformSchema<'DeliveryAttempt'>;
/** A webhook or a subscription of a plugin. */
export type Subscribed = Webhook | PluginSubscription;

/** Input of a form. Null keeps the stored value of a header field. */
export type WebhookInput = Required<PlatformRequest<'PATCH', '/api/platform/webhooks/{id}'>['body']>;

/** From where changes are delivered again. */
export type ReplayFrom = PlatformRequest<'POST', '/api/platform/webhooks/{id}/replay'>['body'];

/** The path of a webhook or of a subscription of a plugin, and its parameters. */
export type SubscriptionPath =
  | { readonly of: '/api/platform/webhooks/{id}'; readonly path: { readonly id: string } }
  | {
      readonly of: '/api/platform/subscriptions/{plugin}/{name}';
      readonly path: { readonly plugin: string; readonly name: string };
    };

/** Rows of a page of a log. */
const pageSize = 50;

export function webhookPath(id: string): SubscriptionPath {
  return { of: '/api/platform/webhooks/{id}', path: { id } };
}

export function subscriptionPath(plugin: string, name: string): SubscriptionPath {
  return { of: '/api/platform/subscriptions/{plugin}/{name}', path: { plugin, name } };
}

/** Milliseconds between refreshes of a page in sight. What was refused is not asked for again. */
function refreshMs({ state: { error } }: { readonly state: { readonly error: Error | null } }): number | false {
  return error === null || isUnavailable(error) ? 5_000 : false;
}

/** Of everything that is shown of subscriptions. */
export const subscriptionsKey = ['subscriptions'] as const;

export const webhooksQuery = queryOptions({
  queryKey: [...subscriptionsKey, 'webhooks'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/webhooks', {}, signal)).data,
  refetchInterval: refreshMs,
});

export const pluginSubscriptionsQuery = queryOptions({
  queryKey: [...subscriptionsKey, 'of plugins'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/subscriptions', {}, signal)).data,
  refetchInterval: refreshMs,
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, webhookPath(id)],
    queryFn: async ({ signal }) =>
      (await callPlatform('GET', '/api/platform/webhooks/{id}', { path: { id } }, signal)).data,
    refetchInterval: refreshMs,
  });

export const pluginSubscriptionQuery = (plugin: string, name: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, subscriptionPath(plugin, name)],
    queryFn: async ({ signal }) => {
      const path = { plugin, name };
      return (await callPlatform('GET', '/api/platform/subscriptions/{plugin}/{name}', { path }, signal)).data;
    },
    refetchInterval: refreshMs,
  });

export const attemptsQuery = ({ of, path }: SubscriptionPath, before: string | undefined) =>
  queryOptions({
    queryKey: [...subscriptionsKey, of, path, 'deliveries', before],
    queryFn: async ({ signal }) => {
      const { data, meta } = await callPlatform('GET', `${of}/deliveries`, { path, query: pageOf(before) }, signal);
      return { rows: data, nextBefore: meta?.nextBefore };
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

export const undeliveredQuery = ({ of, path }: SubscriptionPath, before: string | undefined) =>
  queryOptions({
    queryKey: [...subscriptionsKey, of, path, 'undelivered', before],
    queryFn: async ({ signal }) => {
      const { data, meta } = await callPlatform('GET', `${of}/undelivered`, { path, query: pageOf(before) }, signal);
      return { rows: data, nextBefore: meta?.nextBefore };
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

function pageOf(before: string | undefined) {
  return { limit: pageSize, ...(before === undefined ? {} : { before: Number(before) }) };
}

/** Request that is sent for a change. */
export const changeQuery = ({ of, path }: SubscriptionPath, position: string) =>
  queryOptions({
    queryKey: ['change-sent', of, path, position],
    queryFn: async ({ signal }) =>
      (await callPlatform('GET', `${of}/changes/{position}`, { path: { ...path, position } }, signal)).data,
    staleTime: Infinity,
  });

/** A new webhook has no values of header fields to keep. */
export async function createWebhook({ headers, ...input }: WebhookInput): Promise<WebhookWithSecret> {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? '']));
  return (await callPlatform('POST', '/api/platform/webhooks', { body: { ...input, headers: given } })).data;
}

export async function updateWebhook(id: string, body: WebhookInput): Promise<Webhook> {
  return (await callPlatform('PATCH', '/api/platform/webhooks/{id}', { path: { id }, body })).data;
}

export async function rotateSecret(id: string): Promise<WebhookWithSecret> {
  return (await callPlatform('POST', '/api/platform/webhooks/{id}/secret', { path: { id } })).data;
}

export async function sendTest(id: string): Promise<WebhookTest> {
  return (await callPlatform('POST', '/api/platform/webhooks/{id}/test', { path: { id } })).data;
}

export async function removeSubscription({ of, path }: SubscriptionPath): Promise<void> {
  await callPlatform('DELETE', of, { path }, undefined);
}

/** Pauses, resumes, or handles undelivered changes: all of them unless ids are given. */
export async function act(
  { of, path }: SubscriptionPath,
  action: 'pause' | 'resume' | 'retry' | 'discard',
  ids?: readonly string[],
): Promise<Subscribed> {
  const body = ids === undefined ? {} : { ids };
  return (await callPlatform('POST', `${of}/${action}`, { path, body })).data;
}

export async function replay({ of, path }: SubscriptionPath, body: ReplayFrom): Promise<Subscribed> {
  return (await callPlatform('POST', `${of}/replay`, { path, body })).data;
}
