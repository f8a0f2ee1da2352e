import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import type { HostMessage, Quarantine, StartupReport, Successor } from '@gantry/contracts';
import { endsWithin, readHold } from '@gantry/core-common';
import type { Logger } from '@gantry/plugin-api';
import { composeApp } from './compose';
import { ConfigError, isExposed, type HostConfig } from './config';
import { createLocalToken, type Identity } from '@gantry/core-identity';
import {
  assertOwnSessions,
  startChangeMaintenance,
  untilAvailable,
  type ChangeMaintenance,
} from '@gantry/core-database';
import { withoutLauncher, withPluginSet, type Generations } from './common/generations';
import {
  type HealthPart,
  type HostPhase,
  createHttpMessages,
  listen,
  type HttpServer,
  type ListenTarget,
  createStartingHandler,
  warmUp,
} from '@gantry/core-http';
import { kernelOf } from './kernel-of';
import { assertMustStart } from './composition/assert-must-start';
import type { WithDatabase } from './composition/link-plugins';
import { openContent, type Content } from './composition/open-content';
import { platformSchemas } from './composition/platform-schemas';
import { followTypeEvents, type TypeEventFollower } from './composition/follow-type-events';
import { openModules, type Modules } from './modules';
import {
  removeOrphanedDrafts,
  type PluginExecution,
  type PluginRegistry,
  type PluginSources,
} from '@gantry/core-loader';
import { startFollowing, type PluginSetFollower } from './plugin-set/follow-plugin-set';
import { createRunningHost, type RunningHost } from './plugin-set/running-hosts';
import { createSharedPluginSet, type SharedPluginSet } from './plugin-set/shared-plugin-set';
import { createServiceWorkers, type ServiceWorkers } from './temporal/service-workers';
import { readTemporalSettings } from './temporal/settings';
import { version } from './version';
import { createTemporalAccess, type TemporalAccess } from './temporal/temporal-access';

export interface HostOptions {
  readonly config: HostConfig;
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Plugins that an earlier attempt of this start had to give up. */
  readonly quarantines?: readonly Quarantine[];
  /** Called before and after plugin code runs; the launcher watches the host by it. */
  readonly notifyLauncher?: (message: HostMessage) => void;
  /** How plugin code is entered; one without hooks unless given. */
  readonly execution?: PluginExecution;
  /** Given the server as soon as it listens. */
  readonly onListening?: (server: HttpServer) => void;
  /** A socket that the launcher has opened; host and port of the configuration unless given. */
  readonly socket?: Extract<ListenTarget, { readonly fd: number }>;
  /** Set for a host that replaces another one: it listens only when it is ready. */
  readonly successor?: Successor;
  /** Set after a host that served has ended: this one serves before its workers poll. */
  readonly isRestart?: boolean;
  /** Milliseconds that another start waits for a Temporal that comes up together with it; see the workers. */
  readonly workerTimeoutMs?: number;
  readonly generations?: Generations;
  /** The time that plugins get as `now`; that of the machine unless given. */
  readonly now?: () => Date;
  /** Given the content before the plugins start, for tests of plugins. */
  readonly onContent?: (content: Content) => void;
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
  /** The same after another host has begun to serve on the same socket: no client notices. */
  retire(): Promise<void>;
}

const drainTimeoutMs = 10_000;

/** What a host has brought up so far; it is ended in another order than it came. */
interface Running {
  server: HttpServer | undefined;
  content: Content | undefined;
  workers: ServiceWorkers | undefined;
  maintenance: ChangeMaintenance | undefined;
  typeEvents: TypeEventFollower | undefined;
  modules: Modules | undefined;
  follower: PluginSetFollower | undefined;
  host: RunningHost | undefined;
  readonly set: SharedPluginSet;
  /** The database, while the start waits for it. */
  database: HealthPart | undefined;
  readonly temporal: TemporalAccess;
  /** Aborts when no further requests are taken. */
  readonly draining: AbortController;
}

function startedWith({ config, logger, environment }: HostOptions, temporal: TemporalAccess): Running {
  const nothing = { server: undefined, content: undefined, workers: undefined, maintenance: undefined };
  const later = {
    typeEvents: undefined,
    modules: undefined,
    follower: undefined,
    host: undefined,
    database: undefined,
  };
  const set = createSharedPluginSet({ ...config, logger, environment, isSafe: config.only?.length === 0 });
  return { ...nothing, ...later, set, temporal, draining: new AbortController() };
}

