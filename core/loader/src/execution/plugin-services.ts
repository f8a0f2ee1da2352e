import {
  GantryError,
  type Logger,
  type MetricDefinition,
  type Metrics,
  type PluginDefinition,
  type ServiceContext,
  type Settings,
  type Temporal,
} from '@gantry/plugin-api';
import type { Manifest } from '../manifest/manifest';

/** Services that the composition root gives to plugins; the loader adds identity, logger and configuration. */
export interface PluginServices extends Pick<ServiceContext, 'database' | 'temporal' | 'platform' | 'now'> {
  /** The items as the plugin of that manifest reads and writes them. */
  readonly items: (manifest: Pick<Manifest, 'id' | 'systemScope'>) => ServiceContext['items'];
  /** The values of settings; there are none unless given. */
  readonly settings?: (plugin: string) => Settings;
  /** Where values of metrics go; nowhere unless given. */
  readonly metrics?: (plugin: string, defined: readonly MetricDefinition[], logger: Logger) => Metrics;
}

/** Whether a line of a plugin is to be written. */
export type AdmitsLine = (plugin: string, level: keyof Logger, characters: number) => boolean;

/** The context of one plugin, frozen. */
export function createServiceContext(
  manifest: Pick<Manifest, 'id' | 'version' | 'systemScope' | 'contributes'>,
  { metrics: defined = [] }: Pick<PluginDefinition, 'metrics'>,
  logger: Logger,
  config: ServiceContext['config'],
  own: PluginServices & Pick<ServiceContext, 'dataFolder' | 'services'> & { readonly admitsLine?: AdmitsLine },
): ServiceContext {
  const {
    dataFolder,
    items,
    services,
    database,
    temporal,
    platform,
    metrics = withoutMetrics,
    settings = withoutSettings,
    now,
    admitsLine,
  } = own;
  const log = labelled(logger, manifest.id, admitsLine);
  return Object.freeze({
    plugin: Object.freeze({ id: manifest.id, version: manifest.version }),
    logger: log,
    config: Object.freeze({ ...config }),
    dataFolder,
    items: items(manifest),
    services,
    database,
    temporal: temporalOf(manifest, temporal),
    platform,
    settings: settings(manifest.id),
    metrics: metrics(manifest.id, defined, log),
    now,
  });
}

function withoutSettings(): Settings {
  return {
    get() {
      throw new GantryError('UNAVAILABLE', 'Settings are not available while a command runs.');
    },
  };
}

const ignore = (): void => undefined;

function withoutMetrics(): Metrics {
  return { add: ignore, set: ignore, observe: ignore };
}

/** The part of Temporal that a plugin uses, with the queue of the plugin's worker; not the host's health check and close. */
function temporalOf({ contributes }: Pick<Manifest, 'contributes'>, temporal: Temporal): Temporal {
  const [taskQueue] = contributes.taskQueues;
  return Object.freeze({
    namespace: temporal.namespace,
    client: <T>() => temporal.client<T>(),
    ...(taskQueue === undefined ? {} : { taskQueue }),
  });
}

/** A logger that puts the plugin's id into every line. From JavaScript, the fields may be left out. */
export function labelled(logger: Logger, plugin: string, admitsLine: AdmitsLine = () => true): Logger {
  const write =
    (level: keyof Logger) =>
    (fields: object | string, message?: string): void => {
      const text = typeof fields === 'string' ? fields : (message ?? '');
      if (!admitsLine(plugin, level, text.length)) return;
      if (typeof fields === 'string') logger[level]({ plugin }, fields);
      else logger[level]({ plugin, ...fields }, message);
    };
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') });
}
