import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  GantryError,
  type Database,
  type PluginContext,
  type PluginDefinition,
  type RouteHandler,
  type RouteRequest,
  type RouteResponse,
  type Temporal,
} from '@gantry/plugin-api';
import consignment from '@gantry/service-consignment';
import email from '@gantry/service-email';
import ops from '@gantry/service-ops';
import order from '@gantry/service-order';
import payment from '@gantry/service-payment';
import { Pool } from 'pg';
import { createTestDatabase } from '../../support/database';

const definitions = { order, email, payment, consignment, ops };
type Service = keyof typeof definitions;

/** The order services on a database with their tables, each as far as a test asks for it. */
export interface OpenServices {
  readonly database: Database;
  /** What the functions of a service are given. */
  context(service: Service): PluginContext;
  /** The activities of a service, as its worker has them. */
  activities<A>(service: Service): A;
  /** Calls a route as the host does after reading the request, for example `POST /payment`. */
  call(route: string, request?: Partial<RouteRequest>): Promise<RouteResponse>;
  close(): Promise<void>;
}

export interface OpenServicesOptions {
  /** Configuration of the services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A Temporal that is away unless given. */
  readonly temporal?: Temporal;
}

export async function openServices(options: OpenServicesOptions = {}): Promise<OpenServices> {
  const { environment = {}, temporal = awayTemporal } = options;
  const testDatabase = await createTestDatabase();
  await createTables(testDatabase.url);
  const pool = new Pool({ connectionString: testDatabase.url });
  // The end of the pool does not wait for its sockets: dropping the database may still end one.
  pool.on('error', nothing);
  const database = createDatabase(pool);
  const stopped = new AbortController();
  const context = (service: Service): PluginContext => ({
    plugin: { id: service, version: '0.1.0' },
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    config: definitions[service].config?.(environment) ?? {},
    dataFolder: '/nowhere',
    database,
    temporal,
    platform: { pluginUis: () => Promise.resolve([]), itemTypes: () => [], itemMetadata: () => undefined },
    now: () => new Date(),
    signal: stopped.signal,
  });
  const routes = routesOf(context);
  return {
    database,
    context,
    activities: <A>(service: Service) => definitions[service].service?.activities?.(context(service)) as A,
    async call(route, request = {}) {
      const handler = routes.get(route);
      if (handler === undefined) throw new Error(`There is no route ${route}.`);
      return handler({ params: {}, query: {}, body: undefined, requestId: 'test', signal: stopped.signal, ...request });
    },
    async close() {
      stopped.abort();
      await pool.end();
      await testDatabase.drop();
    },
  };
}

const nothing = (): void => undefined;

const awayTemporal: Temporal = {
  namespace: 'default',
  client: () => Promise.reject(new GantryError('UNAVAILABLE', 'Temporal is away in this test.')),
};

function routesOf(context: (service: Service) => PluginContext): ReadonlyMap<string, RouteHandler> {
  const routes = new Map<string, RouteHandler>();
  for (const [service, definition] of Object.entries(definitions) as [Service, PluginDefinition][]) {
    definition.register?.({
      ...context(service),
      router: {
        route: (method, path, handler) => {
          routes.set(`${method} ${path}`, handler);
        },
        mount: nothing,
      },
    });
  }
  return routes;
}

function createDatabase(pool: Pool): Database {
  return {
    query: async (sql, values = []) => (await pool.query(sql, [...values])).rows,
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const query: Database['query'] = async (sql, values = []) => (await client.query(sql, [...values])).rows;
        const result = await work({ query, transaction: () => Promise.reject(new Error('not nested here')) });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

async function createTables(databaseUrl: string): Promise<void> {
  const project = join(__dirname, '..', '..', '..');
  const home = await mkdtemp(join(tmpdir(), 'gantry-services-'));
  try {
    await promisify(execFile)(process.execPath, [join(__dirname, 'create-tables.mjs')], {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        GANTRY_HOME: home,
        GANTRY_PROJECT: project,
        GANTRY_PLUGIN_PATH: join(project, 'services'),
      },
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
