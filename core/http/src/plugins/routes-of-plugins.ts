import type { CallingRequests, ImageRights } from '@gantry/core-content';
import type { PluginRegistry } from '@gantry/core-loader';
import type { HostRouteServer } from '../exchange/host-routes';
import { setPrincipal } from '../exchange/caller/principal';
import type { Routes } from '../exchange/routes';
import { scopeOfPrincipal, type Policies } from '../policies';
import { publicRole, type AccountsPort, type Principal } from '../ports';
import { createMayRead } from './may-read';
import { pluginRoutes, type PluginRouteDependencies } from './plugin-routes';
import { entrance, pluginUiRoutes } from './plugin-ui-routes';
import { quarantinedRoutes } from './quarantined-routes';
import { createOpenCaller } from './run-as-caller';
import { createAssertServed, createFindUiFile } from './served-types';

export interface PluginServices {
  readonly registry: PluginRegistry;
  readonly images: ImageRights;
  readonly policies: Policies;
  readonly requests: CallingRequests;
  readonly accounts: AccountsPort;
  readonly publicUrl: string | undefined;
}

/** The routes, mounts and pages of plugins. */
export function routesOfPlugins(services: PluginServices, server: HostRouteServer): readonly Routes[] {
  const { registry, images, policies, requests, publicUrl } = services;
  const plugins = registry.registeredPlugins();
  const quarantined = quarantinedRoutes(registry);
  const mounts = [...plugins.flatMap((plugin) => plugin.mounts), ...quarantined.mounts];
  return [
    pluginRoutes({
      routes: [...plugins.flatMap(({ routes }) => routes), ...quarantined.routes],
      mounts,
      assertServed: createAssertServed(registry),
      enter: registry.enter,
      openCaller: createOpenCaller({
        requests,
        scopeOf: (principal = withoutRights, requestId) => scopeOfPrincipal(policies, principal, requestId),
      }),
      actAsPublic: actAsPublic(services),
      mayRead: createMayRead({
        images,
        policyOf: (principal) => policies.of(principal.rights, principal),
        publicUrl,
      }),
      ...server,
    }),
    pluginUiRoutes(createFindUiFile(registry)),
    entrance(mounts),
  ];
}

/** Public routes of plugins do for everybody what the role `public` may do. */
function actAsPublic({ policies, accounts }: PluginServices): PluginRouteDependencies['actAsPublic'] {
  const credential = { confirm: () => undefined, assertPresent: async () => undefined };
  return async (request) => {
    const principal = (await accounts.authenticator.anonymous()) ?? withoutRights;
    await policies.prepare(principal.rights, principal);
    setPrincipal(request, principal, credential);
  };
}

/** Who makes a request without a credential where the role `public` may do nothing. */
const withoutRights: Principal = Object.freeze({
  kind: 'public',
  id: publicRole,
  name: 'Public',
  login: '',
  rights: Object.freeze({ roles: [], isAdministrator: false, grants: [], permissions: [], may: () => false }),
});
