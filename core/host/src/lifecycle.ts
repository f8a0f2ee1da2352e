import type { StartupReport } from '@gantry/contracts';
import { hostRoutes, type HostRoute, type Module } from '@gantry/core-http';
import { createLocalToken, type Identity } from '@gantry/core-identity';
import { includeNewPackages } from './change/include-new-packages';
import { createPluginChanges } from './change/plugin-changes';
import type { Generations } from './common/generations';
import type { HostConfig } from './config';
import { commandRoutes } from './plugin-routes/command-routes';
import { packageRoutes } from './plugin-routes/package-routes';
import { pluginChangeRoutes } from './plugin-routes/plugin-change-routes';
import { reportRoutes } from './plugin-routes/report-routes';
import type { SharedPluginSet } from './plugin-set/shared-plugin-set';

export interface LifecycleOptions {
  readonly identity: Identity;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly generations: Generations;
  readonly set: SharedPluginSet;
  /** Of this start; known when requests are answered. */
  readonly report: () => StartupReport;
}

/** The routes about plugins, their packages and changes of the plugin set. */
export const lifecycleRoutes: readonly HostRoute<never>[] = [
  ...reportRoutes,
  ...commandRoutes,
  ...packageRoutes,
  ...pluginChangeRoutes,
];

/** Which plugins run; check and change of them without a stop. */
export function lifecycleModule({
  identity,
  environment,
  generations,
  set,
  report,
}: LifecycleOptions): Module<HostConfig> {
  return {
    id: 'gantry.lifecycle',
    routes: lifecycleRoutes,
    open({ settings, registry, hidePaths }) {
      const changes = createPluginChanges({
        ...{ config: settings, environment, generations, set },
        running: () => registry.registeredPlugins().map(({ manifest }) => manifest.id),
      });
      const takesPackages = settings.takesPackages !== false;
      const reports = {
        async report(found: boolean) {
          await registry.uis();
          const known = registry.reports();
          return { ...report(), plugins: found ? await includeNewPackages(settings, known) : known };
        },
        generations: () => ({ ...generations.report(), takesPackages }),
        hidePaths,
      };
      const localToken = createLocalToken(settings.home);
      const ofPackages = { packages: changes.packages, takesPackages, localToken, identity, hidePaths };
      return {
        routes: (server) => [
          hostRoutes(reportRoutes, reports, server),
          hostRoutes(commandRoutes, { plugins: () => registry.registeredPlugins() }, server),
          hostRoutes(packageRoutes, ofPackages, server),
          hostRoutes(pluginChangeRoutes, { changes, identity, hidePaths }, server),
        ],
      };
    },
  };
}
