/** A named set of address parameters of a list. */
export interface SavedView {
  /** Made by the page; it never changes, so that a link to a view survives a new name. */
  readonly id: string;
  readonly name: string;
  /** The query of the list's address without its `?`: filters, sort, page size, columns. Never a page or the view itself. */
  readonly parameters: string;
}

/** What an owner wants of the list of one type. */
export interface ListPreference {
  /** Columns between the identifier and the actions, in order; without them the type decides. */
  readonly columns?: readonly string[];
  /** Widths in CSS pixels of columns that were given one, by name. */
  readonly widths?: Readonly<Record<string, number>>;
  /** Lower rows than usual. */
  readonly density?: 'compact';
  readonly views: readonly SavedView[];
  /** The view that opens when the address of the list says nothing. */
  readonly defaultView?: string;
}

/** The types at the top of the navigation, in order. */
export interface FavouritesPreference {
  readonly types: readonly string[];
}

/** A stored preference with the version that its next change has to name. */
export interface StoredPreference {
  /** `favourites`, or `list.` and a type code. */
  readonly name: string;
  /** Never used twice, so that a preference that was removed and created again is not mistaken for the old one. */
  readonly version: number;
  readonly value: ListPreference | FavouritesPreference;
}

/** How much one owner may keep. All of it is read at once by a page, so it has to stay small. */
export const preferenceLimits = {
  views: 50,
  columns: 200,
  columnWidth: { min: 48, max: 1_000 },
  favourites: 100,
  viewName: 80,
  parameters: 4000,
  lists: 500,
  totalBytes: 256 * 1024,
} as const;

/** There is no sign-in yet: everybody who may ask is the same owner. */
export const localOwner = 'local';
