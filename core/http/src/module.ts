import type { Permission, RouteContributions } from '@gantry/contracts';
import type { Logger, Temporal } from '@gantry/plugin-api';
import type { BulkWriter, CallingRequests, ItemRepository, ItemWriter } from '@gantry/core-content';
import type { HostDatabase, PluginSchema } from '@gantry/core-database';
import type { PluginRegistry } from '@gantry/core-loader';
import type { Request, RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import type { HidePaths } from './exchange/answer/hide-paths';
import type { HostRoute, HostRouteServer } from './exchange/host-routes';
import type { Routes } from './exchange/routes';
import type { TypeServices } from './items/item-route';
import type { Policies } from './policies';
import type { AccountsPort, ChangesPort, HealthPart, Principal } from './ports';

/** The kernel, as modules get it. */
export interface Kernel<Settings = unknown> {
  /** Of the platform. */
  readonly version: string;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly database: HostDatabase;
  readonly registry: PluginRegistry;
  /** Rights on items, and so the item types. */
  readonly policies: Policies;
  /** The server of routes at the path of an item type. */
  readonly items: ItemServices;
  /** Writes many items in one transaction. */
  readonly bulk: BulkWriter;
  /** On whose behalf code of plugins runs. */
  readonly requests: CallingRequests;
  /** Calls the listener when something was written and committed. @returns what ends that */
  onCommit(listener: () => void): () => void;
  readonly temporal: Temporal;
  /** The port that the server really has. */
  readonly port: number;
  readonly accounts: AccountsPort;
  /** Of the module that keeps the change feed; in the list before those that read it. */
  readonly changes: ChangesPort;
  /** Takes paths of this machine out of what is answered to callers of other machines. */
  readonly hidePaths: HidePaths;
}

export interface ItemServices extends TypeServices {
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
}

/** A capability of the platform, in one package. @typeParam Host what the host hands over to it */
export interface Module<Settings = unknown, Host = unknown> {
  /** Contains a dot, so that no plugin has it. */
  readonly id: `gantry.${string}`;
  /** Heading of its pages; the id unless given. */
  readonly displayName?: string;
  /** Its tables, and its part in what changes types. */
  readonly tables?: PluginSchema;
  /** Permissions of roles besides items, for its routes. */
  readonly permissions?: readonly Permission[];
  /** Its routes by their contracts, for documents about them. */
  readonly routes: readonly HostRoute<never>[];
  /** Commands, cards of the home page and pages that are made of its routes, as those of plugins are. */
  readonly contributes?: RouteContributions;
  /** Called before a host serves; the plugins are started. */
  open(kernel: Kernel<Settings>, host: Host): OpenModule;
}

/** A module in a running host. */
export interface OpenModule {
  routes(server: HostRouteServer): readonly Routes[];
  /** Fills the port of who makes a request; one module does. */
  readonly authenticate?: Authenticate;
  /** Fills the port of the change feed; one module does. */
  readonly changes?: ChangesPort;
  health?(): readonly HealthPart[] | Promise<readonly HealthPart[]>;
  addMetrics?(registry: Registry): void;
  /** Its service in Temporal. */
  readonly service?: ModuleService | readonly ModuleService[];
  /** The workers have been started. */
  start?(): Promise<void>;
  stop?(): void | Promise<void>;
}

/** Finds out who makes a request, before all routes; refuses it where it has to have a credential and has none. */
export type Authenticate = (paths: AuthenticatedPaths) => RequestHandler;

/** Which requests need no credential. */
export interface PublicPaths {
  /** Whether a request without a credential reaches the path; what answers it shows nothing that needs a right. */
  readonly isPublic: (request: Request) => boolean;
  /** Whether a request reaches a public route of a plugin, which is not answered as who sends it. */
  readonly callsPublicRoute: (request: Request) => boolean;
  /** Whether the role `public` decides on a request without a credential. */
  readonly readsItems: (request: Request) => boolean;
}

export interface AuthenticatedPaths extends PublicPaths {
  /** The step before the rights of a request are asked for; undefined where there is none. */
  readonly prepare: (principal: Principal) => Promise<void> | undefined;
}

/** Workflows and activities of a module, on its own task queue. */
export interface ModuleService {
  readonly id: string;
  readonly taskQueue: string;
  /** File of the bundled workflows. */
  readonly workflowsPath: string;
  readonly activities: () => object;
  readonly limits?: {
    readonly maxConcurrentActivityTaskExecutions?: number;
    /** Milliseconds. */
    readonly maxHeartbeatThrottleInterval?: number;
  };
  /** Resolves when there is work: before, no worker is needed. */
  readonly needed?: Promise<void>;
}
