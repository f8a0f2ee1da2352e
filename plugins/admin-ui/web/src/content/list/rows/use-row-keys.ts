import { useState } from 'react';
import type { Item } from '../../../api/items';

type RowKeys = ReadonlyMap<string, number>;

/**
 * Keys for the rows of items, by their ids. An item that stays keeps its row. Where none stays, as on the next page, the new
 * ones take over the rows: the browser then changes texts instead of creating rows, which takes twice as long. Where
 * some stay, it would have to move rows about, and the focus would go with the row of an item that has gone to another one.
 */
export function useRowKeys(items: readonly Item[]): RowKeys {
  const [last, setLast] = useState(() => ({ items, keys: nextRowKeys(items) }));
  if (last.items === items) return last.keys;
  const keys = nextRowKeys(items, last.keys);
  setLast({ items, keys });
  return keys;
}

function nextRowKeys(items: readonly Item[], before: RowKeys = new Map()): RowKeys {
  const free = items.some(({ id }) => before.has(id)) ? [] : [...before.values()];
  let unused = Math.max(-1, ...before.values()) + 1;
  const keyFor = (id: string): number => {
    const key = before.get(id) ?? free.shift();
    if (key !== undefined) return key;
    unused += 1;
    return unused - 1;
  };
  return new Map(items.map(({ id }) => [id, keyFor(id)]));
}
