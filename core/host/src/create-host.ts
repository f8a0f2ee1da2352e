import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import type { HostMessage, Quarantine, StartupReport } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { composeApp } from './compose';
import type { HostConfig } from './config';
import type { LifePhase } from './http/health';
import { listen, type HttpServer } from './http/server';
import { createStartingHandler } from './http/starting';
import { openContent, type Content } from './open-content';
import { createServiceWorkers, type ServiceWorkers } from './temporal/service-workers';
import { readTemporalSettings } from './temporal/settings';
import { createTemporalAccess } from './temporal/temporal-access';

export interface HostOptions {
  readonly config: HostConfig;
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Plugins that an earlier attempt of this start had to give up. */
  readonly quarantines?: readonly Quarantine[];
  /** Told before and after plugin code runs; the outer process watches by it. */
  readonly tell?: (message: HostMessage) => void;
}

/** A running host. */
export interface Host {
  /** For example `http://127.0.0.1:3000`. */
  readonly address: string;
  readonly report: StartupReport;
  /** Type codes that are served. */
  readonly types: readonly string[];
  /** Drains: no new requests, open ones are answered, plugins stopped in reverse order, connections closed. */
  stop(): Promise<void>;
}

const drainTimeoutMs = 10_000;

/**
 * Starts a host: listens at once (answering 503 until ready), loads, links and starts the plugins, then serves.
 * @throws the system's error when it cannot listen; PluginError, SchemaError or GantryError when it cannot start
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { config, logger } = options;
  let life: LifePhase = 'starting';
  let handler = createStartingHandler(() => life);
  const server = await listen((request, response) => handler(request, response), config.host, config.port);
  let content: Content | undefined;
  let workers: ServiceWorkers | undefined;
  const settings = readTemporalSettings(options.environment);
  const temporal = createTemporalAccess(settings);
  const stop = async (): Promise<void> => {
    life = 'draining';
    await Promise.all([server.close(drainTimeoutMs), workers?.stop()]);
    await content?.registry.stop();
    await Promise.all([content?.close(), temporal.close()]);
  };
  try {
    content = await openContent({
      ...options,
      quarantines: options.quarantines ?? [],
      tell: options.tell ?? (() => undefined),
      temporal,
    });
    await content.registry.start();
    content.registry.assertRequired();
    workers = createServiceWorkers({ settings, plugins: content.registry.registered(), logger });
    await workers.start();
    const report = reportOf(content);
    handler = composeApp({ config, logger, content, temporal, workers, report, life: () => life, port: server.port });
    life = 'ready';
    return { address: addressOf(config, server), report, types: servedTypes(content), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function reportOf({ registry, differences }: Content): StartupReport {
  return { plugins: registry.reports(), schemaDifferences: differences, readyAfter: Math.round(performance.now()) };
}

function servedTypes({ types, registry }: Content): readonly string[] {
  return types.all
    .map(({ descriptor }) => descriptor)
    .filter(({ plugin }) => registry.served(plugin) === 'served')
    .map(({ code }) => code);
}

function addressOf({ host }: HostConfig, { port }: HttpServer): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
