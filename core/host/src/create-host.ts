import { performance } from 'node:perf_hooks';
import type { StartupReport } from '@gantry/contracts';
import { endsWithin } from '@gantry/core-common';
import {
  composeApp,
  createHttpMessages,
  createStartingHandler,
  listen,
  warmUp,
  type HostPhase,
  type HttpServer,
  type ListenTarget,
} from '@gantry/core-http';
import { createLocalToken } from '@gantry/core-identity';
import {
  withoutLauncher,
  withPluginSet,
  startFollowing,
  type PluginSetFollower,
  createSharedPluginSet,
} from '@gantry/core-lifecycle';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import type { Host, HostOptions } from './host-options';
import { createEndings } from './start/endings';
import { openStarted } from './start/open-started';
import { openPlatform } from './start/open-platform';
import { startWorkers } from './start/start-workers';
import { createWaiting } from './start/waiting';
import { openTemporal } from './temporal/temporal-access';

const drainTimeoutMs = 10_000;
/** Long enough for a few hundred requests on a machine that is busy. */
const warmUpLimitMs = 3_000;

/**
 * Starts a host: listens at once (answering 503 until ready), loads, links and starts the plugins, opens the modules, then serves. One
 * that replaces another host listens last. It waits for a database or a Temporal that is not available yet.
 * @throws the system's error when it cannot listen; ConfigError, PluginError, SchemaError or DatabaseError when it cannot
 *   start
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { config, environment, successor } = options;
  const endings = createEndings();
  const waiting = createWaiting(options);
  const messages = createHttpMessages();
  const draining = new AbortController();
  let phase: HostPhase = 'starting';
  let follower: PluginSetFollower | undefined;
  let handler = createStartingHandler(() => ({ status: phase, parts: waiting.shown() }));
  const open = async (): Promise<HttpServer> => {
    const opened = await listen((request, response) => handler(request, response), targetOf(options), messages);
    options.onListening?.(opened);
    return opened;
  };
  let server = successor === undefined ? await open() : undefined;
  const end = (closed: Promise<void> | undefined): Promise<void> => {
    draining.abort();
    endings.add('work', async () => closed);
    return endings.run();
  };
  const stop = (): Promise<void> => {
    phase = 'draining';
    return end(server?.close(drainTimeoutMs));
  };
  const temporal = openTemporal(environment);
  endings.add('connections', () => temporal.close());
  const set = createSharedPluginSet({ ...options, ...config, isSafe: config.only?.length === 0 });
  const generations = withPluginSet(options.generations ?? withoutLauncher, () => follower?.report());
  try {
    const { content, host } = await openStarted(options, { set, temporal, waiting, endings });
    // The address of a host whose place is taken is known.
    const port = server?.port ?? config.port;
    const given = { content, temporal, port, generations, set, report: () => report };
    const { kernel, modules } = openPlatform(options, given);
    endings.add('work', () => modules.stop());
    const workers = await startWorkers(options, { content, temporal, modules, waiting, endings });
    const report = reportOf(content);
    const app = { ...content, ...workers, kernel, modules, messages };
    handler = composeApp({ ...app, phase: () => phase, draining: draining.signal });
    await waiting.withDatabase(() => content.database.ping());
    if (successor !== undefined) {
      await warmUp({ handler, messages, host: `127.0.0.1:${port}`, ...warmUpOf(options, content) });
      // Last: other hosts see it from here on.
      await set.commit(successor.decisions, successor.follow);
    }
    phase = 'ready';
    const serving = server ?? (await open());
    server = serving;
    follower = startFollowing({ ...options, ...config, set, database: kernel.database.plugins, host, generations });
    endings.add('work', follower.stop);
    // Until its last answer, one that retires is as good as the one that follows.
    return {
      address: addressOf(config, serving),
      report,
      types: servedTypes(content),
      stop,
      retire: () => end(serving.retire(drainTimeoutMs)),
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

function warmUpOf({ config: { home } }: HostOptions, content: Content) {
  return { types: servedTypes(content), token: createLocalToken(home), limitMs: warmUpLimitMs };
}

function targetOf({ socket, config: { host, port } }: HostOptions): ListenTarget {
  return socket ?? { host, port };
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
