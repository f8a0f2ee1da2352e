import { errorOfAnswer } from './request-error';

/** The types of one item type, as `gantry client generate` prints them. @public */
export interface ItemTypeShape {
  readonly row: unknown;
  readonly create: unknown;
  readonly update: unknown;
  /** A list of conditions, all of which must hold. */
  readonly criteria: unknown;
}

/** How a list is cut and ordered. @public */
export interface ListOptions {
  /** Rows at most: 50 unless given. */
  readonly limit?: number;
  /** Name of a searchable field, `id`, `createdAt` or `updatedAt`, with `-` before it for the other direction. */
  readonly sort?: string;
  /** `nextCursor` of the page before. */
  readonly after?: string;
  /**
   * Refuses conditions that would be skipped, on an unknown field or with a blank value, and operators that the field does not have,
   * which otherwise behave as CONTAINS. False unless given.
   */
  readonly strict?: boolean;
}

/** @public */
export interface ItemPage<Row> {
  readonly items: readonly Row[];
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/** The items of one type. Every function rejects with a {@link RequestError}. @public */
export interface TypedItems<Shape extends ItemTypeShape> {
  get(id: number): Promise<Shape['row']>;
  list(criteria?: Shape['criteria'], options?: ListOptions): Promise<ItemPage<Shape['row']>>;
  /** All rows that meet the criteria, page by page while they are read. */
  all(criteria?: Shape['criteria'], options?: Omit<ListOptions, 'after'>): AsyncIterable<Shape['row']>;
  create(values: Shape['create']): Promise<Shape['row']>;
  /**
   * Changes the fields that are given.
   * @param version that the item must have; any unless given
   */
  update(id: number, values: Shape['update'], version?: number): Promise<Shape['row']>;
  /**
   * @param version that the item must have; any unless given
   * @param options `confirm`: what the deletion may do to items that refer to this one, as the refusal CONFIRMATION_REQUIRED says; `all`
   * for whatever it is
   */
  remove(id: number, version?: number, options?: { readonly confirm?: string }): Promise<void>;
}

/** Sends a request and gives the JSON that it is answered with. @throws RequestError */
export type Send = (method: string, path: string, options?: SendOptions) => Promise<unknown>;

export interface SendOptions {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Envelope {
  readonly data: unknown;
  readonly meta?: { readonly nextCursor?: string | null };
}

export function createItems<Shape extends ItemTypeShape>(send: Send, type: string): TypedItems<Shape> {
  const path = `/api/cms/items/${encodeURIComponent(type)}`;
  const row = async (answer: Promise<unknown>): Promise<Shape['row']> => ((await answer) as Envelope).data;
  const list: TypedItems<Shape>['list'] = async (criteria = [], options = {}) => {
    const { limit, sort, after, strict } = options;
    const query = { limit, sort, after, strict: strict === true ? 'true' : undefined };
    const { data, meta } = (await send('POST', `${path}/list`, { body: criteria, query })) as Envelope;
    return { items: data as readonly Shape['row'][], nextCursor: meta?.nextCursor ?? undefined };
  };
  return {
    list,
    async *all(criteria = [], options = {}) {
      let after: string | undefined;
      do {
        const page: ItemPage<Shape['row']> = await list(criteria, {
          ...options,
          ...(after === undefined ? {} : { after }),
        });
        yield* page.items;
        after = page.nextCursor;
      } while (after !== undefined);
    },
    get: (id) => row(send('GET', `${path}/${id}`)),
    create: (values) => row(send('POST', path, { body: values })),
    update: (id, values, version) => row(send('PATCH', `${path}/${id}`, { body: values, ...matching(version) })),
    async remove(id, version, { confirm } = {}) {
      await send('DELETE', `${path}/${id}`, { ...matching(version), query: { confirm } });
    },
  };
}

function matching(version: number | undefined): Pick<SendOptions, 'headers'> {
  return version === undefined ? {} : { headers: { 'if-match': `"${version}"` } };
}

/** Reads the JSON of an answer. @throws RequestError for one that is not a success */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  const body = parse(text);
  if (!response.ok) throw errorOfAnswer(response.status, body);
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
