import { changeActions, type DeliveredAction } from '@gantry/contracts';
import type { Immutable } from '@gantry/plugin-api';
import { z } from 'zod';
import { instant, lineOfText, storedText } from '@gantry/core-common';

const deliveredActions = changeActions.filter((action): action is DeliveredAction => action !== 'left');

/** A position of the change feed as text. */
export const positionText = z
  .string()
  .regex(/^\d{1,9}\.\d{1,18}\.\d{1,18}$/, { error: 'must be a position of the change feed' })
  .describe('A position of the change feed.');

const name = lineOfText('name', 100).meta({ minLength: 1, maxLength: 100, pattern: String.raw`\S` });

export const condition = z
  .strictObject({
    field: lineOfText('field', 100).meta({ minLength: 1, maxLength: 100, pattern: String.raw`\S` }),
    operator: z.enum(['EQUALS', 'NOT_EQUALS']),
    value: storedText(1_000).describe('The value as text, of a reference its id; empty for none.'),
  })
  .meta({ id: 'WebhookCondition' });

const types = z
  .array(lineOfText('types', 100).meta({ maxLength: 100 }))
  .max(200)
  .describe('Codes of item types; all when empty.');
const actions = z.array(z.enum(deliveredActions)).max(deliveredActions.length).describe('All when empty.');
const filter = z
  .array(condition)
  .max(20)
  .describe('Conditions that all hold for the values before the change, or for those after it.');

/** Members of requests and answers. */
export const webhookSettings = { name, types, actions, filter };

const attemptResult = {
  delivered: z.boolean(),
  status: z.int().nullable().describe('Of the answer.'),
  error: z.string().nullable().describe('Why it failed.'),
};
const durationMs = z.int().min(0);
const answer = z.string().nullable().describe('The first part of the answer.');

/** Where a subscription is. */
const status = {
  state: z.enum(['active', 'paused']),
  position: positionText.describe('All changes up to it are delivered, wait, or were given up.'),
  waiting: z.int().min(0).describe('Changes that wait for another attempt, or for one before them of the same item.'),
  undelivered: z.int().min(0).describe('Changes that were given up.'),
  failingSince: instant.nullable().describe('Since when no attempt succeeds.'),
  lastError: z.string().nullable().describe('Why the last attempt that failed did so.'),
  lastDeliveredAt: instant.nullable(),
  gapSince: instant
    .nullable()
    .describe(
      'Set when changes left the feed before they were delivered: the time of the oldest change that was left.',
    ),
  backlog: z.int().min(0).max(1_000).describe('Changes of its types behind its position; 1,000 for more.'),
  backlogSince: instant.nullable().describe('When the oldest of them was made.'),
  lastAttempt: z
    .object({ at: instant, ...attemptResult })
    .meta({ id: 'LastAttempt', description: 'The latest attempt to deliver a change.' })
    .nullable()
    .describe('Null before the first one.'),
};

export const webhook = z
  .object({
    id: z.string(),
    ...webhookSettings,
    url: z.string().meta({ format: 'uri' }),
    headers: z.array(z.string()).describe('Names of the additional header fields.'),
    ...status,
    typesNotInUse: z
      .array(z.string())
      .describe('Of the types, those whose plugin is not in use. Their changes wait for it.'),
    fieldsNotInUse: z
      .array(z.string())
      .describe('Of the filter, the fields that one of the types does not have. Its changes are not delivered.'),
    earlierSecretUntil: instant.nullable().describe('Until then, requests are signed with both secrets.'),
    createdBy: z
      .string()
      .nullable()
      .describe('The author, such as `user:12`; null for a webhook of an earlier version.'),
    createdByName: z.string().exactOptional().describe('Display name of that user, as long as the user exists.'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Webhook', description: 'A webhook, without its secrets.' });

export const webhookWithSecret = webhook
  .extend({ secret: z.string().describe('Shown once.') })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook and its secret.' });

export const pluginSubscription = z
  .object({
    id: z.string().describe('`<plugin>/<name>`'),
    plugin: z.string(),
    name: z.string().describe('As the plugin declares it.'),
    types: z
      .array(z.string())
      .nullable()
      .describe('Codes of item types, all when empty; null while the plugin is not in use.'),
    createdAt: instant,
    ...status,
  })
  .meta({ id: 'PluginSubscription', description: 'A subscription of a plugin.' });

const webhookId = z
  .string()
  .exactOptional()
  .describe('Value of the header field webhook-id, the same for all attempts. Not of subscriptions of plugins.');

export const deliveryAttempt = z
  .object({
    id: z.string(),
    at: instant,
    webhookId,
    subject: z.string().meta({ description: 'Type and id of the item.', examples: ['product/5'] }),
    position: positionText,
    attempt: z.int().min(1).describe('1 for the first one.'),
    ...attemptResult,
    durationMs,
    answer,
  })
  .meta({ id: 'DeliveryAttempt', description: 'An attempt to deliver a change.' });

export const givenUpChange = z
  .object({
    id: z.string(),
    webhookId,
    subject: z.string(),
    position: positionText,
    attempts: z.int().min(1),
    since: instant.describe('When it could first not be delivered.'),
    givenUpAt: instant,
    error: z.string(),
  })
  .meta({ id: 'GivenUpChange', description: 'A change that was given up.' });

export const webhookRequest = z
  .object({
    url: z.string(),
    headers: z
      .record(z.string(), z.string().nullable())
      .describe('Null for values that are secret or differ with each attempt.'),
    body: z.looseObject({}).describe('A CloudEvent.'),
  })
  .meta({ id: 'WebhookRequest', description: 'The request that a webhook is sent for a change.' });

export const webhookTest = z
  .object({ webhookId: z.string(), ...attemptResult, durationMs, answer })
  .meta({ id: 'WebhookTest', description: 'The answer to a test delivery.' });

type Of<Schema extends z.ZodType> = Immutable<z.infer<Schema>>;

export type Webhook = Of<typeof webhook>;
export type WebhookCondition = Of<typeof condition>;
export type PluginSubscriptionStatus = Of<typeof pluginSubscription>;
export type SubscriptionStatus = Pick<Webhook & PluginSubscriptionStatus, keyof typeof status>;
export type SubscriptionState = SubscriptionStatus['state'];
export type DeliveryAttempt = Of<typeof deliveryAttempt>;
export type GivenUpChange = Of<typeof givenUpChange>;
export type WebhookRequestView = Of<typeof webhookRequest>;
export type WebhookTest = Of<typeof webhookTest>;
