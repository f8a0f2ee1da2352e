import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import {
  checkConnection,
  describeConnectionError,
  serverProblem,
  type ConnectionProblem,
} from '../src/connections/check-connection';
import { hasPgBouncer, startPgBouncer, startPoolerOfTransactions } from '../../../test/support/pooler';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

function urlWith(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

async function problemOf(url: string): Promise<ConnectionProblem> {
  const check = await checkConnection(url);
  if (check.status === 'usable') throw new Error('The database was expected to be unusable.');
  return check.problem;
}

describe('checkConnection', () => {
  it('gives the version of a server that can be used', async () => {
    expect(await checkConnection(database.url)).toEqual({
      status: 'usable',
      serverVersion: expect.stringMatching(/^\d+\.\d+$/),
    });
  });

  it('reports that nothing listens there', async () => {
    const problem = await problemOf(urlWith((url) => void (url.port = '1')));
    expect(problem).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      remedy: expect.stringContaining('Start PostgreSQL'),
    });
    expect(problem.message).toMatch(/ 127\.0\.0\.1:1\/gantry_test_\w+ .*: connect ECONNREFUSED 127\.0\.0\.1:1\.$/);
  });

  it('reports that there is no such host', async () => {
    expect(await problemOf('postgres://user@no-such-host.invalid/db')).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringContaining('no-such-host.invalid:5432/db'),
    });
  });

  it('gives up on a server that takes the connection and never answers', async () => {
    // Read, although nothing is made of it: the end of a connection that nobody reads is never seen.
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as AddressInfo;
    expect(await problemOf(`postgres://user@127.0.0.1:${port}/db`)).toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    await promisify(silent.close.bind(silent))();
  });

  it('reports that the database is missing', async () => {
    expect(await problemOf(urlWith((url) => void (url.pathname = '/gantry_not_there')))).toMatchObject({
      code: 'DATABASE_MISSING',
      remedy: expect.stringContaining('createdb'),
    });
  });

  it('reports that user or password are refused, without telling the password', async () => {
    const problem = await problemOf(
      urlWith((url) => {
        url.username = 'gantry_nobody';
        url.password = 'hunter2';
      }),
    );
    expect(problem.code).toBe('DATABASE_LOGIN_REFUSED');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it('reports that the database does not store UTF8', async () => {
    await client.query(
      `CREATE DATABASE gantry_test_latin_${process.pid} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`,
    );
    expect(await problemOf(urlWith((url) => void (url.pathname = `/gantry_test_latin_${process.pid}`)))).toMatchObject({
      code: 'DATABASE_NOT_UTF8',
    });
    await client.query(`DROP DATABASE gantry_test_latin_${process.pid} WITH (FORCE)`);
  });

  it('reports that the database takes no changes', async () => {
    expect(
      await problemOf(`${database.url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`),
    ).toMatchObject({
      code: 'DATABASE_READ_ONLY',
    });
  });

  it('reports a pooler of transactions', async () => {
    const pooler = await startPoolerOfTransactions(database.url);

    expect(await problemOf(pooler.url)).toMatchObject({
      code: 'DATABASE_POOLED',
      remedy: expect.stringContaining('pool_mode = session'),
    });
    await pooler.close();
  });

  // The one of the test above is always there; this is the one of most who have one.
  if (hasPgBouncer()) {
    it.each([
      ['transaction', { status: 'unusable', problem: { code: 'DATABASE_POOLED' } }],
      ['session', { status: 'usable' }],
    ] as const)('judges PgBouncer with pool_mode = %s', async (mode, expected) => {
      const pooler = await startPgBouncer(database.url, mode);

      // Sessions that others have left make the choice of the pooler another one.
      await Promise.all([checkConnection(pooler.url), checkConnection(pooler.url)]);
      expect(await checkConnection(pooler.url)).toMatchObject(expected);
      await pooler.close();
    });
  }

  it('never rejects, whatever the address', async () => {
    for (const url of ['postgres://', 'postgres://%zz@x/y', 'nonsense']) {
      expect(await checkConnection(url)).toMatchObject({
        status: 'unusable',
        problem: { message: expect.any(String) },
      });
    }
  });
});

describe('serverProblem', () => {
  const server = { versionNumber: 140_000, version: '14.0', encoding: 'UTF8', isReadOnly: false };

  it('takes PostgreSQL 14 and refuses what is older', () => {
    expect(serverProblem('here', server)).toBeUndefined();
    expect(serverProblem('here', { ...server, versionNumber: 130_022, version: '13.22' })).toMatchObject({
      code: 'DATABASE_TOO_OLD',
      message: expect.stringMatching(/ here .* 13\.22; 14 /),
    });
  });
});

describe('describeConnectionError', () => {
  it.each([
    ['57P03', 'DATABASE_STARTING'],
    ['53300', 'DATABASE_FULL'],
    ['08P01', 'DATABASE_POOLED'],
    ['28000', 'DATABASE_LOGIN_REFUSED'],
    ['XX000', 'DATABASE_FAILED'],
  ])('makes %s the problem %s', (code, expected) => {
    const error = Object.assign(new Error('unsupported startup parameter: options'), { code });
    expect(describeConnectionError('postgres://user:secret@host/db', error).code).toBe(expected);
  });

  it('takes the first reason of an AggregateError, as a host with two addresses gives', () => {
    const errors = ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'].map(
      (text) => new Error(text),
    );
    const error = { name: 'AggregateError', message: '', errors };
    expect(describeConnectionError('postgres://localhost/db', error).message).toMatch(
      / localhost:5432\/db .*: connect ECONNREFUSED ::1:5432\.$/,
    );
  });
});
