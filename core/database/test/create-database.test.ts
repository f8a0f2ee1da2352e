import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { createDatabase, type HostDatabase } from '../src/create-database';
import { eventually } from '../../../test/support/eventually';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { createSeverableProxy } from '../../../test/support/severable-proxy';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterAll(() => testDatabase.drop());

async function withDatabase(
  work: (database: HostDatabase) => Promise<void>,
  options: Partial<Parameters<typeof createDatabase>[0]> = {},
): Promise<void> {
  const database = createDatabase({ url: testDatabase.url, logger: createRecordedLogger(), ...options });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

describe('createDatabase', () => {
  it('answers a query with rows as arrays, and keeps bigint and numeric as text', () =>
    withDatabase(async (database) => {
      const rows = await database.query({
        sql: 'SELECT $1::int8, 1.10::numeric(9,4), $2::text',
        values: ['9007199254740993', 'a'],
      });
      expect(rows).toEqual([['9007199254740993', '1.1000', 'a']]);
    }));

  it('runs a named statement again and again', () =>
    withDatabase(async (database) => {
      const statement = { sql: 'SELECT $1::int + 1', name: 'add_one' };
      const results = await Promise.all([1, 2, 3].map((value) => database.query({ ...statement, values: [value] })));
      expect(results).toEqual([[[2]], [[3]], [[4]]]);
    }));

  it('sets UTC, ISO dates, the schema public and no just-in-time compilation on every connection', () =>
    withDatabase(async (database) => {
      const [row] = await database.query({
        sql: `SELECT current_setting('TimeZone'), current_setting('DateStyle'), current_setting('search_path'), current_setting('jit'), current_setting('application_name')`,
      });
      expect(row).toEqual(['UTC', 'ISO, MDY', 'public', 'off', 'gantry read']);
    }));

  it('keeps plans that do for any values from reading whole tables, however small these were when it planned', () =>
    withDatabase(async (database) => {
      const sql = `SELECT current_setting('enable_seqscan'), current_setting('seq_page_cost'), current_setting('plan_cache_mode')`;
      expect(await database.query({ sql })).toEqual([['off', '1000', 'force_generic_plan']]);
      const statement = { name: 'settings', sql, values: [], planForValues: true };
      expect(await database.queryPrepared(statement)).toEqual([['on', '1', 'force_custom_plan']]);
    }));

  it('lets options in the address win over its own', () =>
    withDatabase(
      async (database) => {
        expect(await database.query({ sql: `SELECT current_setting('jit')` })).toEqual([['on']]);
      },
      { url: `${testDatabase.url}?options=${encodeURIComponent('-c jit=on')}` },
    ));

  it('keeps the connection after a statement that PostgreSQL refuses', () =>
    withDatabase(
      async (database) => {
        const [before] = await database.query({ sql: 'SELECT pg_backend_pid()' });
        await expect(database.query({ sql: 'SELECT $1::int', values: ['no number'] })).rejects.toMatchObject({
          code: '22P02',
        });
        expect(await database.query({ sql: 'SELECT pg_backend_pid()' })).toEqual([before]);
      },
      { sizes: { read: 1 } },
    ));

  it('answers UNAVAILABLE when no connection gets free in time', () =>
    withDatabase(
      async (database) => {
        const busy = database.query({ sql: 'SELECT pg_sleep(1)' });
        await expect(database.query({ sql: 'SELECT 1' })).rejects.toMatchObject({
          code: 'UNAVAILABLE',
          headers: { 'Retry-After': '5' },
        });
        await busy;
      },
      { sizes: { read: 1 }, connectTimeoutMs: 200 },
    ));

  it('rejects what is in flight with UNAVAILABLE when the server ends the session, and continues with a new connection', () =>
    withDatabase(async (database) => {
      const sleeping = database.query({ sql: 'SELECT pg_sleep(60) /* terminated */' });
      await eventually(async () => {
        const rows = await database.query({
          sql: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60) /* terminated */'`,
        });
        return rows.at(0)?.at(0) === true;
      });
      await expect(sleeping).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await database.ping();
    }));

  it('survives a PostgreSQL that becomes unavailable, and recovers by itself when it is back', async () => {
    const proxy = await createSeverableProxy(testDatabase.url);
    const logger = createRecordedLogger();
    await withDatabase(
      async (database) => {
        await Promise.all([database.ping(), database.ping(), database.plugins.query('SELECT 1')]);
        const stream = database.streamRows({ sql: 'SELECT generate_series(1, 100000)' });
        await stream.next();
        await proxy.sever();
        await expect(stream.next().then(() => stream.next())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
        await expect(database.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
        await expect(database.plugins.query('SELECT 1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
        await expect(database.plugins.transaction((inner) => inner.query('SELECT 1'))).rejects.toMatchObject({
          code: 'UNAVAILABLE',
        });

        await proxy.restore();
        await eventually(() => database.ping().then(() => true));
        expect(await database.plugins.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
        const messages = logger.lines
          .filter((line) => (line.fields as { pool: string }).pool === 'read')
          .map((line) => line.message);
        expect(messages).toEqual(['connection to the database lost', 'connection to the database restored']);
      },
      { url: proxy.url, logger },
    );
    await proxy.close();
  });

  it('closes in time although a stream is left open', async () => {
    const database = createDatabase({ url: testDatabase.url, logger: createRecordedLogger() });
    const stream = database.streamRows({ sql: 'SELECT generate_series(1, 1000000)' });
    await stream.next();
    await database.close();
    expect(database.usage().stream.total).toBe(0);
    await expect(stream.next()).rejects.toThrow(/stopping/);
  });
});
