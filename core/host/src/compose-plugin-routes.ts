import type { Content } from './composition/open-content';
import { scopeOfPrincipal, type HostRouteServer, setPrincipal, type Routes, type Principal } from '@gantry/core-http';
import type { HostConfig } from './config';
import { createMayRead } from './plugin-routes/may-read';
import { pluginRoutes, type PluginRouteDependencies } from './plugin-routes/plugin-routes';
import { entrance, pluginUiRoutes } from './plugin-routes/plugin-ui-routes';
import { quarantinedRoutes } from './plugin-routes/quarantined-routes';
import { createOpenCaller, type OpenCallerDependencies } from './plugin-routes/run-as-caller';
import { createAssertServed, createFindUiFile } from './plugin-routes/served-types';
import { publicRole } from '@gantry/core-identity';

export interface PluginRouteOptions {
  readonly config: HostConfig;
  readonly content: Content;
}

/** The routes, mounts and pages of plugins. */
export function routesOfPlugins({ config, content }: PluginRouteOptions, server: HostRouteServer): readonly Routes[] {
  const { registry, images, policies } = content;
  const plugins = registry.registeredPlugins();
  const quarantined = quarantinedRoutes(registry);
  const mounts = [...plugins.flatMap((plugin) => plugin.mounts), ...quarantined.mounts];
  return [
    pluginRoutes({
      routes: [...plugins.flatMap(({ routes }) => routes), ...quarantined.routes],
      mounts,
      assertServed: createAssertServed(registry),
      enter: registry.enter,
      openCaller: createOpenCaller({ requests: content.requests, scopeOf: callerScopeOf(content) }),
      actAsPublic: actAsPublic(content),
      mayRead: createMayRead({
        images,
        policyOf: (principal) => policies.of(principal.rights, principal),
        publicUrl: config.publicUrl,
      }),
      ...server,
    }),
    pluginUiRoutes(createFindUiFile(registry)),
    entrance(mounts),
  ];
}

/** A request without a credential to a public mount has no rights. */
function callerScopeOf({ policies, identity }: Content): OpenCallerDependencies['scopeOf'] {
  const nobody = publicWithoutRights(identity);
  return (principal = nobody, requestId) => scopeOfPrincipal(policies, principal, requestId);
}

/** Public routes of plugins do for everybody what the role `public` may do. */
function actAsPublic({ policies, identity }: Content): PluginRouteDependencies['actAsPublic'] {
  const nobody = publicWithoutRights(identity);
  const credential = { confirm: () => undefined, assertPresent: async () => undefined };
  return async (request) => {
    const principal = (await identity.authenticator.anonymous()) ?? nobody;
    await policies.prepare(principal.rights, principal);
    setPrincipal(request, principal, credential);
  };
}

function publicWithoutRights({ roles }: Content['identity']): Principal {
  const rights = roles.rightsOf([]);
  return Object.freeze({ kind: 'public', id: publicRole, name: 'Public', login: '', rights });
}
