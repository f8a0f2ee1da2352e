import {
  createItemStore,
  itemMetadata,
  modelInfo,
  type CallingRequests,
  type ItemAccess,
  type Policy,
  type Scope,
} from '@gantry/core-content';
import type { HostDatabase } from '@gantry/core-database';
import { principalOfCaller, scopeOfPrincipal, viewsFor, type PluginMetrics, type Policies } from '@gantry/core-http';
import type { Identity } from '@gantry/core-identity';
import type { PluginSettings } from '@gantry/core-lifecycle';
import type { PluginRegistry, PluginRegistryOptions, RouteCalls } from '@gantry/core-loader';
import type { ContributedViews } from '@gantry/contracts';
import type { Caller, Platform, Temporal } from '@gantry/plugin-api';

/** The parts of a platform that are there later than the first code of a plugin. */
export interface OpenedPlugins {
  registry?: PluginRegistry;
  calls?: () => readonly RouteCalls[];
  policies?: Policies;
  access?: ItemAccess;
}

interface ServiceOptions {
  readonly temporal: Temporal;
  /** That of the machine unless given. */
  readonly now?: () => Date;
}

interface ServiceParts {
  readonly requests: CallingRequests;
  readonly metrics: PluginMetrics;
  readonly settings: PluginSettings;
}

/** The services that the context of a plugin has. */
export function servicesOf(
  { temporal, now = () => new Date() }: ServiceOptions,
  database: HostDatabase,
  opened: OpenedPlugins,
  { requests, metrics, settings }: ServiceParts,
): PluginRegistryOptions['services'] {
  return {
    items: ({ id, systemScope }) => createItemStore({ plugin: id, systemScope, access: () => opened.access, requests }),
    database: database.plugins,
    metrics: metrics.open,
    settings: settings.open,
    platform: {
      pluginIds: () => opened.registry?.reports().map(({ id }) => id) ?? [],
      pluginUis: async () => (await opened.registry?.uis()) ?? [],
      views: (caller) => viewsOf(opened, caller),
      ...describeTypes((caller) => opened.policies && policyFor(opened.policies, caller)),
    },
    ...{ temporal, now },
  };
}

/** Items as plugins read and write them. */
export function accessOf(policies: Policies, { audit }: Identity): Omit<ItemAccess, 'repository' | 'writer'> {
  return {
    policy: policies.open,
    scopeOf: scopeOfCaller(policies),
    recordSystemScope({ plugin, route, reason }) {
      const entry = { actor: `plugin:${plugin}`, action: 'system-scope-used', subject: route, address: '' };
      void audit.recordSystemScope({ ...entry, detail: { reason } });
    },
  };
}

/** A caller that the host has not made has no rights. */
function viewsOf({ calls }: OpenedPlugins, caller: Caller): ContributedViews {
  const principal = principalOfCaller(caller);
  const isKnown = calls !== undefined && principal !== undefined;
  return isKnown ? viewsFor(calls(), principal.rights) : { homeCards: [], tablePages: [] };
}

/** Without a caller, the open one. A caller that the host has not made has no rights. */
function policyFor(policies: Policies, caller: Caller | undefined): Policy | undefined {
  return caller === undefined ? policies.open : scopeOfCaller(policies)(caller)?.policy;
}

function scopeOfCaller(policies: Policies): (caller: Caller) => Scope | undefined {
  return (caller) => {
    const principal = principalOfCaller(caller);
    return principal && scopeOfPrincipal(policies, principal, 'none');
  };
}

/** The policy of the caller; the open one without a caller; undefined until the plugins are linked, which may ask before. */
type PolicyOf = (caller?: Caller) => Policy | undefined;

export function describeTypes(policyOf: PolicyOf): Pick<Platform, 'itemTypes' | 'itemMetadata'> {
  return {
    itemTypes: (caller) =>
      policyOf(caller)
        ?.types.served()
        .map(({ descriptor }) => modelInfo(descriptor)) ?? [],
    itemMetadata(code, caller) {
      const type = policyOf(caller)?.types.findServed(code);
      return type && itemMetadata(type.descriptor);
    },
  };
}
