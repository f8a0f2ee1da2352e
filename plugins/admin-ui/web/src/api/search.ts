import type { SearchGroup, SearchHit } from '@gantry/contracts';
import { callPlatform } from './platform/call-platform';
import { idText } from './json';

/** An item that a search has found; the id is text, which keeps all digits. */
export interface FoundItem extends Omit<SearchHit, 'id'> {
  readonly id: string;
}

/** The first items of a type that a search has found. */
export interface FoundGroup extends Omit<SearchGroup, 'items'> {
  readonly items: readonly FoundItem[];
}

/** Items of all types by an id, or by a part of a code or label. */
export async function searchItems(q: string, signal: AbortSignal): Promise<readonly FoundGroup[]> {
  const { data } = await callPlatform('POST', '/api/cms/search', { query: { q } }, signal);
  return data.map((group) => ({
    ...group,
    items: group.items.map((item) => ({ ...item, id: idText(item.id) })),
  }));
}
