import { GantryError, type Caller, type Platform } from '@gantry/plugin-api';

/** Codes of the types that are shown to a caller, known once the plugin has started. */
export interface ShownTypes {
  use(platform: Pick<Platform, 'itemTypes'>): void;
  /** @throws GantryError UNAVAILABLE before */
  of(caller: Caller): ReadonlySet<string>;
}

export function createShownTypes(): ShownTypes {
  let known: Pick<Platform, 'itemTypes'> | undefined;
  return {
    use(platform) {
      known = platform;
    },
    of(caller) {
      if (known === undefined) throw new GantryError('UNAVAILABLE', 'The admin pages are not loaded yet.');
      return new Set(known.itemTypes(caller).map(({ type }) => type));
    },
  };
}
