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
    value: storedText(1_000).describe('The value as text, or the id of a reference; empty for no value.'),
  })
  .meta({ id: 'WebhookCondition' });

const types = z
  .array(lineOfText('types', 100).meta({ maxLength: 100 }))
  .max(200)
  .describe('Codes of item types; all when empty.');
const actions = z.array(z.enum(deliveredActions)).max(deliveredActions.length).describe('Actions; all when empty.');
const filter = z
  .array(condition)
  .max(20)
  .describe('Conditions, all of which must hold for the values before the change or for the values after it.');

/** Members of requests and answers. */
export const webhookSettings = { name, types, actions, filter };

const attemptResult = {
  delivered: z.boolean(),
  status: z.int().nullable().describe('HTTP status of the response.'),
  error: z.string().nullable().describe('Reason of the failure.'),
};
const durationMs = z.int().min(0);
const answer = z.string().nullable().describe('The beginning of the response body.');

/** Where a subscription is. */
const status = {
  state: z.enum(['active', 'paused']),
  position: positionText.describe(
    'Position in the change feed: all changes up to it are delivered, waiting or undelivered.',
  ),
  waiting: z
    .int()
    .min(0)
    .describe('Number of changes that wait for another attempt, or for an earlier change of the same item.'),
  undelivered: z.int().min(0).describe('Number of undelivered changes.'),
  failingSince: instant.nullable().describe('Time since which every attempt has failed; null while attempts succeed.'),
  lastError: z.string().nullable().describe('Reason of the last failure.'),
  lastDeliveredAt: instant.nullable(),
  gapSince: instant
    .nullable()
    .describe(
      'Set when the retention removed changes before they were delivered: the time of the oldest remaining change.',
    ),
  backlog: z.int().min(0).max(1_000).describe('Number of changes of its types after its position; at most 1,000.'),
  backlogSince: instant.nullable().describe('Time of the oldest change in the backlog.'),
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
    typesNotInUse: z.array(z.string()).describe('Types whose plugin is not in use. Their changes wait.'),
    fieldsNotInUse: z
      .array(z.string())
      .describe('Fields of the filter that one of the types lacks. Changes of that type are not delivered.'),
    earlierSecretUntil: instant
      .nullable()
      .describe('End of the time during which requests are signed with both secrets.'),
    createdBy: z
      .string()
      .nullable()
      .describe('The actor who created it, such as `user:12`; null if an earlier version of the platform created it.'),
    createdByName: z
      .string()
      .exactOptional()
      .describe('Display name of the user who created it, while the user exists.'),
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
    name: z.string().describe('Name that the plugin declares.'),
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
  .describe('Value of the header field webhook-id, the same for all attempts; absent for subscriptions of plugins.');

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
    since: instant.describe('Time of the first failed attempt.'),
    givenUpAt: instant,
    error: z.string(),
  })
  .meta({ id: 'GivenUpChange', description: 'An undelivered change.' });

export const webhookRequest = z
  .object({
    url: z.string(),
    headers: z
      .record(z.string(), z.string().nullable())
      .describe('Null for values that are secret or differ with each attempt.'),
    body: z.looseObject({}).describe('A CloudEvent.'),
  })
  .meta({ id: 'WebhookRequest', description: 'The request that is sent to a webhook for a change.' });

export const webhookTest = z
  .object({ webhookId: z.string(), ...attemptResult, durationMs, answer })
  .meta({ id: 'WebhookTest', description: 'The result of a test delivery.' });

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
