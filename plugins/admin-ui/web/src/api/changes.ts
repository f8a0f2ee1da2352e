import type { PlatformParameters, PlatformSchema } from '@gantry/client/platform';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callPlatform } from './platform/call-platform';
import type { Item } from './items';
import { idText, numberText } from './json';

type ItemChangeAnswer = PlatformSchema<'ItemChange'>;

/** A change of an item as the pages hold it; the id is text, as in {@link Item}. */
export interface ItemChange extends Omit<ItemChangeAnswer, 'id'> {
  readonly id: string;
}

/** A deleted item as the pages hold it. */
export interface DeletedItem extends Omit<PlatformSchema<'DeletedItem'>, 'id'> {
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

/** Options of a restore. */
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
      const wanted = { path: { type, id }, query: { from, to } };
      return (await callPlatform('GET', '/api/cms/items/{type}/{id}/differences', wanted, signal)).data;
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

/** Effects of a restore, read again for each question. */
export const restoreCheckQuery = ({ type, id, version, without = [] }: RestoreOrder) =>
  queryOptions({
    queryKey: ['restore-check', type, id, version, without],
    queryFn: async ({ signal }) => {
      const wanted = { path: { type, id }, body: { check: true, ...bodyOf({ version, without }) } };
      return (await callPlatform('POST', restorePath, wanted, signal)).data as PlatformSchema<'RestorePlan'>;
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });

/** Brings an item to an earlier version, or a deleted one back. @throws ApiError */
export async function restoreItem({ type, id, version, without = [], current }: RestoreOrder): Promise<Item> {
  const wanted = { path: { type, id }, body: bodyOf({ version, without }) };
  const sending = current === undefined ? {} : { headers: { 'If-Match': `"${current}"` } };
  const { data } = await callPlatform('POST', restorePath, wanted, sending);
  const restored = data as { readonly id: unknown; readonly values: Item['values'] };
  return { id: idText(restored.id), values: restored.values };
}

/** Changes of all types, the newest first. */
export async function fetchChanges(
  filter: ChangeFilter & { readonly limit: number; readonly before?: string | undefined },
  signal?: AbortSignal,
): Promise<ChangePage> {
  const { type, action, ...others } = filter;
  const query = { ...others, order: 'newest', types: type, action: action as ChangeQuery['action'] } as const;
  return toPage(await callPlatform('GET', '/api/cms/changes', { query }, signal));
}

type ChangeQuery = NonNullable<PlatformParameters<'GET', '/api/cms/changes'>['query']>;

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
  const wanted = { path: { type, id }, query: { limit, before } };
  return toPage(await callPlatform('GET', '/api/cms/items/{type}/{id}/history', wanted, signal));
}

async function fetchDeleted(type: string, before: string | undefined, signal: AbortSignal): Promise<DeletedPage> {
  const wanted = { path: { type }, query: { limit: pageSize, before } };
  const { data, meta } = await callPlatform('GET', '/api/cms/items/{type}/deleted', wanted, signal);
  return { items: data.map((item) => ({ ...item, id: idText(item.id) })), nextBefore: meta?.nextBefore };
}

function toPage({ data, meta }: PageAnswer): ChangePage {
  return { changes: data.map(toChange), nextBefore: meta?.nextBefore };
}

interface PageAnswer {
  readonly data: readonly ItemChangeAnswer[];
  readonly meta?: { readonly nextBefore?: string };
}

function toChange(change: ItemChangeAnswer): ItemChange {
  return { ...change, id: idText(change.id) };
}

function bodyOf({ version, without = [] }: Pick<RestoreOrder, 'version' | 'without'>) {
  return {
    ...(version === undefined ? {} : { version }),
    ...(without.length === 0 ? {} : { without }),
  };
}

const restorePath = '/api/cms/items/{type}/{id}/restore';
