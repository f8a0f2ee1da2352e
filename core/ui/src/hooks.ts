import type { Item, ItemList, ListOptions } from './items';

/** Something that is read: first neither value nor error, then one of them; while it is read again, the old value stays. @public */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: Error | null;
  readonly loading: boolean;
  reload(): void;
}

/** A page of items, read again after every write on these pages. @public */
export declare function useItems(type: string, list?: ListOptions): Loaded<ItemList>;

/** One item; none without an id. @public */
export declare function useItem(type: string, id: string | undefined): Loaded<Item>;

/** The colours that the reader chose. @public */
export declare function useColourScheme(): 'light' | 'dark';
