import { component, envelope, jsonResponse, type Operation, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';

const answer = envelope(component('schemas', 'PluginChangeAnswer'));
const unchanged = jsonResponse('All was so already, or it counts from the next start on.', answer);
const underWay = jsonResponse('The change is under way; /api/platform/generations tells how it goes.', answer);

/** Check, enable and disable of plugins while the platform runs. */
export function pluginChangePaths(): Paths {
  return {
    '/api/platform/plugins/{id}/check': {
      parameters: [pluginId],
      post: operation({
        operationId: 'checkPlugin',
        summary: 'Prove a plugin safe, as if it were enabled; changes nothing',
        responses: {
          200: jsonResponse('What was found.', envelope(component('schemas', 'PluginCheckReport'))),
          ...errorsWith(404, 405, 413, 415),
        },
      }),
    },
    '/api/platform/plugins/{id}/enable': {
      parameters: [pluginId],
      post: operation({
        operationId: 'enablePlugin',
        summary: 'Check a plugin and, if no problem is found, enable it, pinned to its files of now',
        responses: { 200: unchanged, 202: underWay, ...errorsWith(404, 405, 409, 413, 415) },
      }),
    },
    '/api/platform/plugins/{id}/disable': {
      parameters: [pluginId],
      post: operation({
        operationId: 'disablePlugin',
        summary: 'Leave a plugin out; its data stay',
        requestBody: {
          required: false,
          content: { 'application/json': { schema: disableBody, example: { dependents: true } } },
        },
        responses: { 200: unchanged, 202: underWay, ...errorsWith(404, 405, 409, 413, 415) },
      }),
    },
    '/api/platform/generations': {
      get: operation({
        operationId: 'platformGenerations',
        summary: 'How far changes of the plugins are',
        responses: {
          200: jsonResponse('The latest changes.', envelope(component('schemas', 'GenerationsReport'))),
          ...errorsWith(405),
        },
      }),
    },
  };
}

const pluginId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of a plugin.',
  schema: { type: 'string', examples: ['catalog'] },
};

const disableBody: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    dependents: {
      type: 'boolean',
      default: false,
      description: 'Whether the plugins that need it are left out, too; without it, they make it a 409.',
    },
  },
};

function operation(own: Omit<Operation, 'tags'>): Operation {
  return { tags: ['platform'], ...own };
}
