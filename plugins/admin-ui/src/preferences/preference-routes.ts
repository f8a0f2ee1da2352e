import { route, type Route, GantryError, invalidValue } from '@gantry/plugin-api';
import { z } from 'zod';
import {
  named,
  preferenceChange,
  storedPreference,
  versionParameter,
  type PreferenceChange,
  type StoredPreference,
} from './preference-schemas';
import type { PreferenceStore } from './preference-store';
import type { ShownTypes } from './shown-types';
import type { ErrorDetail } from '@gantry/contracts';

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

/**
 * A preference is about types that are shown. What is stored already may stay: the plugin of its type may not be in use now.
 * @param shown codes of the types that are shown to the owner
 * @throws GantryError NOT_FOUND for a list, VALIDATION_FAILED for favourites and for a value of another kind
 */
function assertShownTypes(
  name: string,
  { value }: PreferenceChange,
  stored: StoredPreference['value'] | undefined,
  shown: ReadonlySet<string>,
): void {
  if ('types' in value !== (name === 'favourites')) {
    throw invalidValue('value', `value must be an object with ${name === 'favourites' ? 'types' : 'views'}`);
  }
  if ('types' in value) {
    const kept = stored !== undefined && 'types' in stored ? stored.types : [];
    assertFavourites(value.types, new Set([...shown, ...kept]));
    return;
  }
  const type = name.replace(/^list\./, '');
  if (stored === undefined && !shown.has(type)) throw new GantryError('NOT_FOUND', `There is no item type ${type}.`);
}

function assertFavourites(types: readonly string[], known: ReadonlySet<string>): void {
  const details = types.flatMap((type, index): readonly ErrorDetail[] => {
    const entry = `value.types[${index}]`;
    const message = `${entry}: there is no item type ${type}`;
    return known.has(type) ? [] : [{ path: entry, code: 'REFERENCE_NOT_FOUND', message }];
  });
  if (details.length === 0) return;
  throw new GantryError('VALIDATION_FAILED', `${details.map(({ message }) => message).join('; ')}.`, { details });
}
