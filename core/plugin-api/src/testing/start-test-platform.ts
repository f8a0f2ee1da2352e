import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BaseItem } from '../items/base-item';
import type { ItemClass, ItemCollection } from '../items/items';
import { startHost, type HostProcess } from './start-host';
import { commandPackage, usualProject } from './find-project';
import { createPlatformClient, type PlatformClient } from './platform-client';
import { member, readPluginPackage, type PluginPackage } from './plugin-package';
import { linkPlugins } from './start-platform';

/** Settings of {@link startTestPlatform}. @public */
export interface TestPlatformOptions {
  /** Folders of plugin packages, built. Plugins that they depend on are found among their packages and in the project. */
  readonly plugins: readonly string[];
  /** Whether an embedded Temporal runs, for plugins with a service; false unless given. */
  readonly temporal?: boolean;
  /** Folder of the project whose `@gantry/cli` is used; the nearest one above the working directory unless given. */
  readonly project?: string;
  /** Additional environment of the platform. Of that of the process, it does not get `DATABASE_URL`, `GANTRY_…` and `TEMPORAL_…`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds that the platform may take to be ready; a minute unless given. */
  readonly startTimeout?: number;
}

/** The items of all types, by class. @public */
export interface TestItems {
  /** The same operations as those that plugins have, with the same results and errors. */
  of<T extends BaseItem>(type: ItemClass<T>): ItemCollection<T>;
}

/** The time that plugins get as `now`. @public */
export interface TestClock {
  /** From here on it is this time, which goes on. */
  set(time: Date): Promise<void>;
  /** It is so many milliseconds later. */
  advance(milliseconds: number): Promise<void>;
  /** It is that of the machine again. */
  reset(): Promise<void>;
}

/** A user of a test platform. @public */
export interface TestActor {
  /** As the policy of its roles allows. */
  readonly items: TestItems;
  /** Sends requests with an API token of the user. */
  readonly http: PlatformClient;
}

/** A platform with plugins to be tested, on an empty database. @public */
export interface TestPlatform extends TestActor {
  /** For example `http://127.0.0.1:40123`. */
  readonly address: string;
  readonly clock: TestClock;
  /**
   * A user who has these roles. The first one switches sign-in on: requests without a credential are refused from then on, `http` and
   * `items` of the platform itself keep all rights.
   * @example const editor = await platform.as(\{ roles: ['editor'] \});
   */
  as(actor: { readonly roles: readonly string[]; readonly login?: string }): Promise<TestActor>;
  /** Ends it and removes its database and files. */
  stop(): Promise<void>;
}

const defaultStartTimeout = 60_000;

/**
 * Starts a platform with plugins on an empty database of an embedded PostgreSQL, for tests of what the plugins do.
 * @example
 * const platform = await startTestPlatform(\{ plugins: [folder] \});
 * const soup = await platform.items.of(Recipe).create(\{ name: 'Soup' \});
 * const answer = await platform.http.request('GET', '/recipes/latest');
 * await platform.stop();
 * @throws Error with the end of the output of the platform when it does not start, or starts without one of the plugins
 * @public
 */
export async function startTestPlatform(options: TestPlatformOptions): Promise<TestPlatform> {
  const project = resolve(options.project ?? usualProject());
  const plugins = withDependencies(options.plugins.map(readPluginPackage), project);
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-test-platform-'));
  // Started by root, the embedded servers run as another user, who has to reach their folder.
  chmodSync(scratch, 0o755);
  const environment = environmentOf(
    scratch,
    plugins.map(({ folder }) => folder),
    options,
  );
  let servers: TestServers | undefined;
  let host: HostProcess | undefined;
  const stop = async (): Promise<void> => {
    await host?.stop();
    await servers?.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    const { openTestServers } = loadLauncher(project);
    servers = await openTestServers({
      config: { home: join(scratch, 'home'), project: scratch, pluginPath: [join(scratch, 'plugins')] },
      environment: { ...process.env, ...environment },
      temporal: options.temporal ?? false,
    });
    host = startHost(servers.hostEntry, project, { ...environment, ...servers.environment });
    const address = await host.ready(options.startTimeout ?? defaultStartTimeout);
    const platform = createPlatform(host, address, join(scratch, 'home'), stop);
    await assertStarted(platform, options.plugins.map(readPluginPackage), host.output);
    return platform;
  } catch (error) {
    await stop();
    throw error;
  }
}

function environmentOf(
  scratch: string,
  plugins: readonly string[],
  { environment }: TestPlatformOptions,
): Readonly<Record<string, string>> {
  return {
    GANTRY_HOME: join(scratch, 'home'),
    GANTRY_HOST: '127.0.0.1',
    GANTRY_PORT: '0',
    // A folder without a package.json: the plugins are those that are named, and no others.
    GANTRY_PROJECT: scratch,
    GANTRY_PLUGIN_PATH: linkPlugins(scratch, plugins),
    LOG_LEVEL: 'warn',
    ...environment,
  };
}

