import { useQueries } from '@tanstack/react-query';
import { referencesIn } from '../../api/items';
import { itemQuery } from '../../api/queries';
import type { FoundGroup } from '../../api/search';

/** Texts that distinguish items of the same name and code: first the items to which they refer, such as catalogs, otherwise ids. */
export function useDistinctions(groups: readonly FoundGroup[]): (type: string, id: string) => string | undefined {
  const alike = groups.flatMap(({ type, items }) =>
    items.filter((item) => items.some((other) => isAlike(item, other))).map(({ id }) => ({ type, id })),
  );
  const found = useQueries({ queries: alike.map(({ type, id }) => itemQuery(type, id)) });
  return (type, id) => {
    const index = alike.findIndex((one) => one.type === type && one.id === id);
    if (index < 0) return undefined;
    const references = Object.values(found[index]?.data?.values ?? {}).flatMap((value) => referencesIn(value));
    return references[0]?.label ?? `#${id}`;
  };
}

type FoundItem = FoundGroup['items'][number];

function isAlike(item: FoundItem, other: FoundItem): boolean {
  return item.id !== other.id && item.label === other.label && item.code === other.code;
}
