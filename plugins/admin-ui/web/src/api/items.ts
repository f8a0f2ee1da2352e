import type { Criterion, CriterionGroup, ItemMetadata, ItemReferences, ModelInfo } from '@gantry/contracts';
import { idText, numberText } from './json';
import { request } from './request';

/** An item as the pages hold it; the id is text, because a 64-bit id may have more digits than a JavaScript number keeps. */
export interface Item {
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Page {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
  readonly total?: string;
  /** There are more items than were counted. */
  readonly isTotalCapped?: boolean;
  /** Criteria that the platform did not apply. */
  readonly skipped: readonly { readonly field: string; readonly reason: string }[];
}

/** A criterion, or a group of them. */
export type CriterionEntry = Criterion | CriterionGroup;

/** Which items are meant: they meet all criteria, and a label field has the text. */
export interface ListFilter {
  readonly criteria: readonly CriterionEntry[];
  readonly q?: string | undefined;
}

export interface ListRequest extends ListFilter {
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly after?: string | undefined;
  /** Counts all matches, which takes long on a large table, or up to 10,000. */
  readonly total?: 'exact' | 'capped';
}

/** An item that another one refers to. */
export interface Reference {
  readonly id: string;
  readonly label: string;
}

/** What a control holds: text (numbers too, so that no digit is lost), a tick, or references in order. */
export type FormValue = string | boolean | readonly Reference[];

const root = '/api/cms/items';

export async function fetchTypes(signal?: AbortSignal): Promise<readonly ModelInfo[]> {
  return (await request<readonly ModelInfo[]>(`${root}/types`, { ...withSignal(signal) })).data;
}

export async function fetchMetadata(type: string, signal?: AbortSignal): Promise<ItemMetadata> {
  return (await request<ItemMetadata>(`${pathOf(type)}/metadata`, { ...withSignal(signal) })).data;
}

export async function listItems(type: string, list: ListRequest, signal?: AbortSignal): Promise<Page> {
  const query = new URLSearchParams({ limit: String(list.limit) });
  if (list.sort !== undefined) query.set('sort', list.sort);
  if (list.after !== undefined) query.set('after', list.after);
  if (list.total !== undefined) query.set(list.total === 'exact' ? 'total' : 'cappedTotal', 'true');
  if (list.q !== undefined) query.set('q', list.q);
  const { data, meta } = await request<readonly RawRow[]>(`${pathOf(type)}/list?${query}`, {
    method: 'POST',
    body: list.criteria,
    ...withSignal(signal),
  });
  const total = numberText(meta['total']);
  return {
    items: data.map(toItem),
    skipped: (meta['skipped'] ?? []) as Page['skipped'],
    ...(typeof meta['nextCursor'] === 'string' ? { nextCursor: meta['nextCursor'] } : {}),
    ...(total === undefined ? {} : { total, isTotalCapped: meta['isTotalCapped'] === true }),
  };
}

/** The first items of every type whose field of that name has the value, oldest first. */
export async function itemsWith(
  field: string,
  value: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, readonly Item[]>>> {
  const path = `/api/platform/items?${new URLSearchParams({ field, value })}`;
  const { data } = await request<Readonly<Record<string, readonly RawRow[]>>>(path, { ...withSignal(signal) });
  return Object.fromEntries(Object.entries(data).map(([type, rows]) => [type, rows.map(toItem)]));
}

export async function getItem(type: string, id: string, signal?: AbortSignal): Promise<Item> {
  return toItem((await request<RawRow>(`${pathOf(type)}/${encodeURIComponent(id)}`, { ...withSignal(signal) })).data);
}

/** A page of the items that refer to an item by one field. */
export interface ReferencePage {
  readonly items: readonly Reference[];
  readonly nextCursor?: string;
}

/** @param field a type and its field, such as `product.catalog` */
export async function fetchReferring(
  type: string,
  id: string,
  page: { readonly field: string; readonly after: string | undefined },
  signal?: AbortSignal,
): Promise<ReferencePage> {
  const query = new URLSearchParams({
    field: page.field,
    limit: '50',
    ...(page.after === undefined ? {} : { after: page.after }),
  });
  const path = `${pathOf(type)}/${encodeURIComponent(id)}/references?${query}`;
  const { data, meta } = await request<readonly ItemReferences[]>(path, { ...withSignal(signal) });
  const { nextCursor } = meta;
  return { items: data[0]?.items ?? [], ...(typeof nextCursor === 'string' ? { nextCursor } : {}) };
}

/** What refers to an item, by field. */
export async function fetchReferences(
  type: string,
  id: string,
  signal?: AbortSignal,
): Promise<readonly ItemReferences[]> {
  const path = `${pathOf(type)}/${encodeURIComponent(id)}/references`;
  return (await request<readonly ItemReferences[]>(path, { ...withSignal(signal) })).data;
}

export async function createItem(type: string, payload: Readonly<Record<string, unknown>>): Promise<Item> {
  return toItem((await request<RawRow>(pathOf(type), { method: 'POST', body: payload })).data);
}

/** Changes the given keys only, and only if the item still has the given version. */
export async function updateItem(type: string, item: Item, payload: Readonly<Record<string, unknown>>): Promise<Item> {
  const path = `${pathOf(type)}/${encodeURIComponent(item.id)}`;
  return toItem((await request<RawRow>(path, { method: 'PATCH', body: payload, headers: ifMatch(item) })).data);
}

/** @param confirm what it may do to other items, as the refusal said */
export async function deleteItem(type: string, item: Item, confirm?: string): Promise<void> {
  const query = confirm === undefined ? '' : `?${new URLSearchParams({ confirm })}`;
  await request(`${pathOf(type)}/${encodeURIComponent(item.id)}${query}`, { method: 'DELETE', headers: ifMatch(item) });
}

/** The references in a value of a REFERENCE field, in order. */
export function referencesIn(value: unknown): readonly Reference[] {
  const entries = Array.isArray(value) ? value : [value];
  return entries.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, label } = entry as { id?: unknown; label?: unknown };
    const text = numberText(id);
    return text === undefined ? [] : [{ id: text, label: typeof label === 'string' ? label : text }];
  });
}

interface RawRow {
  readonly id: unknown;
  readonly values: Readonly<Record<string, unknown>>;
}

function toItem(row: RawRow): Item {
  return { id: idText(row.id), values: row.values };
}

function ifMatch(item: Item): Readonly<Record<string, string>> {
  const version = numberText(item.values['version']);
  return version === undefined ? {} : { 'If-Match': `"${version}"` };
}

function pathOf(type: string): string {
  return `${root}/${encodeURIComponent(type)}`;
}

function withSignal(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}