/** The part of the launcher that is for tests; it is found at run time, as its version is that of the project. */
interface Launcher {
  openTestServers(options: {
    readonly config: { readonly home: string; readonly project: string; readonly pluginPath: readonly string[] };
    readonly environment: Readonly<NodeJS.ProcessEnv>;
    readonly temporal: boolean;
  }): Promise<TestServers>;
}

interface TestServers {
  readonly environment: Readonly<Record<string, string>>;
  readonly hostEntry: string;
  close(): Promise<void>;
}

function loadLauncher(project: string): Launcher {
  return createRequire(commandPackage(project))('@gantry/launcher/testing') as Launcher;
}

function createPlatform(host: HostProcess, address: string, home: string, stop: () => Promise<void>): TestPlatform {
  const localToken = readFileSync(join(home, 'local-token'), 'utf8').trim();
  const setClock = async (time?: number): Promise<number> =>
    (await host.call({ kind: 'clock', ...(time === undefined ? {} : { time }) })) as number;
  let ahead = 0;
  let count = 0;
  return {
    address,
    items: itemsOf(host),
    http: createPlatformClient(address, localToken),
    clock: {
      async set(time) {
        ahead = time.getTime() - Date.now();
        await setClock(time.getTime());
      },
      async advance(milliseconds) {
        ahead += milliseconds;
        await setClock(Date.now() + ahead);
      },
      async reset() {
        ahead = 0;
        await setClock();
      },
    },
    async as({ roles, login }) {
      count += 1;
      const token = (await host.call({ kind: 'actor', login: login ?? `test-${count}`, roles })) as string;
      return { items: itemsOf(host, token), http: createPlatformClient(address, token) };
    },
    stop,
  };
}

const methods = [
  ...['get', 'find', 'list', 'count', 'create', 'createIfAbsent', 'update', 'updateWhere', 'upsert', 'remove'],
  'removeWhere',
] as const;

function itemsOf(host: HostProcess, token?: string): TestItems {
  return {
    of<T extends BaseItem>(itemType: ItemClass<T>) {
      const type = itemType.name.toLowerCase();
      const own = token === undefined ? {} : { token };
      const entries = methods.map((method) => [
        method,
        (...args: readonly unknown[]) => host.call({ kind: 'items', type, method, args, ...own }),
      ]);
      return Object.fromEntries([...entries, ['with', () => this.of(itemType)]]) as ItemCollection<T>;
    },
  };
}

/** @throws Error that names what the platform says against a plugin */
async function assertStarted(
  { http }: TestPlatform,
  plugins: readonly PluginPackage[],
  output: () => string,
): Promise<void> {
  const { data } = await http.request<{
    readonly plugins: readonly {
      readonly id: string;
      readonly state: string;
      readonly problems: readonly { readonly code: string; readonly reason: string; readonly remedy: string }[];
    }[];
  }>('GET', '/api/platform/plugins');
  for (const { id, folder } of plugins) {
    const report = data.plugins.find((found) => found.id === id);
    if (report?.state === 'started') continue;
    const problems = report?.problems.map(({ code, reason, remedy }) => `${code}: ${reason}. ${remedy}`) ?? [];
    const why = [...problems, output()].join('\n');
    throw new Error(`The plugin in ${folder} is ${report?.state ?? 'not found'}. ${why}`);
  }
}

/** The plugins with those that they depend on, which may be packages of theirs or plugins of the project. */
function withDependencies(given: readonly PluginPackage[], project: string): readonly PluginPackage[] {
  const found = new Map(given.map((plugin) => [plugin.id, plugin]));
  const left = [...given];
  for (let plugin = left.pop(); plugin !== undefined; plugin = left.pop()) {
    for (const id of Object.keys(member(member(plugin.json, 'gantry'), 'dependsOn'))) {
      if (found.has(id)) continue;
      const candidates = [...packagesOf(plugin.folder), ...packagesOf(project), ...pluginsIn(project)];
      const dependency = candidates.map(readPluginPackage).find((candidate) => candidate.id === id);
      if (dependency === undefined) {
        throw new Error(
          `${plugin.label} depends on the plugin ${id}, which is not found: install its package, or name its folder in options.plugins`,
        );
      }
      found.set(id, dependency);
      left.push(dependency);
    }
  }
  return [...found.values()];
}

function packagesOf(folder: string): readonly string[] {
  const { json } = readPluginPackage(folder);
  const names = ['dependencies', 'peerDependencies', 'devDependencies'].flatMap((table) =>
    Object.keys(member(json, table)),
  );
  const { resolve: resolveFrom } = createRequire(join(folder, 'package.json'));
  return names.flatMap((name) => {
    try {
      return [resolveFrom(`${name}/package.json`).replace(/[\\/]package\.json$/, '')];
    } catch {
      return [];
    }
  });
}

function pluginsIn(project: string): readonly string[] {
  return ['plugins', 'services'].flatMap((name) => {
    try {
      return readdirSync(join(project, name)).map((entry) => join(project, name, entry));
    } catch {
      return [];
    }
  });
}
