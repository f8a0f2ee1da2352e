import { changePaths } from './change-paths';
import { component, envelope, jsonResponse, type Operation, type Paths, type Responses } from './document';
import { errorsWith } from './error-responses';
import { identityPaths } from './identity-paths';
import { pluginChangePaths } from './plugin-change-paths';
import { pluginPackagePaths } from './plugin-package-paths';

/** The endpoints of the platform, which do not depend on the plugins. */
export function platformPaths(): Paths {
  return {
    '/api/cms/items/types': {
      get: operation('platformTypes', 'The item types', {
        200: jsonResponse('The types.', component('schemas', 'ModelInfoEnvelope')),
      }),
    },
    '/api/cms/search': searchPath(),
    ...changePaths(),
    '/api/platform/content': {
      get: operation('platformContent', 'Presence of items of any writable type', {
        200: jsonResponse(
          '`hasItems` is true if at least one item exists.',
          envelope({ type: 'object', required: ['hasItems'], properties: { hasItems: { type: 'boolean' } } }),
        ),
      }),
    },
    '/api/platform/items': itemsByValuePath(),
    '/api/platform/attention': attentionPath(),
    '/api/platform/recent': recentPath(),
    '/api/platform/plugins': {
      get: {
        ...operation('platformPlugins', 'Every discovered plugin with its state', {
          200: jsonResponse('The start-up report.', envelope(component('schemas', 'StartupReport'))),
        }),
        parameters: [
          {
            name: 'found',
            in: 'query',
            description: 'Includes the packages that were added to the plugin folders since the start.',
            schema: { type: 'boolean', default: false },
          },
        ],
      },
    },
    ...pluginChangePaths(),
    ...pluginPackagePaths(),
    ...identityPaths(),
    '/api/openapi.json': {
      get: operation('platformOpenApi', 'This document', { 200: jsonResponse('The document.', { type: 'object' }) }),
    },
    ...probePaths(),
  };
}

/** For monitoring. */
function probePaths(): Paths {
  return {
    '/livez': {
      get: operation('platformAlive', 'Liveness of the process; does not depend on other services', {
        200: jsonResponse('The process is running.', envelope({ type: 'object' })),
      }),
    },
    '/readyz': {
      get: operation('platformReady', 'Readiness of the platform and of its parts', {
        200: jsonResponse(
          'The platform serves requests, at least in part.',
          envelope(component('schemas', 'Readiness')),
        ),
        503: jsonResponse('The platform is starting or stopping, or a required service is unavailable.', {
          oneOf: [envelope(component('schemas', 'Readiness')), component('schemas', 'Failure')],
        }),
      }),
    },
    '/metrics': {
      get: operation('platformMetrics', 'Counters for Prometheus', {
        200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: { type: 'string' } } } },
      }),
    },
  };
}

function searchPath(): Paths[string] {
  return {
    post: {
      ...operation('platformSearch', 'The first five items of every type that a text finds', {
        200: jsonResponse('The types with at least one item.', component('schemas', 'SearchGroupsEnvelope')),
        ...errorsWith(413, 415),
      }),
      parameters: [component('parameters', 'SearchText')],
    },
  };
}

function attentionPath(): Paths[string] {
  return {
    get: operation('platformAttention', 'Items that need a person, counted by the rules that their types declare', {
      200: jsonResponse(
        'One entry for each rule with at least one item.',
        envelope({ type: 'array', items: attentionEntry }),
      ),
    }),
  };
}

function recentPath(): Paths[string] {
  return {
    get: operation('platformRecent', 'The 10 items of all writable types that were created or changed last', {
      200: jsonResponse('The latest first.', envelope({ type: 'array', maxItems: 10, items: recentItem })),
    }),
  };
}

const recentItem = {
  type: 'object',
  required: ['type', 'id', 'label', 'updatedAt', 'isNew'],
  properties: {
    type: { type: 'string', description: 'Code of the item type.' },
    id: component('schemas', 'ItemId'),
    label: { type: 'string' },
    updatedAt: component('schemas', 'Instant'),
    isNew: { type: 'boolean', description: 'It has not changed since it was created.' },
  },
};

const attentionEntry = {
  type: 'object',
  required: ['type', 'title', 'criteria', 'count', 'isMore'],
  properties: {
    type: { type: 'string', description: 'Code of the item type.' },
    title: { type: 'string' },
    criteria: {
      type: 'array',
      description: 'What the items have in common, as the list endpoint of the type takes it.',
      items: {
        type: 'object',
        required: ['field', 'operator', 'value'],
        properties: { field: { type: 'string' }, operator: { const: 'EQUALS' }, value: { type: 'string' } },
      },
    },
    count: { type: 'integer', minimum: 1, maximum: 1000 },
    isMore: { type: 'boolean', description: 'There are more than 1,000.' },
  },
};

function operation(operationId: string, summary: string, responses: Responses): Operation {
  return { operationId, tags: ['platform'], summary, responses: { ...errorsWith(), ...responses } };
}

function itemsByValuePath(): Paths[string] {
  return {
    get: {
      ...operation(
        'platformItems',
        'The first 20 items of every type with the given value in the field of the given name',
        {
          200: jsonResponse(
            'Item lists by type. Types without such a searchable field are omitted.',
            envelope({ type: 'object', additionalProperties: { type: 'array', items: { type: 'object' } } }),
          ),
        },
      ),
      parameters: ['field', 'value'].map((name) => ({
        name,
        in: 'query',
        required: true,
        schema: { type: 'string', minLength: 1, pattern: '\\S' },
      })),
    },
  };
}
