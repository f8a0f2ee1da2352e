import type { Logger, ServiceContext } from '@gantry/plugin-api';

/** What the composition root gives to plugins; the loader adds identity, logger and configuration. */
export type PluginServices = Pick<ServiceContext, 'database' | 'temporal' | 'platform' | 'now'>;

/** The context of one plugin, frozen. */
export function createServiceContext(
  plugin: ServiceContext['plugin'],
  logger: Logger,
  config: ServiceContext['config'],
  services: PluginServices & Pick<ServiceContext, 'dataFolder'>,
): ServiceContext {
  const { dataFolder, database, temporal, platform, now } = services;
  return Object.freeze({
    plugin: Object.freeze({ ...plugin }),
    logger: labelled(logger, plugin.id),
    config: Object.freeze({ ...config }),
    dataFolder,
    database,
    temporal,
    platform,
    now,
  });
}

/** A logger that puts the plugin's id into every line. */
export function labelled(logger: Logger, plugin: string): Logger {
  return Object.freeze({
    debug: (fields: object, message?: string) => logger.debug({ plugin, ...fields }, message),
    info: (fields: object, message?: string) => logger.info({ plugin, ...fields }, message),
    warn: (fields: object, message?: string) => logger.warn({ plugin, ...fields }, message),
    error: (fields: object, message?: string) => logger.error({ plugin, ...fields }, message),
  });
}
