import type { Caller } from './routes/caller';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContributedViews, ItemMetadata, ModelInfo, PluginUiReport } from '@gantry/contracts';
import type { ItemStore } from './items/items';
import type { Metrics } from './metrics';
import type { RequestSchemas } from './routes/request-schema';
import type { Route } from './routes/route';
import type { Method, RouteRequest, StreamedBody } from './routes/route-request';
import type { ServiceMethods, ServiceToken } from './service-token';
import type { Settings } from './settings';

/** A structured logger that carries the plugin's id. @public */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/** The answer of a plugin's route; the host wraps it in the envelope. @public */
export interface RouteResponse {
  /** 200 unless given; 204 is sent without a body. */
  readonly status?: number;
  readonly data?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of a route: accepted input, and its description in OpenAPI. @public */
export interface RouteOptions<Schemas extends RequestSchemas = RequestSchemas> {
  /**
   * Schemas of the path parameters, the query and the JSON body: a request that does not conform is answered with
   * VALIDATION_FAILED and all its problems before the handler runs, and OpenAPI shows them.
   * @example { schemas: { body: z.strictObject({ reason: z.string().max(1000) }) } }
   */
  readonly schemas?: Schemas;
  /** Query parameters that the route knows; any other one is a 400. Those of a schema of the query are known without it. */
  readonly query?: readonly string[];
  /**
   * `json`: a JSON body is read; `none`: the route gets no body (of a write, one that is sent must still be JSON); a
   * {@link StreamedBody}: the route reads it from `upload`. `json` for POST, PUT and PATCH unless given, otherwise `none`.
   */
  readonly body?: 'json' | 'none' | StreamedBody;
  /**
   * Who may call it where sign-in is required: every user who has a role, or users whose roles have a permission that the manifest
   * declares in `contributes.permissions`. Administrators always may; without `access`, only they.
   * @example { access: { permission: 'reviews.moderate' } }
   */
  readonly access?: 'signed-in' | { readonly permission: string };
  /** One sentence for OpenAPI. */
  readonly summary?: string;
  /** A fragment merged into the OpenAPI operation: parameters, requestBody, responses. */
  readonly openapi?: Readonly<Record<string, unknown>>;
}

/**
 * Answers a request: a GantryError as its code says, any other error as a 500 without its text. After 30 seconds (60 for a
 * route with an upload) the client is answered with UNAVAILABLE, and `signal` aborts.
 * @public
 */
export type RouteHandler<Schemas = unknown> = (request: RouteRequest<Schemas>) => Promise<RouteResponse>;

/** Arguments of a {@link RawHandler} besides the request. @public */
export interface MountContext {
  /** Undefined for a request without a credential; only a mount with the access `public` or `items` gets such requests. */
  readonly caller: Caller | undefined;
  /**
   * Whether who makes the request may read a file that items refer to: the roles of the caller, or the role `public`, show an
   * IMAGE field of an item whose value is one of the addresses. Where they do not, answer as for a file that does not exist.
   * Administrators may read all files. The answer is kept for up to 4 seconds.
   * @param addresses all texts by which a field can refer to the file: 1 to 100, each of at most 1,024 bytes. A path also means its
   *   address on the host of GANTRY_PUBLIC_URL.
   * @example if (!(await mayRead([`/courses/files/${name}`]))) throw new GantryError('NOT_FOUND', 'Not found: no file has this path.');
   * @throws GantryError UNAVAILABLE while PostgreSQL cannot be reached, BAD_REQUEST for addresses that are not as above
   */
  readonly mayRead: (addresses: readonly string[], options?: MayReadOptions) => Promise<boolean>;
}

/** @public */
export interface MayReadOptions {
  /**
   * A permission with which the caller may also read a file that no item refers to, hidden or not: one that was uploaded, and
   * whose item is not saved yet.
   */
  readonly unusedWith?: string;
}

/** Serves a path prefix whole, for example the files of an application. @public */
export type RawHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  context: MountContext,
) => void | Promise<void>;

/** Who reaches a mount. @public */
export interface MountOptions {
  /**
   * `public`: everyone, also where sign-in is required, for example files of an application. `items`: every user who has a role, and
   * requests without a credential while the role `public` shows items; {@link MountContext.mayRead} decides on each file.
   * `signed-in` (every user who has a role) unless given.
   */
  readonly access?: 'public' | 'items' | 'signed-in';
}

