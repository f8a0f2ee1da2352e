import { component, envelope, jsonResponse, type Operation, type Paths, type Responses } from './document';
import { errorsWith } from './error-responses';
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

function operation(operationId: string, summary: string, responses: Responses): Operation {
  return { operationId, tags: ['platform'], summary, responses: { ...errorsWith(), ...responses } };
}
