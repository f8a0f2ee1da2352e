import { isItemGone } from '../../../api/api-error';
import { getItem, listItems, type Item, type ListFilter } from '../../../api/items';
import { toNumber } from '../../../api/json';

/** List to export. */
export interface ExportPages {
  /** Pages of items for a file that is made here; the signal ends the reading. */
  read(signal: AbortSignal): AsyncIterable<readonly Item[]>;
  /** The same for a file that the platform makes: the body of its request. */
  readonly selection: unknown;
  /** Search text for label fields, in the query of that request. */
  readonly q?: string | undefined;
}

const pageSize = 1000;
const concurrency = 4;

/** Every page that the filters leave, in the order of the list. */
export function matchingPages(type: string, { criteria, q }: ListFilter, sort: string | undefined): ExportPages {
  return {
    selection: criteria,
    q,
    async *read(signal) {
      let after: string | undefined;
      do {
        const page = await listItems(type, { criteria, q, sort, after, limit: pageSize }, signal);
        yield page.items;
        after = page.nextCursor;
      } while (after !== undefined);
    },
  };
}

/** The items of these ids as they are now; one that is gone meanwhile is left out. */
export function chosenPages(type: string, ids: readonly string[]): ExportPages {
  return {
    selection: { items: ids.map(toNumber) },
    async *read(signal) {
      for (let start = 0; start < ids.length; start += concurrency) {
        const found = await Promise.all(
          ids.slice(start, start + concurrency).map((id) => getItem(type, id, signal).catch(unlessGone)),
        );
        yield found.filter((item) => item !== undefined);
      }
    },
  };
}

function unlessGone(error: unknown): undefined {
  if (!isItemGone(error)) throw error;
}
