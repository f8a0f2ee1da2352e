import { changeActions } from '@gantry/contracts';
import { envelope, jsonResponse, type Operation, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';
import { body, idParameter, instant, noContent, operation, text, withBody } from './identity-parts';

const names: Schema = { type: 'array', maxItems: 200, items: { ...text, maxLength: 100 } };
const nullableInstant: Schema = { type: ['string', 'null'], format: 'date-time' };
const nullableText: Schema = { type: ['string', 'null'] };
const position: Schema = {
  ...text,
  pattern: String.raw`^\d{1,9}\.\d{1,18}\.\d{1,18}$`,
  description: 'A position of the change feed.',
};

const input: Readonly<Record<string, Schema>> = {
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
const headers: Schema = {
  type: 'object',
  maxProperties: 20,
  propertyNames: { pattern: '^[A-Za-z0-9-]{1,100}$' },
  additionalProperties: { ...text, maxLength: 2_000, pattern: String.raw`^[\t\x20-\x7e]*$` },
  description: 'Header fields that each request has in addition. They are stored encrypted and not shown again.',
};

const webhook: Schema = {
  type: 'object',
  required: ['id', 'state', ...Object.keys(input), 'headers', 'position', 'waiting', 'undelivered', 'failingSince'],
  properties: {
    id: text,
    ...input,
    headers: { type: 'array', items: text, description: 'Names of the additional header fields.' },
    state: { enum: ['active', 'paused'] },
    position: { ...position, description: 'All changes up to it are delivered, wait, or were given up.' },
    waiting: { type: 'integer', minimum: 0, description: 'Changes that wait for another attempt.' },
    undelivered: { type: 'integer', minimum: 0, description: 'Changes that were given up.' },
    failingSince: { ...nullableInstant, description: 'Since when no attempt succeeds.' },
    lastError: nullableText,
    lastDeliveredAt: nullableInstant,
    gapSince: { ...nullableInstant, description: 'Set when changes left the feed before they were delivered.' },
    earlierSecretUntil: { ...nullableInstant, description: 'Until then, requests are signed with both secrets.' },
    createdAt: instant,
    updatedAt: instant,
  },
};
const withSecret: Schema = {
  allOf: [
    webhook,
    { type: 'object', required: ['secret'], properties: { secret: { ...text, description: 'Shown once.' } } },
  ],
};
const attempt: Schema = {
  type: 'object',
  required: ['id', 'at', 'webhookId', 'subject', 'position', 'attempt', 'delivered', 'status', 'durationMs'],
  properties: {
    id: text,
    at: instant,
    webhookId: { ...text, description: 'Value of the header field webhook-id, the same for all attempts.' },
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
const undelivered: Schema = {
  type: 'object',
  required: ['id', 'webhookId', 'subject', 'position', 'attempts', 'since', 'givenUpAt', 'error'],
  properties: {
    id: text,
    webhookId: text,
    subject: text,
    position,
    attempts: { type: 'integer', minimum: 1 },
    since: instant,
    givenUpAt: instant,
    error: text,
  },
};
const testAnswer: Schema = {
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
const pageParameters: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Rows at most.',
    schema: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
  },
  {
    name: 'before',
    in: 'query',
    description: '`meta.nextBefore` of the page before.',
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  },
];

/** Webhooks and what became of their requests. */
export function webhookPaths(): Paths {
  const path = '/api/platform/webhooks/{id}';
  return {
    '/api/platform/webhooks': {
      get: operation('listWebhooks', 'All webhooks', {
        200: jsonResponse('The webhooks.', envelope({ type: 'array', items: webhook })),
        ...errorsWith(405),
      }),
      post: {
        ...operation('createWebhook', 'Create a webhook, which gets the changes from now on', {
          201: jsonResponse('The webhook with its secret.', envelope(withSecret)),
          ...errorsWith(...withBody),
        }),
        requestBody: body({ ...input, headers }, ['name', 'url']),
      },
    },
    [path]: {
      parameters: [idParameter],
      get: operation('readWebhook', 'A webhook', answered(webhook, 'The webhook.', [405])),
      patch: {
        ...operation('updateWebhook', 'Change a webhook', answered(webhook, 'The webhook.')),
        requestBody: body({ ...input, headers }, []),
      },
      delete: operation('deleteWebhook', 'Delete a webhook and its log', {
        ...noContent,
        ...errorsWith(404, ...withBody),
      }),
    },
    ...actionPaths(),
    ...logPaths(path),
  };
}

function actionPaths(): Paths {
  return {
    ...action('pause', 'pauseWebhook', 'Deliver nothing until it is resumed; changes wait'),
    ...action('resume', 'resumeWebhook', 'Deliver again, and try what waits at once'),
    ...action(
      'secret',
      'rotateWebhookSecret',
      'Make another secret; for a day, requests are signed with both',
      withSecret,
    ),
    ...action('retry', 'retryUndelivered', 'Try again what was given up'),
    ...action('replay', 'replayWebhook', 'Deliver again the changes since a time or behind a position', webhook, {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { oneOf: [replayOf('from', instant), replayOf('after', position)] } },
        },
      },
    }),
    ...action('test', 'testWebhook', 'Send an event of the type gantry.webhook.test', testAnswer),
  };
}

function logPaths(path: string): Paths {
  return {
    [`${path}/deliveries`]: {
      parameters: [idParameter, ...pageParameters],
      get: operation(
        'webhookDeliveries',
        'The latest attempts, about 1,000',
        answered({ type: 'array', items: attempt }, 'The latest first.', [405]),
      ),
    },
    [`${path}/undelivered`]: {
      parameters: [idParameter, ...pageParameters],
      get: operation(
        'undeliveredChanges',
        'Changes that were given up',
        answered({ type: 'array', items: undelivered }, 'The latest first.', [405]),
      ),
    },
  };
}

function action(
  name: string,
  operationId: string,
  summary: string,
  answer: Schema = webhook,
  more: Pick<Operation, 'requestBody'> = {},
): Paths {
  return {
    [`/api/platform/webhooks/{id}/${name}`]: {
      parameters: [idParameter],
      post: { ...operation(operationId, summary, answered(answer, 'What became of it.')), ...more },
    },
  };
}

function replayOf(name: string, schema: Schema): Schema {
  return { type: 'object', required: [name], additionalProperties: false, properties: { [name]: schema } };
}

function answered(schema: Schema, description: string, errors: readonly (405 | 409 | 413 | 415)[] = withBody) {
  return { 200: jsonResponse(description, envelope(schema)), ...errorsWith(404, ...errors) };
}