/**
 * Starts a host: listens at once (answering 503 until ready), loads, links and starts the plugins, then serves. One that
 * replaces another host listens last. It waits for a database or a Temporal that is not available yet.
 * @throws the system's error when it cannot listen; ConfigError, PluginError, SchemaError or DatabaseError when it cannot
 *   start
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { config, environment, successor } = options;
  const temporal = createTemporalAccess(readTemporalSettings(environment));
  let phase: HostPhase = 'starting';
  const running = startedWith(options, temporal);
  const generations = withPluginSet(options.generations ?? withoutLauncher, () => running.follower?.report());
  let handler = createStartingHandler(() => ({ status: phase, parts: shownParts(config, running) }));
  const messages = createHttpMessages();
  const open = async (): Promise<HttpServer> => {
    const opened = await listen((request, response) => handler(request, response), targetOf(options), messages);
    options.onListening?.(opened);
    return opened;
  };
  running.server = successor === undefined ? await open() : undefined;
  const stop = (): Promise<void> => {
    phase = 'draining';
    return end(running, running.server?.close(drainTimeoutMs));
  };
  try {
    const content = await openStarted(options, running);
    // The address of a host whose place is taken is known.
    const port = running.server?.port ?? config.port;
    const kernel = kernelOf({ ...options, content, temporal, port });
    const { identity } = content;
    const lifecycle = { identity, environment, generations, set: running.set, report: () => report };
    const modules = openModules(lifecycle, kernel);
    running.modules = modules;
    const workers = await startWorkers(options, running, content, modules);
    const report = reportOf(content);
    handler = composeApp({
      ...options,
      messages,
      ...{ content, kernel, temporal, workers, modules, generations },
      phase: () => phase,
      draining: running.draining.signal,
    });
    await content.database.ping();
    if (successor !== undefined) {
      await warmUp({ handler, messages, host: `127.0.0.1:${port}`, types: servedTypes(content), ...warmUpOf(config) });
      // Commit the plugin set last; other hosts see it from here on.
      await running.set.commit(successor.decisions, successor.follow);
    }
    phase = 'ready';
    const serving = running.server ?? (await open());
    running.server = serving;
    running.follower = startFollowing({ ...options, ...config, ...followedBy(running, content), generations });
    return {
      address: addressOf(config, serving),
      report,
      types: servedTypes(content),
      stop,
      // Until its last answer, one that retires is as good as the one that follows.
      retire: () => end(running, serving.retire(drainTimeoutMs)),
    };
  } catch (error) {
    await giveUp(stop);
    throw error;
  }
}

/** Ends what was begun. What cannot be ended goes with the process, which must not wait for it. */
async function giveUp(stop: () => Promise<void>): Promise<void> {
  const stopped = stop().catch(() => undefined);
  await endsWithin(stopped, drainTimeoutMs);
}

/** Long enough for a few hundred requests on a machine that is busy. */
const warmUpLimitMs = 3_000;

function warmUpOf({ home }: HostConfig) {
  return { token: createLocalToken(home), limitMs: warmUpLimitMs };
}

function followedBy({ set, host }: Running, { database }: Content) {
  return { set, database: database.plugins, host };
}

function idsOf(registry: PluginRegistry): readonly string[] {
  return registry.registeredPlugins().map(({ manifest }) => manifest.id);
}

/** The workers of services and modules. */
async function startWorkers(
  options: HostOptions,
  running: Running,
  content: Content,
  modules: Modules,
): Promise<ServiceWorkers> {
  const { config, logger, environment, workerTimeoutMs } = options;
  const workers = createServiceWorkers({
    settings: readTemporalSettings(environment),
    plugins: content.registry.registeredPlugins(),
    platform: modules.services,
    logger,
    enter: (plugin, code) => content.requests.leave(() => content.registry.enter(plugin, code)),
    hold: () => readHold(config.home),
    ...(workerTimeoutMs === undefined ? {} : { startTimeoutMs: workerTimeoutMs }),
  });
  running.workers = workers;
  const polling = workers.start();
  if (options.isRestart !== true) await polling;
  await modules.start();
  return workers;
}

/** The content with all plugins started that can be. @throws PluginError when one is missing that must run */
async function openStarted(options: HostOptions, running: Running): Promise<Content> {
  const { config, successor, quarantines = [], notifyLauncher = () => undefined } = options;
  const { temporal } = running;
  const withDatabase = createWithDatabase(options, running);
  if (successor === undefined) {
    await removeOrphanedDrafts(config.home);
    await withDatabase(() => assertOwnSessions(config.databaseUrl));
    await withDatabase(() => running.set.open());
  }
  const content = await openContent({
    ...options,
    config: { ...config, ...trialOf(successor, running.set) },
    quarantines,
    notifyLauncher,
    temporal,
    withDatabase,
    // Register before linking: a purge and the link both take the schema lock, so that the purge sees this host, or the link sees
    // that the tables were dropped.
    onLoaded: async (registry, database) => {
      running.host = createRunningHost({ ...options, database, version, runningPlugins: () => idsOf(registry) });
      await running.host.note();
    },
  });
  running.content = content;
  options.onContent?.(content);
  // Before any plugin runs: nothing of it has to be ended then.
  assertProtected(options, content.identity);
  // Before the workers take up what they find: they need the processor and the database, and a ping would wait for both.
  await withDatabase(() => content.database.ping());
  await content.registry.start();
  content.registry.assertRequired();
  assertMustStart(content.registry, successor);
  await withDatabase(() => recordTypes(content));
  running.maintenance = startChangeMaintenance({
    databaseUrl: config.databaseUrl,
    logger: options.logger,
    owners: platformSchemas,
  });
  running.typeEvents = followTypeEvents(content.database.plugins, content.registry, options.logger);
  return content;
}

