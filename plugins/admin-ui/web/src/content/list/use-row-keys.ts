import { useState } from 'react';
import type { Item } from '../../api/items';

type RowKeys = ReadonlyMap<string, number>;

/**
 * Keys for the rows of items, by their ids. An item that stays keeps its row, and a new one takes over the row of one that
 * has gone: the browser then changes texts instead of making the row anew, which takes it twice as long.
 */
export function useRowKeys(items: readonly Item[]): RowKeys {
  const [last, setLast] = useState(() => ({ items, keys: nextRowKeys(items) }));
  if (last.items === items) return last.keys;
  const keys = nextRowKeys(items, last.keys);
  setLast({ items, keys });
  return keys;
}

function nextRowKeys(items: readonly Item[], before: RowKeys = new Map()): RowKeys {
  const staying = new Set(items.flatMap(({ id }) => before.get(id) ?? []));
  const free = [...before.values()].filter((key) => !staying.has(key));
  let unused = Math.max(-1, ...before.values()) + 1;
  const keyFor = (id: string): number => {
    const key = before.get(id) ?? free.shift();
    if (key !== undefined) return key;
    unused += 1;
    return unused - 1;
  };
  return new Map(items.map(({ id }) => [id, keyFor(id)]));
}
