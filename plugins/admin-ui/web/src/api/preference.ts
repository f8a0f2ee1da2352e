/** A named set of address parameters of a list, without a page. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly parameters: string;
}

/** What the reader wants of the list of one type. */
export interface ListPreference {
  readonly columns?: readonly string[];
  /** Widths in CSS pixels of columns that were given one, by name. */
  readonly widths?: Readonly<Record<string, number>>;
  /** Lower rows than usual. */
  readonly density?: 'compact';
  readonly views: readonly SavedView[];
  readonly defaultView?: string;
}

/** The types at the top of the navigation. */
export interface FavouritesPreference {
  readonly types: readonly string[];
}

export interface StoredPreference {
  readonly name: string;
  readonly version: number;
  readonly value: ListPreference | FavouritesPreference;
}