/** Before the first request: grants apply to the fields that they were written for. */
async function recordTypes({ registry, policies, identity }: Content): Promise<void> {
  const plugins = registry.registeredPlugins().map(({ manifest }) => manifest.id);
  await identity.roles.recordTypes(
    plugins.filter((id) => registry.served(id) === 'served'),
    policies.open.types.served().map(({ descriptor: { plugin, code, fields } }) => ({
      plugin,
      type: code,
      fields: fields.map(({ name }) => name),
    })),
  );
}

function createWithDatabase({ config, logger }: HostOptions, running: Running): WithDatabase {
  const onWait = (reason: string | undefined): void => {
    running.database = reason === undefined ? undefined : { name: 'database', status: 'down', message: reason };
  };
  return (work) => untilAvailable(work, { databaseUrl: config.databaseUrl, logger, onWait });
}

/** Credentials are known only after the start: before it, other machines see the status alone. */
function shownParts(config: HostConfig, running: Running): readonly HealthPart[] {
  return isExposed(config) || config.publicUrl !== undefined ? [] : awaitedParts(running);
}

/** What a start waits for. */
function awaitedParts({ database, workers }: Running): readonly HealthPart[] {
  const waiting = workers?.health().filter(({ status }) => status !== 'up') ?? [];
  return database === undefined ? waiting : [database, ...waiting];
}

/** @param closed when the server takes no requests any more */
async function end(running: Running, closed: Promise<void> | undefined): Promise<void> {
  const { content, workers, modules, maintenance, typeEvents, follower, host, temporal, draining } = running;
  draining.abort();
  await Promise.all([
    follower?.stop(),
    closed,
    modules?.stop(),
    workers?.stop(),
    maintenance?.stop(),
    typeEvents?.stop(),
  ]);
  await content?.registry.stop();
  await host?.remove();
  await Promise.all([content?.close(), temporal.close()]);
}

function targetOf({ socket, config: { host, port } }: HostOptions): ListenTarget {
  return socket ?? { host, port };
}

function trialOf(successor: Successor | undefined, set: SharedPluginSet): Pick<PluginSources, 'trial' | 'set'> {
  if (successor?.follow !== undefined) return { set: set.decisionsOf(successor.follow) };
  return successor === undefined ? {} : { trial: new Map(Object.entries(successor.decisions)) };
}

function reportOf({ registry, differences }: Content): StartupReport {
  return { plugins: registry.reports(), schemaDifferences: differences, readyAfter: Math.round(performance.now()) };
}

function servedTypes({ policies }: Content): readonly string[] {
  return policies.open.types.served().map(({ descriptor }) => descriptor.code);
}

function addressOf({ host }: HostConfig, { port }: HttpServer): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** @throws ConfigError when other machines could reach a platform that is open */
function assertProtected({ config, logger }: HostOptions, { hasAdministrator }: Identity): void {
  if (!isExposed(config)) return;
  warnOfProxy(config, logger);
  if (hasAdministrator()) return;
  throw new ConfigError(
    `${exposedBy(config)}, not an address of this machine alone, and sign-in is not switched on. Create the first administrator with: gantry users create <email> --role administrator`,
  );
}

function exposedBy({ host, publicUrl }: HostConfig): string {
  return isExposed({ host }) ? `GANTRY_HOST is ${host}` : `GANTRY_PUBLIC_URL is ${publicUrl ?? ''}`;
}

/** Behind a proxy that is not trusted, all clients have its address, and the limits of sign-in count them together. */
function warnOfProxy(config: HostConfig, logger: Logger): void {
  if (config.publicUrl === undefined || config.trustedProxies.length > 0) return;
  logger.warn(
    { publicUrl: config.publicUrl },
    'GANTRY_PUBLIC_URL is set and GANTRY_TRUSTED_PROXIES is not: behind a proxy, limits of sign-in and the audit log see its address instead of those of the clients',
  );
}
