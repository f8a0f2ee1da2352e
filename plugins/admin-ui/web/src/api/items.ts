import type { Criterion, CriterionGroup, ItemMetadata, ItemReferences, ModelInfo } from '@gantry/contracts';
import { callPlatform } from './platform/call-platform';
import { idText, numberText } from './json';

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

/** Value of a control: text (numbers too, so that no digit is lost), a tick, or references in order. */
export type FormValue = string | boolean | readonly Reference[];

export async function fetchTypes(signal?: AbortSignal): Promise<readonly ModelInfo[]> {
  return (await callPlatform('GET', '/api/cms/items/types', {}, signal)).data;
}

export async function fetchMetadata(type: string, signal?: AbortSignal): Promise<ItemMetadata> {
  const { data } = await callPlatform('GET', '/api/cms/items/{type}/metadata', { path: { type } }, signal);
  // The contract has names of field types as text: plugins bring more.
  return data as ItemMetadata;
}

export async function listItems(type: string, list: ListRequest, signal?: AbortSignal): Promise<Page> {
  const { limit, sort, after, total: counted, q } = list;
  const counting = counted === undefined ? {} : { [counted === 'exact' ? 'total' : 'cappedTotal']: true };
  const query = { limit, sort, after, q, ...counting };
  const { data, meta } = await callPlatform(
    'POST',
    '/api/cms/items/{type}/list',
    { path: { type }, query, body: list.criteria },
    signal,
  );
  const total = numberText(meta?.total);
  return {
    items: data.map(toItem),
    skipped: meta?.skipped ?? [],
    ...(meta?.nextCursor === undefined ? {} : { nextCursor: meta.nextCursor }),
    ...(total === undefined ? {} : { total, isTotalCapped: meta?.isTotalCapped === true }),
  };
}

/** The first items of every type whose field of that name has the value, oldest first. */
export async function itemsWith(
  field: string,
  value: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, readonly Item[]>>> {
  const { data } = await callPlatform('GET', '/api/platform/items', { query: { field, value } }, signal);
  return Object.fromEntries(
    Object.entries(data).map(([type, rows]) => [type, (rows as unknown as readonly RawRow[]).map(toItem)]),
  );
}

export async function getItem(type: string, id: string, signal?: AbortSignal): Promise<Item> {
  return toItem((await callPlatform('GET', itemPath, { path: { type, id } }, signal)).data);
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
  const query = { ...page, limit: 50 };
  const { data, meta } = await callPlatform('GET', referencesPath, { path: { type, id }, query }, signal);
  const { nextCursor } = meta ?? {};
  return { items: data[0]?.items ?? [], ...(typeof nextCursor === 'string' ? { nextCursor } : {}) };
}

/** References to an item, by field. */
export async function fetchReferences(
  type: string,
  id: string,
  signal?: AbortSignal,
): Promise<readonly ItemReferences[]> {
  return (await callPlatform('GET', referencesPath, { path: { type, id } }, signal)).data;
}

/** @param key of the request: the platform creates one item for it, however often it is sent */
export async function createItem(
  type: string,
  payload: Readonly<Record<string, unknown>>,
  key = createRequestKey(),
): Promise<Item> {
  const request = { path: { type }, body: payload };
  const sending = { headers: { 'Idempotency-Key': key } };
  return toItem((await callPlatform('POST', '/api/cms/items/{type}', request, sending)).data);
}

/** A key for a request. A page without TLS has no `crypto.randomUUID`. */
export function createRequestKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Changes the given keys only, and only if the item still has the given version. */
export async function updateItem(type: string, item: Item, payload: Readonly<Record<string, unknown>>): Promise<Item> {
  const request = { path: { type, id: item.id }, body: payload };
  return toItem((await callPlatform('PATCH', itemPath, request, ifMatch(item))).data);
}

/** @param confirm what it may do to other items, as the refusal said */
export async function deleteItem(type: string, item: Item, confirm?: string): Promise<void> {
  await callPlatform('DELETE', itemPath, { path: { type, id: item.id }, query: { confirm } }, ifMatch(item));
}

/** An item that a search of one type has found. */
export interface Hit {
  readonly id: string;
  readonly label: string;
  readonly subLabel: string;
}

/** The items of a type that meet criteria, by their labels. */
export async function searchType(
  type: string,
  criteria: readonly CriterionEntry[],
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  const request = { path: { type }, body: criteria };
  const { data } = await callPlatform('POST', '/api/cms/items/{type}/search', request, signal);
  return data.map((hit) => ({ id: idText(hit.id), label: hit.label, subLabel: hit.subLabel }));
}

const itemPath = '/api/cms/items/{type}/{id}';
const referencesPath = '/api/cms/items/{type}/{id}/references';

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

function ifMatch(item: Item) {
  const version = numberText(item.values['version']);
  return version === undefined ? undefined : { headers: { 'If-Match': `"${version}"` } };
}
