import type { Item as GivenItem, ItemsClient, ListOptions } from '@gantry/ui';
import type { QueryClient } from '@tanstack/react-query';
import { createItem, deleteItem, getItem, listItems, searchType, updateItem, type ListRequest } from '../../api/items';
import { metadataQuery } from '../../api/queries';
import { givenItem, payloadOf, type PayloadValue } from './values';

/** Items as plugins read and write them. What is shown elsewhere is read again after a write. */
export function createItemsClient(client: QueryClient, payloadValue: PayloadValue): ItemsClient {
  const metadata = (type: string) => client.query({ ...metadataQuery(type), staleTime: 'static' });
  const changed = (type: string): void => void client.invalidateQueries({ queryKey: ['items', type] });
  return {
    async type(code) {
      const { displayName, readOnly, fields } = await metadata(code);
      return { code, displayName, readOnly, fields };
    },
    async list(type, list = {}, options = {}) {
      const { items, nextCursor } = await listItems(type, listRequest(list), options.signal);
      return { items: items.map(givenItem), ...(nextCursor === undefined ? {} : { next: nextCursor }) };
    },
    search: (type, where, { signal } = {}) => searchType(type, where, signal),
    async get(type, id, options = {}) {
      return givenItem(await getItem(type, id, options.signal));
    },
    async create(type, values) {
      const item = await createItem(type, payloadOf(await metadata(type), values, payloadValue));
      changed(type);
      return givenItem(item);
    },
    async update(type, item, values) {
      const saved = await updateItem(type, versioned(item), payloadOf(await metadata(type), values, payloadValue));
      changed(type);
      return givenItem(saved);
    },
    async remove(type, item, { confirm } = {}) {
      await deleteItem(type, versioned(item), confirm);
      changed(type);
      // It may have deleted or changed items of other types.
      if (confirm !== undefined) void client.invalidateQueries({ queryKey: ['items'] });
    },
  };
}

export function listRequest({ where = [], sort, limit = 50, after }: ListOptions): ListRequest {
  return {
    criteria: where,
    limit,
    ...(sort === undefined ? {} : { sort }),
    ...(after === undefined ? {} : { after }),
  };
}

/** The version decides whether a write is still welcome. */
function versioned({ id, values }: GivenItem) {
  return { id, values: { version: values['version'] } };
}
