import { useQueries, useQuery } from '@tanstack/react-query';
import { itemsByIdQuery, metadataQuery, typesQuery } from '../../api/queries';
import { itemHeading } from '../../content/form/item/item-heading';

/**
 * The names of the items that changes are of, by subject (`product/5`), with one request for each type. An item that is deleted, or
 * that the reader does not see, is named by its type and id.
 */
export function useItemNames(subjects: readonly string[]): (subject: string) => string {
  const { data: types = [] } = useQuery(typesQuery);
  const known = types.filter(({ type }) => subjects.some((subject) => partsOf(subject).type === type));
  const metadata = useQueries({ queries: known.map(({ type }) => metadataQuery(type)) });
  const items = useQueries({
    queries: known.map(({ type }) => {
      const ids = subjects.map(partsOf).flatMap((parts) => (parts.type === type ? [parts.id] : []));
      return itemsByIdQuery(type, [...new Set(ids)].toSorted());
    }),
  });
  return (subject) => {
    const { type, id } = partsOf(subject);
    const index = known.findIndex((one) => one.type === type);
    const item = items[index]?.data?.items.find((one) => one.id === id);
    const found = metadata[index]?.data;
    if (item !== undefined && found !== undefined) return itemHeading(found, item);
    return `${known[index]?.displayName ?? type} ${id}`;
  };
}

function partsOf(subject: string): { readonly type: string; readonly id: string } {
  const [type = '', id = ''] = subject.split('/');
  return { type, id };
}
