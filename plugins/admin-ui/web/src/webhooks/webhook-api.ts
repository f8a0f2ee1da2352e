import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  DeliveredAction,
  DeliveryAttempt,
  GivenUpChange,
  PluginSubscriptionStatus,
  SubscriptionStatus,
  Webhook,
  WebhookCondition,
  WebhookTest,
} from '@gantry/contracts';
import { isUnavailable } from '../api/api-error';
import { request } from '../api/request';

/** A webhook or a subscription of a plugin, by the path of its endpoint. */
export type Subscribed = SubscriptionStatus & { readonly id: string };

/** What a form sends. */
export interface WebhookInput {
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly actions: readonly DeliveredAction[];
  readonly filter: readonly WebhookCondition[];
  /** Null keeps the value that is stored. */
  readonly headers: Readonly<Record<string, string | null>>;
}

/** With the secret, which the platform shows once. */
export type WithSecret = Webhook & { readonly secret: string };

/** From where changes are delivered again. */
export type ReplayFrom = { readonly from: string } | { readonly after: string };

export interface LogPage<T> {
  readonly rows: readonly T[];
  readonly nextBefore: string | undefined;
}

const webhooksPath = '/api/platform/webhooks';
const subscriptionsPath = '/api/platform/subscriptions';
/** Rows of a page of a log. */
const pageSize = 50;

export function webhookPath(id: string): string {
  return `${webhooksPath}/${encodeURIComponent(id)}`;
}

export function subscriptionPath(plugin: string, name: string): string {
  return `${subscriptionsPath}/${encodeURIComponent(plugin)}/${encodeURIComponent(name)}`;
}

/** Milliseconds between refreshes of a page in sight. What was refused is not asked for again. */
function refreshMs({ state: { error } }: { readonly state: { readonly error: Error | null } }): number | false {
  return error === null || isUnavailable(error) ? 5_000 : false;
}

/** Of everything that is shown of subscriptions. */
export const subscriptionsKey = ['subscriptions'] as const;

export const webhooksQuery = queryOptions({
  queryKey: [...subscriptionsKey, webhooksPath],
  queryFn: async ({ signal }) => (await request<readonly Webhook[]>(webhooksPath, { signal })).data,
  refetchInterval: refreshMs,
});

export const pluginSubscriptionsQuery = queryOptions({
  queryKey: [...subscriptionsKey, subscriptionsPath],
  queryFn: async ({ signal }) =>
    (await request<readonly PluginSubscriptionStatus[]>(subscriptionsPath, { signal })).data,
  refetchInterval: refreshMs,
});

export const subscriptionQuery = <T extends Subscribed>(path: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, path],
    queryFn: async ({ signal }) => (await request<T>(path, { signal })).data,
    refetchInterval: refreshMs,
  });

export const attemptsQuery = (path: string, before: string | undefined) =>
  logQuery<DeliveryAttempt & { readonly webhookId?: string }>(`${path}/deliveries`, before);

export const undeliveredQuery = (path: string, before: string | undefined) =>
  logQuery<GivenUpChange>(`${path}/undelivered`, before);

const logQuery = <T>(path: string, before: string | undefined) =>
  queryOptions({
    queryKey: [...subscriptionsKey, path, before],
    queryFn: async ({ signal }): Promise<LogPage<T>> => {
      const parameters = new URLSearchParams({
        limit: String(pageSize),
        ...(before === undefined ? {} : { before }),
      });
      const { data, meta } = await request<readonly T[]>(`${path}?${parameters}`, { signal });
      const { nextBefore } = meta;
      return { rows: data, nextBefore: typeof nextBefore === 'string' ? nextBefore : undefined };
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

/** What is sent for a change. */
export const changeQuery = (path: string, position: string) =>
  queryOptions({
    queryKey: ['change-sent', path, position],
    queryFn: async ({ signal }) => (await request<object>(`${path}/changes/${position}`, { signal })).data,
    staleTime: Infinity,
  });

export async function createWebhook(body: WebhookInput): Promise<WithSecret> {
  return (await request<WithSecret>(webhooksPath, { method: 'POST', body })).data;
}

export async function updateWebhook(id: string, body: WebhookInput): Promise<Webhook> {
  return (await request<Webhook>(webhookPath(id), { method: 'PATCH', body })).data;
}

export async function rotateSecret(path: string): Promise<WithSecret> {
  return (await request<WithSecret>(`${path}/secret`, { method: 'POST', body: {} })).data;
}

export async function sendTest(path: string): Promise<WebhookTest> {
  return (await request<WebhookTest>(`${path}/test`, { method: 'POST', body: {} })).data;
}

export async function removeSubscription(path: string): Promise<void> {
  await request(path, { method: 'DELETE', body: {} });
}

/** Pauses, resumes, or handles undelivered changes: all of them unless ids are given. */
export async function act(
  path: string,
  action: 'pause' | 'resume' | 'retry' | 'discard',
  ids?: readonly string[],
): Promise<Subscribed> {
  const body = ids === undefined ? {} : { ids };
  return (await request<Subscribed>(`${path}/${action}`, { method: 'POST', body })).data;
}

export async function replay(path: string, body: ReplayFrom): Promise<Subscribed> {
  return (await request<Subscribed>(`${path}/replay`, { method: 'POST', body })).data;
}
