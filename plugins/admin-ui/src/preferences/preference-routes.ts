import type { PluginRouter, RouteOptions } from '@gantry/plugin-api';
import { assertShownTypes } from './assert-shown-types';
import { parsePreferenceChange, parsePreferenceName, parseVersionParameter } from './parse-preference';
import { preferenceLimits } from './preference';
import type { PreferenceStore } from './preference-store';
import type { ShownTypes } from './shown-types';

/** What the pages keep on the server: saved views and columns of lists, and favourites of the navigation. */
export function addPreferenceRoutes(router: PluginRouter, store: PreferenceStore, shown: Pick<ShownTypes, 'of'>): void {
  router.route('GET', '/admin/api/preferences', async ({ caller }) => ({ data: await store.list(caller) }), list);
  router.route(
    'PUT',
    '/admin/api/preferences/:name',
    async ({ params, body, caller }) => {
      const preference = parsePreferenceName(params['name']);
      const change = parsePreferenceChange(preference, body);
      assertShownTypes(preference, change, await store.find(caller.id, preference), shown.of(caller));
      return { data: await store.write(caller.id, preference, change) };
    },
    write,
  );
  router.route(
    'DELETE',
    '/admin/api/preferences/:name',
    async ({ params, query, caller }) => {
      await store.remove(caller.id, parsePreferenceName(params['name']), parseVersionParameter(query['version']));
      return { status: 204 };
    },
    remove,
  );
}

const list: RouteOptions = {
  access: 'signed-in',
  summary: 'Lists the preferences of the admin pages: views, columns, favourites',
};

const name = {
  name: 'name',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: String.raw`^(favourites|list\.[a-z][a-z0-9_]{0,99})$` },
  description: '`favourites`, or `list.` and the code of an item type.',
} as const;

const versionResponses = { 412: { $ref: '#/components/responses/PreconditionFailed' } } as const;

const fieldName = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,99}$' } as const;

const savedView = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'parameters'],
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' },
    name: { type: 'string', minLength: 1, maxLength: preferenceLimits.viewName },
    parameters: {
      type: 'string',
      maxLength: preferenceLimits.parameters,
      description: 'The query of the list page: `f`, `sort`, `limit` and `columns`.',
      example: 'f=price.LESS_THAN.3&sort=-price',
    },
  },
} as const;

const value = {
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      required: ['types'],
      properties: { types: { type: 'array', maxItems: preferenceLimits.favourites, items: { type: 'string' } } },
    },
    {
      type: 'object',
      additionalProperties: false,
      required: ['views'],
      properties: {
        columns: { type: 'array', maxItems: preferenceLimits.columns, items: fieldName },
        widths: {
          type: 'object',
          maxProperties: preferenceLimits.columns,
          propertyNames: fieldName,
          additionalProperties: {
            type: 'integer',
            minimum: preferenceLimits.columnWidth.min,
            maximum: preferenceLimits.columnWidth.max,
          },
          description: 'Widths in CSS pixels of columns that were given one, by name.',
        },
        density: { enum: ['compact'], description: 'Lower rows than usual; absent for the usual ones.' },
        views: { type: 'array', maxItems: preferenceLimits.views, items: savedView },
        defaultView: { type: 'string', description: 'The id of one of the views.' },
      },
    },
  ],
} as const;

const write: RouteOptions = {
  access: 'signed-in',
  summary: 'Stores a preference, if it still has the version that was read',
  openapi: {
    parameters: [name],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            additionalProperties: false,
            required: ['version', 'value'],
            properties: {
              version: { type: ['integer', 'null'], description: 'The version that was read; null for a new one.' },
              value,
            },
          },
        },
      },
    },
    responses: versionResponses,
  },
};

const remove: RouteOptions = {
  access: 'signed-in',
  query: ['version'],
  summary: 'Removes a preference, if it still has the version that was read',
  openapi: {
    parameters: [name, { name: 'version', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } }],
    responses: { 204: { description: 'The preference was removed' }, ...versionResponses },
  },
};
