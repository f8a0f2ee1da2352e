import type { ErrorDetail, ItemMetadata, ModelInfo, Row, SearchField } from '@gantry/contracts';
import type { ItemId } from '../items/base-item';
import { warnDeprecated } from '../deprecation';

/** An answer of the platform, read whole. @public */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** `data` of the envelope. */
  readonly data: T;
  /** `meta` of the envelope, if it has one. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** `error` of the envelope; only of a failed request. */
  readonly error?: { readonly code: string; readonly message: string; readonly details?: readonly ErrorDetail[] };
  /** For messages: method, path, status and the beginning of the body. */
  readonly summary: string;
}

/** The REST interface of a running platform, as any client sees it. @public */
export interface PlatformClient {
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
  types(): Promise<readonly ModelInfo[]>;
  metadata(type: string): Promise<ItemMetadata>;
  searchFields(type: string): Promise<readonly SearchField[]>;
  create(type: string, payload: Payload): Promise<Answer<Row>>;
  get(type: string, id: ItemId): Promise<Answer<Row>>;
  /** @deprecated since 1.1: pass the id as text, such as `String(row.id)` (GANTRY_DEP001). */
  get(type: string, id: ItemId | number): Promise<Answer<Row>>;
  update(type: string, id: ItemId, payload: Payload, ifMatch?: string): Promise<Answer<Row>>;
  /** @deprecated since 1.1: pass the id as text, such as `String(row.id)` (GANTRY_DEP001). */
  update(type: string, id: ItemId | number, payload: Payload, ifMatch?: string): Promise<Answer<Row>>;
  remove(type: string, id: ItemId, ifMatch?: string): Promise<Answer>;
  /** @deprecated since 1.1: pass the id as text, such as `String(row.id)` (GANTRY_DEP001). */
  remove(type: string, id: ItemId | number, ifMatch?: string): Promise<Answer>;
}

/** @public */
export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As the checks of this package use it, with the ids of rows. */
export interface RowClient extends Omit<PlatformClient, 'get' | 'update' | 'remove'> {
  get(type: string, id: ItemId | number): Promise<Answer<Row>>;
  update(type: string, id: ItemId | number, payload: Payload, ifMatch?: string): Promise<Answer<Row>>;
  remove(type: string, id: ItemId | number, ifMatch?: string): Promise<Answer>;
}

/** Values by field name. @public */
export type Payload = Readonly<Record<string, unknown>>;

export const itemsPath = '/api/cms/items';

/** Milliseconds that one request may take. */
const requestTimeout = 30_000;

/**
 * @param address For example `http://127.0.0.1:3000`.
 * @param token API token that is sent with every request
 */
export function createRowClient(address: string, token?: string): RowClient {
  const own = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request: PlatformClient['request'] = (method, path, options = {}) =>
    send(address, method, path, { ...options, headers: { ...own, ...options.headers } });
  const read = async <T>(path: string): Promise<T> => {
    const answer = await request<T>('GET', path);
    if (answer.status !== 200) throw new Error(`Expected 200: ${answer.summary}`);
    return answer.data;
  };
  return {
    request,
    types: () => read<readonly ModelInfo[]>(`${itemsPath}/types`),
    metadata: (type) => read<ItemMetadata>(`${itemsPath}/${type}/metadata`),
    searchFields: async (type) =>
      (await read<{ fields: readonly SearchField[] }>(`${itemsPath}/${type}/search-metadata`)).fields,
    create: (type, payload) => request('POST', `${itemsPath}/${type}`, { body: payload }),
    get: (type, id) => request('GET', `${itemsPath}/${type}/${id}`),
    update: (type, id, payload, ifMatch) =>
      request('PATCH', `${itemsPath}/${type}/${id}`, { body: payload, ...expecting(ifMatch) }),
    remove: (type, id, ifMatch) => request('DELETE', `${itemsPath}/${type}/${id}`, expecting(ifMatch)),
  };
}

/** For tests of plugins. */
export function createPlatformClient(address: string, token: string): PlatformClient {
  const client = createRowClient(address, token);
  const warning: RowClient = {
    ...client,
    get: (type, id) => client.get(type, textOf(id)),
    update: (type, id, payload, ifMatch) => client.update(type, textOf(id), payload, ifMatch),
    remove: (type, id, ifMatch) => client.remove(type, textOf(id), ifMatch),
  };
  return warning;
}

function textOf(id: ItemId | number): ItemId {
  if (typeof id === 'number') warnDeprecated('GANTRY_DEP001');
  return String(id);
}

function expecting(version: string | undefined): Pick<RequestOptions, 'headers'> {
  return version === undefined ? {} : { headers: { 'if-match': version } };
}

async function send<T>(address: string, method: string, path: string, options: RequestOptions): Promise<Answer<T>> {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const response = await fetch(new URL(path, address), {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(requestTimeout),
    redirect: 'manual',
  });
  const text = await response.text();
  const { data, meta, error } = parseJson(text) as Partial<Answer<T>>;
  return {
    status: response.status,
    headers: response.headers,
    body: text,
    data: data as T,
    ...(meta === undefined ? {} : { meta }),
    ...(error === undefined ? {} : { error }),
    summary: `${method} ${path} answered ${response.status} ${truncate(text)}`,
  };
}

/** Empty for anything but an object: some answers are no JSON. */
function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function truncate(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
