import createOpenApiClient, { type Client } from 'openapi-fetch';
import { followChanges, type Change, type ChangesOptions } from './changes';
import { createItems, readAnswer, type ItemTypeShape, type Send, type TypedItems } from './items';

/** How a platform is reached. @public */
export interface ClientOptions {
  /** For example `https://cms.example.com`. */
  readonly url: string;
  /** An API token; a platform that is open needs none. */
  readonly token?: string;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
}

/** @public */
export interface GantryClient<Paths extends {}, Items extends Readonly<Record<keyof Items, ItemTypeShape>>> {
  /** The items of a type. */
  items<Type extends keyof Items & string>(type: Type): TypedItems<Items[Type]>;
  /** Changes of items, in their order, without an end; connections that break are opened again. */
  changes(options?: ChangesOptions<keyof Items & string>): AsyncIterable<Change>;
  /**
   * Every path of the platform, with the functions of openapi-fetch, which give `data` or `error`.
   * @example const \{ data, error \} = await gantry.api.GET('/recipes/latest');
   */
  readonly api: Client<Paths>;
}

/**
 * The client of a platform, with the types that `gantry client generate` prints.
 * @public
 */
export function createGantryClient<Paths extends {}, Items extends Readonly<Record<keyof Items, ItemTypeShape>>>({
  url,
  token,
  fetch: ownFetch = (...request) => fetch(...request),
}: ClientOptions): GantryClient<Paths, Items> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send: Send = async (method, path, { body, query = {}, headers } = {}) => {
    const target = new URL(path, url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await ownFetch(target, {
      method,
      headers: { ...authorization, ...content, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return readAnswer(response);
  };
  return {
    api: createOpenApiClient<Paths>({ baseUrl: url, headers: authorization, fetch: (request) => ownFetch(request) }),
    items: (type) => createItems(send, type),
    changes: (options = {}) =>
      followChanges((query, signal) => {
        const target = new URL('/api/cms/changes/stream', url);
        for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
        return ownFetch(target, { headers: { ...authorization, accept: 'text/event-stream' }, signal });
      }, options),
  };
}
