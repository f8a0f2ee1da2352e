import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { createConnectionGroup } from '../src/connections/connection-group';
import { readConnectionLimit } from '../src/connections/connection-limit';
import { shareConnections, type ConnectionShares } from '../src/connections/connection-shares';
import { createDatabase, type HostDatabase } from '../src/create-database';
import { createSequelize } from '../src/create-sequelize';
import { isUnavailable } from '../src/database-errors';
import { maxWaitMs } from '../../../test/support/eventually';
import { createRecordedLogger } from '../../../test/support/recorded-logger';

let testDatabase: TestDatabase;
let administrator: Client;
/** The same database for a role that may have few connections. */
let url: string;
const role = `gantry_few_${randomBytes(4).toString('hex')}`;

const limit = 6;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  administrator = new Client({ connectionString: testDatabase.url });
  await administrator.connect();
  await administrator.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT ${limit}`);
  await administrator.query(`CREATE TABLE counted (id int); GRANT ALL ON counted TO ${role}`);
  const few = new URL(testDatabase.url);
  few.username = role;
  few.password = 'few';
  url = few.href;
});

afterAll(async () => {
  await administrator.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await administrator.end();
  await testDatabase.drop();
});

interface Host {
  readonly database: HostDatabase;
  read(): Promise<unknown>;
  write(): Promise<unknown>;
  /** Reads a stream to its end. */
  stream(): Promise<unknown>;
  close(): Promise<void>;
}

/** The pools of one host. */
function createHost({ write, ...sizes }: ConnectionShares): Host {
  const group = createConnectionGroup();
  // Each has its turn, however busy the machine is.
  const [connectTimeoutMs, acquireTimeoutMs] = [maxWaitMs, maxWaitMs];
  const database = createDatabase({ url, logger: createRecordedLogger(), sizes, group, connectTimeoutMs });
  const sequelize = createSequelize(url, { size: write, group, acquireTimeoutMs });
  return {
    database,
    read: () => database.query({ sql: 'SELECT 1' }),
    write: () => sequelize.query('INSERT INTO counted VALUES (1)'),
    stream: async () => {
      const rows: unknown[] = [];
      for await (const batch of database.streamRows({ sql: 'SELECT 1' })) rows.push(...batch);
      return rows;
    },
    close: async () => void (await Promise.all([database.close(), sequelize.close()])),
  };
}

async function withHosts(shares: readonly ConnectionShares[], work: (hosts: readonly Host[]) => Promise<void>) {
  const hosts = shares.map(createHost);
  try {
    await work(hosts);
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

const many = <T>(work: () => Promise<T>): readonly Promise<T>[] => Array.from({ length: 40 }, work);

describe('a PostgreSQL with few connections', () => {
  it('says how many the role may have', async () => {
    expect(await readConnectionLimit(url)).toBe(limit);
  });

  it('serves all reads, writes, streams and plugins of one host whose pools may be larger', () =>
    withHosts([shareConnections(52)], async ([host]) => {
      if (host === undefined) return;
      await Promise.all(many(host.write));
      const rest = [
        ...many(host.read),
        ...many(() => host.database.queryPrepared({ name: 'two', sql: 'SELECT 2', values: [], planForValues: true })),
        ...many(() => host.database.plugins.query('SELECT 3')),
        ...many(() => host.stream()),
        ...many(host.write),
      ];
      expect((await Promise.allSettled(rest)).filter(({ status }) => status === 'rejected')).toEqual([]);
    }));

  it('serves reads and writes of two hosts alike', () =>
    withHosts([shareConnections(5), shareConnections(5)], async (hosts) => {
      for (let round = 0; round < 3; round += 1) {
        const work = hosts.flatMap((host) => [...many(host.read), ...many(host.write)]);
        expect((await Promise.allSettled(work)).filter(({ status }) => status === 'rejected')).toEqual([]);
      }
    }));

  it('refuses reads as unavailable after a while when others have all connections, and serves them again', async () => {
    const others = Array.from({ length: limit }, () => new Client({ connectionString: url }));
    await Promise.all(others.map((other) => other.connect()));
    const database = createDatabase({ url, logger: createRecordedLogger(), connectTimeoutMs: 500 });
    const refused = await database.query({ sql: 'SELECT 1' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'UNAVAILABLE', headers: { 'Retry-After': '5' } });
    expect((refused as Error).message).toContain('free connection');

    await Promise.all(others.map((other) => other.end()));
    expect(await database.query({ sql: 'SELECT 1' })).toEqual([[1]]);
    await database.close();
  });

  it('refuses at once what would wait in a queue without end', async () => {
    const database = createDatabase({ url, logger: createRecordedLogger(), sizes: { read: 1 } });
    const sequelize = createSequelize(url, { size: 1 });
    await sequelize.query('SELECT 1');
    const sleep = 'SELECT pg_sleep(0.2)';
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 150 }, (_, index) => database.query({ sql: index === 0 ? sleep : 'SELECT 1' })),
      ...Array.from({ length: 150 }, (_, index) => sequelize.query(index === 0 ? sleep : 'SELECT 1')),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused.every((error) => isUnavailable(error) && String(error).includes('Too many requests wait'))).toBe(
      true,
    );
    expect([refused.length > 80, refused.length < 110]).toEqual([true, true]);
    await Promise.all([database.close(), sequelize.close()]);
  });
});

describe('the shares of the connections of a host', () => {
  it.each([
    [5, { read: 1, filter: 1, stream: 1, plugins: 1, write: 1 }],
    [10, { read: 2, filter: 2, stream: 2, plugins: 2, write: 2 }],
    [52, { read: 10, filter: 10, stream: 12, plugins: 10, write: 10 }],
  ])('of %i are in proportion', (total, shares) => expect(shareConnections(total)).toEqual(shares));

  it('sum to the total, with at least one for each purpose', () => {
    for (let total = 5; total <= 52; total += 1) {
      const shares = Object.values(shareConnections(total));
      expect([shares.reduce((sum, share) => sum + share, 0), Math.min(...shares) >= 1]).toEqual([total, true]);
    }
  });
});
