import type { ErrorDetail } from '@gantry/contracts';
import { GantryError, invalidValue } from '@gantry/plugin-api';
import type { PreferenceChange, StoredPreference } from './preference-schemas';

/**
 * A preference is about types that are shown. What is stored already may stay: the plugin of its type may not be in use now.
 * @param shown codes of the types that are shown to the owner
 * @throws GantryError NOT_FOUND for a list, VALIDATION_FAILED for favourites and for a value of another kind
 */
export function assertShownTypes(
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
    const path = `value.types[${index}]`;
    return known.has(type)
      ? []
      : [{ path, code: 'REFERENCE_NOT_FOUND', message: `${path}: there is no item type ${type}` }];
  });
  if (details.length === 0) return;
  throw new GantryError('VALIDATION_FAILED', `${details.map(({ message }) => message).join('; ')}.`, { details });
}
