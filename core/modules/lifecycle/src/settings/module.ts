import { hostRoutes, type Module } from '@gantry/core-http';
import type { PluginSettings } from './plugin-settings';
import { settingsRoutes } from './settings-routes';
import { pluginSettingsSchema } from './tables';

const refreshIntervalMs = 3_000;

export interface SettingsHost {
  /** Read before plugins start, who use them from then on. */
  readonly pluginSettings: PluginSettings;
}

/** Settings of plugins, on all hosts of a platform. */
export const pluginSettings: Module<unknown, SettingsHost> = {
  id: 'gantry.settings',
  tables: pluginSettingsSchema,
  routes: settingsRoutes,
  open({ accounts, logger }, { pluginSettings: settings }) {
    let reading: Promise<void> = Promise.resolve();
    const refresh = (): void => {
      reading = reading.then(settings.refresh).catch((error: unknown) => {
        // A database that does not answer has its own part in the health of the host.
        logger.debug({ err: error }, 'settings of plugins could not be read');
      });
    };
    const timer = setInterval(refresh, refreshIntervalMs).unref();
    return {
      routes: (server) => [hostRoutes(settingsRoutes, { settings, accounts }, server)],
      async stop() {
        clearInterval(timer);
        await reading;
      },
    };
  },
};
