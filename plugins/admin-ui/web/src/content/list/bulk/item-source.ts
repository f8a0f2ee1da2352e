import { listItems, type Item, type ListFilter } from '../../../api/items';
import type { Selection } from '../selection/use-selection';

/** Items one after another. A call that rejects may be repeated, and goes on where it was. */
export interface ItemSource {
  /** Undefined after the last one. */
  next(): Promise<Item | undefined>;
}

const pageSize = 200;

/** The selected items with the versions that the reader saw, or all that the filters leave, as they are when they are processed. */
export function itemSource(type: string, selection: Selection, filter: ListFilter): ItemSource {
  return selection.kind === 'items' ? givenItems([...selection.items.values()]) : matchingItems(type, filter);
}

function givenItems(items: Item[]): ItemSource {
  return { next: () => Promise.resolve(items.shift()) };
}

/** By falling id, so that neither a change nor a deletion moves the items that are still to come, and new ones stay out. */
function matchingItems(type: string, filter: ListFilter): ItemSource {
  let page: Item[] = [];
  let after: string | undefined;
  let ended = false;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const { items, nextCursor } = await listItems(type, { ...filter, sort: '-id', limit: pageSize, after });
    page = [...items];
    after = nextCursor;
    ended = nextCursor === undefined;
  };
  return {
    async next() {
      while (page.length === 0 && !ended) {
        reading ??= read().finally(() => (reading = undefined));
        await reading;
      }
      return page.shift();
    },
  };
}
