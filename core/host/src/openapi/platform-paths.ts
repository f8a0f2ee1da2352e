import { component, jsonResponse, type Operation, type Paths, type Responses } from './document';
import { errorsWith } from './error-responses';

/** The endpoints of the platform, which do not depend on the plugins. */
export function platformPaths(): Paths {
  return {
    '/api/cms/items/types': {
      get: operation('platformTypes', 'The item types', {
        200: jsonResponse('The types.', component('schemas', 'ModelInfoEnvelope')),
      }),
    },
    '/api/cms/search': searchPath(),
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
