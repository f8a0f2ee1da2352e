import { changeActions } from '@gantry/contracts';
import type { Schema } from './document';
import { instant, text } from './identity-parts';

const names: Schema = { type: 'array', maxItems: 200, items: { ...text, maxLength: 100 } };
const nullableInstant: Schema = { type: ['string', 'null'], format: 'date-time' };
const nullableText: Schema = { type: ['string', 'null'] };
export const position: Schema = {
  ...text,
  pattern: String.raw`^\d{1,9}\.\d{1,18}\.\d{1,18}$`,
  description: 'A position of the change feed.',
};

export const input: Readonly<Record<string, Schema>> = {
  name: { ...text, minLength: 1, maxLength: 100, pattern: String.raw`\S` },
  url: { ...text, format: 'uri', maxLength: 2_000, pattern: '^https?://', description: 'Without a name and password.' },
  types: { ...names, description: 'Codes of item types; all when empty.' },
  actions: {
    type: 'array',
    maxItems: 4,
    items: { enum: changeActions.filter((action) => action !== 'left') },
    description: 'All when empty.',
  },
  filter: {
    type: 'array',
    maxItems: 20,
    items: {
      type: 'object',
      required: ['field', 'operator', 'value'],
      additionalProperties: false,
      properties: {
        field: { ...text, minLength: 1, maxLength: 100, pattern: String.raw`\S` },
        operator: { enum: ['EQUALS', 'NOT_EQUALS'] },
        value: { ...text, maxLength: 1_000, description: 'The value as text, of a reference its id; empty for none.' },
      },
    },
    description: 'Conditions that all hold for the values before the change, or for those after it.',
  },
};
export const headers: Schema = {
  type: 'object',
  maxProperties: 20,
  propertyNames: { pattern: '^[A-Za-z0-9-]{1,100}$' },
  additionalProperties: { ...text, maxLength: 2_000, pattern: String.raw`^[\t\x20-\x7e]*$` },
  description: 'Header fields that each request has in addition. They are stored encrypted and not shown again.',
};

export const changedHeaders: Schema = {
  ...headers,
  additionalProperties: { ...text, type: ['string', 'null'], maxLength: 2_000, pattern: String.raw`^[\t\x20-\x7e]*$` },
  description:
    'All header fields that each request has in addition; null for one keeps its value. With another origin (scheme, host, port) in `url`, values are not kept: each field has to be given with its value or left out.',
};

/** Of webhooks, and of subscriptions of plugins. */
const status: Readonly<Record<string, Schema>> = {
  state: { enum: ['active', 'paused'] },
  position: { ...position, description: 'All changes up to it are delivered, wait, or were given up.' },
  waiting: { type: 'integer', minimum: 0, description: 'Changes that wait for another attempt.' },
  undelivered: { type: 'integer', minimum: 0, description: 'Changes that were given up.' },
  failingSince: { ...nullableInstant, description: 'Since when no attempt succeeds.' },
  lastError: nullableText,
  lastDeliveredAt: nullableInstant,
  gapSince: { ...nullableInstant, description: 'Set when changes left the feed before they were delivered.' },
  backlog: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000,
    description: 'Changes of its types behind its position; 1,000 for more.',
  },
  backlogSince: { ...nullableInstant, description: 'When the oldest of them was made.' },
  lastAttempt: {
    type: ['object', 'null'],
    required: ['at', 'delivered', 'status', 'error'],
    properties: {
      at: instant,
      delivered: { type: 'boolean' },
      status: { type: ['integer', 'null'], description: 'Of the answer.' },
      error: nullableText,
    },
  },
};

export const webhook: Schema = {
  type: 'object',
  required: [
    'id',
    ...Object.keys(status),
    ...Object.keys(input),
    'headers',
    'typesNotInUse',
    'fieldsNotInUse',
    'createdBy',
    'createdAt',
    'updatedAt',
  ],
  properties: {
    id: text,
    ...input,
    headers: { type: 'array', items: text, description: 'Names of the additional header fields.' },
    ...status,
    typesNotInUse: {
      type: 'array',
      items: text,
      description: 'Of the types, those whose plugin is not in use. Their changes wait for it.',
    },
    fieldsNotInUse: {
      type: 'array',
      items: text,
      description: 'Of the filter, the fields that one of the types does not have. Its changes are not delivered.',
    },
    earlierSecretUntil: { ...nullableInstant, description: 'Until then, requests are signed with both secrets.' },
    createdBy: { ...nullableText, description: 'Such as `user:12`; null for one of an earlier version.' },
    createdByName: { ...text, description: 'Display name of that user, as long as the user exists.' },
    createdAt: instant,
    updatedAt: instant,
  },
};
export const pluginSubscription: Schema = {
  type: 'object',
  required: ['id', 'plugin', 'name', 'types', 'createdAt', ...Object.keys(status)],
  properties: {
    id: { ...text, description: '`<plugin>/<name>`' },
    plugin: text,
    name: text,
    types: {
      type: ['array', 'null'],
      items: text,
      description: 'Codes of item types, all when empty; null while the plugin is not in use.',
    },
    createdAt: instant,
    ...status,
  },
};
export const withSecret: Schema = {
  allOf: [
    webhook,
    { type: 'object', required: ['secret'], properties: { secret: { ...text, description: 'Shown once.' } } },
  ],
};
const webhookId: Schema = {
  ...text,
  description: 'Value of the header field webhook-id, the same for all attempts. Not of subscriptions of plugins.',
};
export const attempt: Schema = {
  type: 'object',
  required: ['id', 'at', 'subject', 'position', 'attempt', 'delivered', 'status', 'durationMs', 'error', 'answer'],
  properties: {
    id: text,
    at: instant,
    webhookId,
    subject: { ...text, examples: ['product/5'] },
    position,
    attempt: { type: 'integer', minimum: 1 },
    delivered: { type: 'boolean' },
    status: { type: ['integer', 'null'], description: 'Of the answer.' },
    durationMs: { type: 'integer', minimum: 0 },
    error: nullableText,
    answer: { ...nullableText, description: 'The first part of the answer.' },
  },
};
export const undelivered: Schema = {
  type: 'object',
  required: ['id', 'subject', 'position', 'attempts', 'since', 'givenUpAt', 'error'],
  properties: {
    id: text,
    webhookId,
    subject: text,
    position,
    attempts: { type: 'integer', minimum: 1 },
    since: instant,
    givenUpAt: instant,
    error: text,
  },
};
export const sentRequest: Schema = {
  type: 'object',
  required: ['url', 'headers', 'body'],
  properties: {
    url: text,
    headers: {
      type: 'object',
      additionalProperties: nullableText,
      description: 'Null for values that are secret or differ with each attempt.',
    },
    body: { type: 'object', description: 'A CloudEvent.' },
  },
};
export const testAnswer: Schema = {
  type: 'object',
  required: ['webhookId', 'delivered', 'status', 'durationMs', 'error', 'answer'],
  properties: {
    webhookId: text,
    delivered: { type: 'boolean' },
    status: { type: ['integer', 'null'] },
    durationMs: { type: 'integer', minimum: 0 },
    error: nullableText,
    answer: nullableText,
  },
};
