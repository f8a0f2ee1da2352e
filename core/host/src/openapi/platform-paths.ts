import { component, envelope, jsonResponse, type Operation, type Paths, type Responses } from './document';
import { errorsWith } from './error-responses';
import { pluginChangePaths } from './plugin-change-paths';

/** The endpoints that the platform offers whatever plugins there are. */
export function platformPaths(): Paths {
  return {
    '/api/cms/items/types': {
      get: operation('platformTypes', 'The item types', {
        200: jsonResponse('The types.', component('schemas', 'ModelInfoEnvelope')),
      }),
    },
    '/api/platform/content': {
      get: operation('platformContent', 'Whether there are items of any type that can be written', {
        200: jsonResponse(
          'Whether there are.',
          envelope({ type: 'object', required: ['hasItems'], properties: { hasItems: { type: 'boolean' } } }),
        ),
      }),
    },
    '/api/platform/items': itemsWithPath(),
    '/api/platform/plugins': {
      get: {
        ...operation('platformPlugins', 'Every discovered plugin with its state', {
          200: jsonResponse('What came of the start.', envelope(component('schemas', 'StartupReport'))),
        }),
        parameters: [
          {
            name: 'found',
            in: 'query',
            description: 'Also what was put into the plugin folders since the start.',
            schema: { type: 'boolean', default: false },
          },
        ],
      },
    },
    ...pluginChangePaths(),
    '/api/openapi.json': {
      get: operation('platformOpenApi', 'This document', { 200: jsonResponse('The document.', { type: 'object' }) }),
    },
    '/livez': {
      get: operation('platformAlive', 'Whether the process turns; no other part is asked', {
        200: jsonResponse('It does.', envelope({ type: 'object' })),
      }),
    },
    '/readyz': {
      get: operation('platformReady', 'Whether the platform can serve, part by part', {
        200: jsonResponse('It can, in part at least.', envelope(component('schemas', 'Readiness'))),
        503: jsonResponse('It starts or stops, or a part that all need is away.', {
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

function operation(operationId: string, summary: string, responses: Responses): Operation {
  return { operationId, tags: ['platform'], summary, responses: { ...errorsWith(), ...responses } };
}

function itemsWithPath(): Paths[string] {
  return {
    get: {
      ...operation('platformItems', 'The first 20 items of every type that has a value in a field of that name', {
        200: jsonResponse(
          'From type to items. Types without such a searchable field are left out.',
          envelope({ type: 'object', additionalProperties: { type: 'array', items: { type: 'object' } } }),
        ),
      }),
      parameters: ['field', 'value'].map((name) => ({
        name,
        in: 'query',
        required: true,
        schema: { type: 'string', minLength: 1, pattern: '\\S' },
      })),
    },
  };
}
