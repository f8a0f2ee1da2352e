import { route, type Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { assertShownTypes } from './assert-shown-types';
import { named, preferenceChange, storedPreference, versionParameter } from './preference-schemas';
import type { PreferenceStore } from './preference-store';
import type { ShownTypes } from './shown-types';

const path = '/admin/api/preferences/:name';

/** Preferences that the pages keep on the server: saved views and columns of lists, and favourites of the navigation. */
export function preferenceRoutes(store: PreferenceStore, shown: Pick<ShownTypes, 'of'>): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/api/preferences',
      operationId: 'listPreferences',
      summary: 'List the preferences of the admin pages: views, columns, favourites',
      description: 'Returns only the preferences of the caller.',
      access: 'signed-in',
      answer: z.array(storedPreference),
      handler: async ({ caller }) => ({ data: await store.list(caller) }),
    }),
    route({
      method: 'PUT',
      path,
      operationId: 'storePreference',
      summary: 'Store a preference, if it still has the version that was read',
      description:
        'A preference of another version is a 412 `VERSION_MISMATCH`: read it again. It may ' +
        'name only types that the caller may read.',
      access: 'signed-in',
      errors: ['NOT_FOUND', 'VERSION_MISMATCH', 'PAYLOAD_TOO_LARGE'],
      params: named,
      body: preferenceChange,
      answer: storedPreference,
      async handler({ params: { name }, body, caller }) {
        assertShownTypes(name, body, await store.find(caller.id, name), shown.of(caller));
        return { data: await store.write(caller.id, name, body) };
      },
    }),
    route({
      method: 'DELETE',
      path,
      operationId: 'removePreference',
      summary: 'Remove a preference, if it still has the version that was read',
      description: 'A preference of another version is a 412 `VERSION_MISMATCH`.',
      access: 'signed-in',
      errors: ['NOT_FOUND', 'VERSION_MISMATCH'],
      params: named,
      query: versionParameter,
      async handler({ params: { name }, query: { version }, caller }) {
        await store.remove(caller.id, name, version);
        return {};
      },
    }),
  ];
}
