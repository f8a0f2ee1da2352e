import type { ItemTransaction } from './items/items';

/**
 * Items that the plugin brings when it is enabled for the first time. They are created unless there is an item with the same key; none is
 * ever changed, and one that somebody deletes does not come again.
 * @example { name: 'levels', type: 'level', by: ['code'], rows: [{ code: 'A1', title: 'Beginner' }] }
 * @public
 */
export interface Seed {
  /** `[a-z][a-z0-9-]{0,39}`. The platform remembers by it that the items were brought: a new name brings more. */
  readonly name: string;
  /** Code of the item type, of this plugin or one that it depends on. */
  readonly type: string;
  /** Fields by which an item is known: a set of `unique` of the type. */
  readonly by: readonly string[];
  /** At most 1,000 values of items, or a function that gives them, for references to items of earlier seeds. */
  readonly rows:
    | readonly Readonly<Record<string, unknown>>[]
    | ((items: ItemTransaction) => Promise<readonly Readonly<Record<string, unknown>>[]>);
}
