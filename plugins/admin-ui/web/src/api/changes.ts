import type {
  DeletedItem as DeletedItemAnswer,
  FieldDifference,
  ItemChange as ItemChangeAnswer,
  RestoreCheck,
} from '@gantry/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Item } from './items';
import { idText, numberText } from './json';
import { request } from './request';

/** A change of an item as the pages hold it; the id is text, as in {@link Item}. */
export interface ItemChange extends Omit<ItemChangeAnswer, 'id'> {
  readonly id: string;
}

/** A deleted item as the pages hold it. */
export interface DeletedItem extends Omit<DeletedItemAnswer, 'id'> {
  readonly id: string;
}

/** Some changes, and where the next ones begin. */
export interface ChangePage {
  readonly changes: readonly ItemChange[];
  readonly nextBefore: string | undefined;
}

export interface DeletedPage {
  readonly items: readonly DeletedItem[];
  readonly nextBefore: string | undefined;
}

/** Which changes of the whole feed are meant. */
export interface ChangeFilter {
  readonly actor?: string | undefined;
  readonly type?: string | undefined;
  readonly action?: string | undefined;
  /** ISO 8601. */
  readonly from?: string | undefined;
  /** ISO 8601. */
  readonly to?: string | undefined;
}

/** What a restore is asked for. */
export interface RestoreOrder {
  readonly type: string;
  readonly id: string;
  /** The last one of a deleted item unless given. */
  readonly version?: number | undefined;
  /** Fields that are not restored. */
  readonly without?: readonly string[] | undefined;
  /** The version that the item has now; refused when it has another one. Not given for a deleted item. */
  readonly current?: number | undefined;
}

const pageSize = 50;

/** The versions of an item, the newest first. */
export const historyQuery = (type: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ['items', type, 'history', id],
    queryFn: ({ pageParam, signal }) => fetchHistory(type, id, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

/** The last few versions of an item, the newest first. */
export const lastVersionsQuery = (type: string, id: string) =>
  queryOptions({
    queryKey: ['items', type, 'history', id, 'last'],
    queryFn: async ({ signal }) => (await fetchHistory(type, id, undefined, signal, 5)).changes,
  });

/** How two versions of an item differ. */
export const differencesQuery = (type: string, id: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['items', type, 'differences', id, from, to],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ from: String(from), to: String(to) });
      return (await request<readonly FieldDifference[]>(`${pathOf(type, id)}/differences?${query}`, { signal })).data;
    },
  });

/** The deleted items of a type, the latest first. */
export const deletedQuery = (type: string) =>
  infiniteQueryOptions({
    queryKey: ['items', type, 'deleted'],
    queryFn: ({ pageParam, signal }) => fetchDeleted(type, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

/** What a restore would do, read again for each question. */
export const restoreCheckQuery = ({ type, id, version, without = [] }: RestoreOrder) =>
  queryOptions({
    queryKey: ['restore-check', type, id, version, without],
    queryFn: async ({ signal }) => {
      const body = { check: true, ...bodyOf({ version, without }) };
      return (await request<RestoreCheck>(`${pathOf(type, id)}/restore`, { method: 'POST', body, signal })).data;
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });

/** Brings an item to an earlier version, or a deleted one back. @throws ApiError */
export async function restoreItem({ type, id, version, without = [], current }: RestoreOrder): Promise<Item> {
  const { data } = await request<{ readonly id: unknown; readonly values: Item['values'] }>(
    `${pathOf(type, id)}/restore`,
    {
      method: 'POST',
      body: bodyOf({ version, without }),
      headers: current === undefined ? {} : { 'If-Match': `"${current}"` },
    },
  );
  return { id: idText(data.id), values: data.values };
}

/** Changes of all types, the newest first. */
export async function fetchChanges(
  filter: ChangeFilter & { readonly limit: number; readonly before?: string | undefined },
  signal?: AbortSignal,
): Promise<ChangePage> {
  const { actor, type, action, from, to, before, limit } = filter;
  const query = queryOf({ order: 'newest', limit: String(limit), before, actor, types: type, action, from, to });
  return toPage(
    await request<readonly ItemChangeAnswer[]>(`/api/cms/changes?${query}`, signal === undefined ? {} : { signal }),
  );
}

/** The version of an item as the pages hold it; undefined where its reader does not see it. */
export function versionOf({ values }: Pick<Item, 'values'>): number | undefined {
  const text = numberText(values['version']);
  return text === undefined ? undefined : Number(text);
}

/** Versions of an item, the newest first. */
export async function fetchHistory(
  type: string,
  id: string,
  before: string | undefined,
  signal: AbortSignal,
  limit = pageSize,
): Promise<ChangePage> {
  const query = queryOf({ limit: String(limit), before });
  return toPage(await request<readonly ItemChangeAnswer[]>(`${pathOf(type, id)}/history?${query}`, { signal }));
}

async function fetchDeleted(type: string, before: string | undefined, signal: AbortSignal): Promise<DeletedPage> {
  const query = queryOf({ limit: String(pageSize), before });
  const path = `/api/cms/items/${encodeURIComponent(type)}/deleted?${query}`;
  const { data, meta } = await request<readonly DeletedItemAnswer[]>(path, { signal });
  return { items: data.map((item) => ({ ...item, id: idText(item.id) })), nextBefore: nextBeforeOf(meta) };
}

function toPage({
  data,
  meta,
}: {
  readonly data: readonly ItemChangeAnswer[];
  readonly meta: Readonly<Record<string, unknown>>;
}): ChangePage {
  return { changes: data.map(toChange), nextBefore: nextBeforeOf(meta) };
}

function toChange(change: ItemChangeAnswer): ItemChange {
  return { ...change, id: idText(change.id) };
}

function nextBeforeOf(meta: Readonly<Record<string, unknown>>): string | undefined {
  const { nextBefore } = meta;
  return typeof nextBefore === 'string' ? nextBefore : undefined;
}

function bodyOf({ version, without = [] }: Pick<RestoreOrder, 'version' | 'without'>): object {
  return {
    ...(version === undefined ? {} : { version }),
    ...(without.length === 0 ? {} : { without }),
  };
}

function pathOf(type: string, id: string): string {
  return `/api/cms/items/${encodeURIComponent(type)}/${encodeURIComponent(id)}`;
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
