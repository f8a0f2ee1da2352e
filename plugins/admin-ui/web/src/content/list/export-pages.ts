import type { Criterion } from '@gantry/contracts';
import { ApiError } from '../../api/api-error';
import { getItem, listItems, type Item } from '../../api/items';

/** Pages of items for an export; the signal ends the reading. */
export type ExportPages = (signal: AbortSignal) => AsyncIterable<readonly Item[]>;

const pageSize = 1000;
const concurrency = 4;

/** Every page that the filters leave, in the order of the list. */
export function matchingPages(type: string, criteria: readonly Criterion[], sort: string | undefined): ExportPages {
  return async function* (signal) {
    let after: string | undefined;
    do {
      const page = await listItems(type, { criteria, sort, after, limit: pageSize }, signal);
      yield page.items;
      after = page.nextCursor;
    } while (after !== undefined);
  };
}

/** The items of these ids as they are now; one that is gone meanwhile is left out. */
export function chosenPages(type: string, ids: readonly string[]): ExportPages {
  return async function* (signal) {
    for (let start = 0; start < ids.length; start += concurrency) {
      const found = await Promise.all(
        ids.slice(start, start + concurrency).map((id) => getItem(type, id, signal).catch(unlessGone)),
      );
      yield found.filter((item) => item !== undefined);
    }
  };
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'ITEM_NOT_FOUND')) throw error;
}
