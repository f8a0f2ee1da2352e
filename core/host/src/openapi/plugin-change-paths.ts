import { component, envelope, jsonResponse, type Operation, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';

const answer = envelope(component('schemas', 'PluginChangeAnswer'));
const unchanged = jsonResponse(
  'The plugin already had this state, or the change takes effect at the next start.',
  answer,
);
const underWay = jsonResponse('The change is in progress; /api/platform/generations reports its state.', answer);

/** Check, enable and disable of plugins while the platform runs. */
export function pluginChangePaths(): Paths {
  return {
    '/api/platform/plugins/{id}/check': {
      parameters: [pluginId('catalog')],
      post: operation({
        operationId: 'checkPlugin',
        summary: 'Check a plugin as if it were enabled; changes nothing',
        responses: {
          200: jsonResponse('The findings of the check.', envelope(component('schemas', 'PluginCheckReport'))),
          ...errorsWith(404, 405, 413, 415, 429),
        },
      }),
    },
    '/api/platform/plugins/{id}/enable': {
      parameters: [pluginId('catalog')],
      post: operation({
        operationId: 'enablePlugin',
        summary: 'Check a plugin and, if no problem is found, enable it, pinned to its present files',
        responses: { 200: unchanged, 202: underWay, ...errorsWith(404, 405, 409, 413, 415) },
      }),
    },
    '/api/platform/plugins/{id}/disable': {
      parameters: [pluginId('catalog')],
      post: operation({
        operationId: 'disablePlugin',
        summary: 'Disable a plugin; its data are kept',
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
        summary: 'State of the latest plugin changes',
        responses: {
          200: jsonResponse('The latest changes.', envelope(component('schemas', 'GenerationsReport'))),
          ...errorsWith(405),
        },
      }),
    },
  };
}

/** @param example the id in examples, to which requests may be sent */
export function pluginId(example: string): Parameter {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of a plugin.',
    schema: { type: 'string', examples: [example] },
  };
}

const disableBody: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    dependents: {
      type: 'boolean',
      default: false,
      description: '`true` disables the plugins that depend on it, too; otherwise they cause a 409.',
    },
  },
};

function operation(own: Omit<Operation, 'tags'>): Operation {
  return { tags: ['platform'], ...own };
}
