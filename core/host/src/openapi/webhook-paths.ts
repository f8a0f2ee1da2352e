import { envelope, jsonResponse, type Operation, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';
import { body, idParameter, instant, noContent, operation, text, withBody, lasting } from './identity-parts';
import {
  attempt,
  changedHeaders,
  headers,
  input,
  pluginSubscription,
  position,
  sentRequest,
  testAnswer,
  undelivered,
  webhook,
  withSecret,
} from './webhook-schemas';

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

/** Webhooks, subscriptions of plugins, and what became of their changes. */
export function webhookPaths(): Paths {
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
        description: lasting,
        requestBody: body({ ...input, headers }, ['name', 'url']),
      },
    },
    [webhooks.path]: {
      parameters: webhooks.parameters,
      get: operation('readWebhook', 'A webhook', answered(webhook, 'The webhook.', [405])),
      patch: {
        ...operation('updateWebhook', 'Change a webhook', answered(webhook, 'The webhook.')),
        description: lasting,
        requestBody: body({ ...input, headers: changedHeaders }, []),
      },
      delete: operation('deleteWebhook', 'Delete a webhook and its log', {
        ...noContent,
        ...errorsWith(404, ...withBody),
      }),
    },
    ...action(
      webhooks,
      'secret',
      'rotateWebhookSecret',
      'Make another secret; for a day, requests are signed with both',
      { answer: withSecret, description: lasting },
    ),
    ...action(webhooks, 'test', 'testWebhook', 'Send an event of the type gantry.webhook.test', { answer: testAnswer }),
    ...controlPaths(webhooks),
    '/api/platform/subscriptions': {
      get: operation('listSubscriptions', 'All subscriptions that plugins declare', {
        200: jsonResponse('The subscriptions.', envelope({ type: 'array', items: pluginSubscription })),
        ...errorsWith(405),
      }),
    },
    [subscriptions.path]: {
      parameters: subscriptions.parameters,
      get: operation(
        'readSubscription',
        'A subscription of a plugin',
        answered(pluginSubscription, 'The subscription.', [405]),
      ),
      delete: operation('deleteSubscription', 'Forget the subscription of a plugin that is not in use', {
        ...noContent,
        ...errorsWith(404, ...withBody),
      }),
    },
    ...controlPaths(subscriptions),
  };
}

/** Paths that both kinds of subscriptions have. */
interface Kind {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly schema: Schema;
  readonly request: Schema;
  readonly operations: Readonly<
    Record<'pause' | 'resume' | 'retry' | 'discard' | 'replay' | 'deliveries' | 'undelivered' | 'change', string>
  >;
}

const webhooks: Kind = {
  path: '/api/platform/webhooks/{id}',
  parameters: [idParameter],
  schema: webhook,
  request: sentRequest,
  operations: {
    pause: 'pauseWebhook',
    resume: 'resumeWebhook',
    retry: 'retryUndelivered',
    discard: 'discardUndelivered',
    replay: 'replayWebhook',
    deliveries: 'webhookDeliveries',
    undelivered: 'undeliveredChanges',
    change: 'webhookRequest',
  },
};

const subscriptions: Kind = {
  path: '/api/platform/subscriptions/{plugin}/{name}',
  parameters: ['plugin', 'name'].map((name) => ({ name, in: 'path', required: true, schema: text })),
  schema: pluginSubscription,
  request: { type: 'object', description: 'The change as the plugin gets it.' },
  operations: {
    pause: 'pauseSubscription',
    resume: 'resumeSubscription',
    retry: 'retryChangesOfSubscription',
    discard: 'discardChangesOfSubscription',
    replay: 'replaySubscription',
    deliveries: 'deliveriesOfSubscription',
    undelivered: 'undeliveredChangesOfSubscription',
    change: 'changeOfSubscription',
  },
};

function controlPaths(kind: Kind): Paths {
  const { path, parameters, operations, request } = kind;
  const log = (items: Schema, operationId: string, summary: string): Paths[string] => ({
    parameters: [...parameters, ...pageParameters],
    get: operation(operationId, summary, answered({ type: 'array', items }, 'The latest first.', [405])),
  });
  const ids: Schema = {
    ...{ type: 'array', minItems: 1, maxItems: 500, items: { ...text, pattern: String.raw`^\d{1,18}$` } },
    description: 'Ids of undelivered changes; all of them unless given.',
  };
  const some = { requestBody: body({ ids }, []) };
  return {
    ...action(kind, 'pause', operations.pause, 'Deliver nothing until it is resumed; changes wait'),
    ...action(kind, 'resume', operations.resume, 'Deliver again, and try what waits at once'),
    ...action(kind, 'retry', operations.retry, 'Try again what was given up', some),
    ...action(kind, 'discard', operations.discard, 'Take what was given up from its list', some),
    ...action(kind, 'replay', operations.replay, 'Deliver again the changes since a time or behind a position', {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { oneOf: [replayOf('from', instant), replayOf('after', position)] } },
        },
      },
    }),
    [`${path}/deliveries`]: log(attempt, operations.deliveries, 'The latest attempts, about 1,000'),
    [`${path}/undelivered`]: log(undelivered, operations.undelivered, 'Changes that were given up'),
    [`${path}/changes/{position}`]: {
      parameters: [...parameters, { name: 'position', in: 'path', required: true, schema: position }],
      get: operation(operations.change, 'What is sent for a change', answered(request, 'The request.', [405])),
    },
  };
}

function action(
  { path, parameters, schema }: Kind,
  name: string,
  operationId: string,
  summary: string,
  { answer = schema, ...more }: Pick<Operation, 'requestBody' | 'description'> & { readonly answer?: Schema } = {},
): Paths {
  return {
    [`${path}/${name}`]: {
      parameters,
      post: {
        ...operation(operationId, summary, answered(answer, 'The result.')),
        ...more,
      },
    },
  };
}

function replayOf(name: string, schema: Schema): Schema {
  return { type: 'object', required: [name], additionalProperties: false, properties: { [name]: schema } };
}

function answered(schema: Schema, description: string, errors: readonly (405 | 409 | 413 | 415)[] = withBody) {
  return { 200: jsonResponse(description, envelope(schema)), ...errorsWith(404, ...errors) };
}
