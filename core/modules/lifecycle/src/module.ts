import type { StartupReport, PluginReport } from '@gantry/contracts';
import { hostRoutes, pluginSetCheck, type Module } from '@gantry/core-http';
import { createPluginChanges } from './change/plugin-changes';
import type { Generations } from './common/generations';
import { type PluginSources, inspectPlugins } from '@gantry/core-loader';
import { packageRoutes } from './routes/package-routes';
import { pluginChangeRoutes } from './routes/plugin-change-routes';
import { reportRoutes } from './routes/report-routes';
import type { SharedPluginSet } from './plugin-set/shared-plugin-set';
import { pluginSetSchema } from './plugin-set/tables';
import { asRequestError } from './change/change-errors';

export interface LifecycleSettings extends PluginSources {
  readonly databaseUrl: string;
  /** Whether requests may choose packages that are installed; false for commands on the home alone. */
  readonly takesPackages?: boolean;
}

export interface LifecycleHost {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly generations: Generations;
  readonly set: SharedPluginSet;
  /** With which commands on the home prove that they are. */
  readonly localToken: string;
  /** The file of the process in which code of plugins is tried out. */
  readonly checkProgram: string;
  /** Of this start; known when requests are answered. */
  readonly report: () => StartupReport;
}

/** Which plugins run; check and change of them without a stop. */
export const lifecycle: Module<LifecycleSettings, LifecycleHost> = {
  id: 'gantry.lifecycle',
  tables: pluginSetSchema,
  permissions: [
    { name: 'plugins.read', displayName: 'See the plugins and their problems', roles: ['operator'] },
    { name: 'plugins.change', displayName: 'Check, enable and disable plugins' },
  ],
  routes: [...reportRoutes, ...packageRoutes, ...pluginChangeRoutes],
  open({ settings, registry, accounts, hidePaths }, host) {
    const { environment, generations, set, report, localToken, checkProgram } = host;
    const changes = createPluginChanges({
      ...{ config: settings, environment, program: checkProgram, generations, set },
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
    const ofPackages = { packages: changes.packages, takesPackages, localToken, accounts, hidePaths };
    return {
      health: pluginSetCheck(() => generations.report().pluginSet),
      routes: (server) => [
        hostRoutes(reportRoutes, reports, server),
        hostRoutes(packageRoutes, ofPackages, server),
        hostRoutes(pluginChangeRoutes, { changes, accounts, hidePaths }, server),
      ],
    };
  },
};

/** The plugins of this process, and those that were put into the plugin folders since it started; these are `stopped`. */
async function includeNewPackages(
  sources: PluginSources,
  known: readonly PluginReport[],
): Promise<readonly PluginReport[]> {
  const { plugins } = await asRequestError(() => inspectPlugins(sources));
  const folders = new Set(known.map(({ folder }) => folder));
  const found = plugins.filter(({ folder }) => !folders.has(folder));
  return [...known, ...found].toSorted((first, second) => (first.id < second.id ? -1 : Number(first.id > second.id)));
}
