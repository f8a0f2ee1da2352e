import type {
  Method,
  MountOptions,
  PluginContext,
  PluginDefinition,
  RawHandler,
  RouteAccess,
  RouteHandler,
  RequestSchema,
  RouteOptions,
  SchemaResult,
} from '@gantry/plugin-api';
import type { Manifest } from '../manifest/manifest';
import type { CompiledSchemas, RouteContract } from './compiled-schemas';
import type { RouteCalls } from './route-calls';

/** Of both forms of routes; only a route with a contract is public. */
export type RegisteredOptions = Omit<RouteOptions, 'access'> & { readonly access?: RouteAccess };

/** A route whose schemas are ready. */
export interface CompiledRoute {
  readonly method: Method;
  /** Express 5 path from the root. */
  readonly path: string;
  readonly handler: RouteHandler;
  readonly options: RegisteredOptions;
  readonly schemas: CompiledSchemas;
  /** Undefined for a route that was registered with `router.route`. */
  readonly contract?: RouteContract;
}

/** A route that a plugin registered. */
export interface RegisteredRoute extends CompiledRoute {
  readonly plugin: string;
}

export interface RegisteredMount {
  readonly plugin: string;
  readonly prefix: string;
  readonly handler: RawHandler;
  readonly access: NonNullable<MountOptions['access']>;
}

/** A setting in the schema of the settings of a plugin. */
export interface DescribedSetting extends Readonly<Record<string, unknown>> {
  readonly type?: unknown;
  readonly secret?: unknown;
}

/** The settings of a plugin, whose schema is ready. */
export interface CompiledSettings {
  readonly schema: RequestSchema;
  /** JSON Schemas by name. */
  readonly properties: Readonly<Record<string, DescribedSetting>>;
  readonly parse: (values: unknown) => SchemaResult<unknown>;
}

/** A plugin whose code is loaded and whose contributions are known and free of collisions. */
export interface RegisteredPlugin {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly definition: PluginDefinition;
  readonly routes: readonly RegisteredRoute[];
  readonly mounts: readonly RegisteredMount[];
  readonly calls: RouteCalls;
  readonly settings?: CompiledSettings;
  /** The context of the plugin's functions: start, stop, health and the activities of its service. */
  readonly context: PluginContext;
}
