import type { Generations } from './common/generations';
import { createPluginChanges } from './change/plugin-changes';
import { type HidePaths, hostRoutes, type HostRouteServer, type Routes } from '@gantry/core-http';
import { packageRoutes } from './plugin-routes/package-routes';
import { pluginChangeRoutes } from './plugin-routes/plugin-change-routes';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import { createLocalToken } from '@gantry/core-identity';
import type { SharedPluginSet } from './plugin-set/shared-plugin-set';

export interface PluginChangeOptions {
  readonly config: HostConfig;
  readonly content: Content;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly generations: Generations;
  readonly set: SharedPluginSet;
}

/** Check and change of the plugins and their packages. */
export function routesOfPluginChanges(
  { config, content, environment, generations, set }: PluginChangeOptions,
  server: HostRouteServer,
  hidePaths: HidePaths,
): readonly Routes[] {
  const { identity, registry } = content;
  const changes = createPluginChanges({
    ...{ config, environment, generations, set },
    running: () => registry.registeredPlugins().map(({ manifest }) => manifest.id),
  });
  const takesPackages = config.takesPackages !== false;
  return [
    hostRoutes(
      packageRoutes,
      { packages: changes.packages, takesPackages, localToken: createLocalToken(config.home), identity, hidePaths },
      server,
    ),
    hostRoutes(pluginChangeRoutes, { changes, identity, hidePaths }, server),
  ];
}