/** Where a plugin registers its routes. Paths are Express 5 paths from the root, for example `/workflows/:workflowId`. @public */
export interface PluginRouter {
  /** Registers routes that `route` has made. Each is declared in the manifest as `POST /orders/:id`. */
  add(...routes: readonly Route[]): void;
  /** Registers the answer to one method and path, as plugins did before there was `route`. */
  route<Schemas extends RequestSchemas = RequestSchemas>(
    method: Method,
    path: string,
    handler: RouteHandler<Schemas>,
    options?: RouteOptions<Schemas>,
  ): void;
  /** GET and HEAD below a prefix, for example `/admin`. Declared in the manifest as `GET /admin/*`. */
  mount(prefix: string, handler: RawHandler, options?: MountOptions): void;
}

/**
 * The platform's PostgreSQL, for uses of plugins other than their item types.
 * @public
 */
export interface Database {
  /**
   * Runs one statement with `$1`, `$2` … for the values; rows are returned as objects, with 64-bit numbers and decimals as text.
   * It may take a minute.
   * @throws GantryError UNAVAILABLE while the database is unavailable; PostgreSQL's own error for a statement that it refuses
   */
  query<R extends object = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Within another transaction it is
   * a savepoint, one at a time. A transaction that rests for a minute loses its connection.
   */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
}

/** Access to Temporal. `client` rejects with UNAVAILABLE while Temporal is unavailable. @public */
export interface Temporal {
  readonly namespace: string;
  /** The queue of the plugin's own service, as its manifest names it; absent for a plugin without one. */
  readonly taskQueue?: string;
  /** A `Client` of @temporalio/client; the plugin names that type itself: `await temporal.client<Client>()`. */
  client<T>(): Promise<T>;
}

/** Facts about the platform. @experimental */
export interface Platform {
  /** Ids of all plugins of the platform's plugin set, whether they run or not. From memory; none before all plugins are loaded. */
  pluginIds(): readonly string[];
  /** Additions of plugins to the admin pages, whether they run or not. */
  pluginUis(): Promise<readonly PluginUiReport[]>;
  /** Cards of the home page and pages whose routes the caller may use. From memory. */
  views(caller: Caller): ContributedViews;
  /** The item types whose plugins are in use, as `GET /api/cms/items/types` answers the caller; all without one. From memory; none before all plugins are linked. */
  itemTypes(caller?: Caller): readonly ModelInfo[];
  /** As `GET /api/cms/items/{type}/metadata` answers the caller; undefined for a type that is not there or that the caller may not read, or whose plugin is not in use. */
  itemMetadata(type: string, caller?: Caller): ItemMetadata | undefined;
}

/**
 * The services that other plugins provide. A plugin resolves those of the plugins that its manifest names in `dependsOn` or
 * `optionalDependsOn`. A method of a service throws UNAVAILABLE while the plugin that provides it is not started: resolve it
 * in `register` if you like, and call it in `start` or later.
 * @public
 */
export interface Services {
  /**
   * The service of that token.
   * @throws GantryError UNAVAILABLE when the plugin that provides it is not in use; Error when it provides no such service, or
   *   when the manifest names no dependency on it
   */
  get<T>(token: ServiceToken<T>): T;
  /**
   * The same for a plugin that need not be there: undefined when it is not in use, or provides no such service.
   * @throws Error when the manifest names no dependency on the plugin
   */
  find<T>(token: ServiceToken<T>): T | undefined;
}

/** The services of other plugins, and a way to provide one. @public */
export interface RegisterServices extends Services {
  /**
   * Provides a service to the plugins that depend on this one. The id of the token begins with the id of this plugin. A factory
   * is called when the service is first resolved; like `register`, it is synchronous and does no I/O.
   */
  provide<T extends ServiceMethods<T>>(token: ServiceToken<T>, service: T | (() => T)): void;
}

/** The context of the activities of a service and of every other function of a plugin. @public */
export interface ServiceContext {
  readonly plugin: { readonly id: string; readonly version: string };
  readonly logger: Logger;
  /** The result of the plugin's `config` parser; empty without one. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Absolute folder for files of the plugin's own, below GANTRY_HOME. The plugin makes it when it needs it. */
  readonly dataFolder: string;
  /** The items of all types: the one way to read and write them. Within a request as its caller, otherwise as the plugin. */
  readonly items: ItemStore;
  readonly services: Services;
  /** For tables of the plugin's own, and for reading what items cannot answer; item tables are written through `items` only. */
  readonly database: Database;
  readonly temporal: Temporal;
  readonly platform: Platform;
  /** Settings, as administrators have set them. */
  readonly settings: Settings;
  /** Records values of the plugin's metrics. */
  readonly metrics: Metrics;
  /** The time now; replaceable in tests. */
  readonly now: () => Date;
}

/** The context of `register`. @public */
export interface RegisterContext extends ServiceContext {
  readonly router: PluginRouter;
  readonly services: RegisterServices;
}

/** The context of `start`, `stop` and `health`. @public */
export interface PluginContext extends ServiceContext {
  /** Aborts when the host begins to stop. */
  readonly signal: AbortSignal;
}
