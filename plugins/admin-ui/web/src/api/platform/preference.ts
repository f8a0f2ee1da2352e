import type { PlatformSchema } from '@gantry/client/platform';

/** A named set of address parameters of a list, without a page. */
export type SavedView = PlatformSchema<'admin-ui.SavedView'>;
/** Preferences of the reader for the list of one type. */
export type ListPreference = PlatformSchema<'admin-ui.ListPreference'>;
/** The types at the top of the navigation. */
export type FavouritesPreference = PlatformSchema<'admin-ui.FavouritesPreference'>;
export type StoredPreference = PlatformSchema<'admin-ui.StoredPreference'>;
