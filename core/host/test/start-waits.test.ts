import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GantryError } from '@gantry/plugin-api';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { eventually } from '../../../test/support/eventually';
import { freePort } from '../../../test/support/free-port';
import { parseConfig } from '../src/config';
import { createHost } from '../src/create-host';
import type { Host, HostOptions } from '../src/host-options';
import { untilAvailable } from '@gantry/core-database';
import { startPoolerOfTransactions } from '../../../test/support/pooler';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { createSeverableProxy, type SeverableProxy } from '../../../test/support/severable-proxy';

// Jest refuses hooks for imports, which need a thread on Node.js 20; the plugin here is CommonJS.
jest.mock('node:module', () => Object.assign(jest.requireActual<object>('node:module'), { register: () => undefined }));

let home: string;
let database: TestDatabase;
let proxy: SeverableProxy;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'gantry-start-waits-'));
  database = await createTestDatabase();
  proxy = await createSeverableProxy(database.url);
});

afterAll(async () => {
  await proxy.close();
  await database.drop();
  rmSync(home, { recursive: true });
});

function start(databaseUrl: string, port: number, more: Partial<HostOptions> = {}): Promise<Host> {
  const environment = {
    DATABASE_URL: databaseUrl,
    GANTRY_HOME: home,
    GANTRY_PROJECT: home,
    GANTRY_PORT: String(port),
    GANTRY_PLUGIN_PATH: join(home, 'none'),
    ...more.environment,
  };
  return createHost({ ...more, config: parseConfig(environment), environment, logger: createRecordedLogger() });
}

describe('the start of a host', () => {
  it('waits for a database that is not there yet, and /readyz names it', async () => {
    await proxy.sever();
    const port = await freePort();
    const starting = start(proxy.url, port);
    const readiness = (): Promise<unknown> => fetch(`http://127.0.0.1:${port}/readyz`).then((answer) => answer.json());

    await eventually(async () => JSON.stringify(await readiness()).includes('database'));
    expect(await readiness()).toEqual({
      data: {
        status: 'starting',
        parts: [{ name: 'database', status: 'down', message: expect.stringMatching(/: .*Start PostgreSQL/) }],
      },
    });

    await proxy.restore();
    const host = await starting;
    expect((await fetch(`${host.address}/readyz`)).status).toBe(200);
    await host.stop();
  });

  it.each([
    ['DATABASE_LOGIN_REFUSED', (url: URL) => void (url.password = 'wrong'), 'password'],
    ['DATABASE_MISSING', (url: URL) => void (url.pathname = '/no_such_database'), 'createdb'],
  ])('ends at once with %s, as that does not pass', async (code, change, remedy) => {
    const url = new URL(database.url);
    change(url);

    await expect(start(url.href, 0)).rejects.toMatchObject({ code, remedy: expect.stringContaining(remedy) });
  });
});

it('the start of a host refuses a pooler of transactions', async () => {
  const pooler = await startPoolerOfTransactions(database.url);

  await expect(start(pooler.url, 0)).rejects.toMatchObject({ code: 'DATABASE_POOLED' });
  await pooler.close();
});

it('the start of a host after one that served has ended does not wait for a Temporal that is about to answer', async () => {
  mkdirSync(join(home, 'plugins'));
  symlinkSync(join(__dirname, '../../../services/email'), join(home, 'plugins/email'));
  const state = join(home, 'state.json');
  writeFileSync(state, JSON.stringify({ state: 'starting', message: 'It starts.', remedy: '' }));
  const environment = {
    GANTRY_PLUGIN_PATH: join(home, 'plugins'),
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    GANTRY_TEMPORAL_STATE: state,
  };

  // A start that waits for this Temporal does not end within the test, however long the test may take.
  const host = await start(database.url, 0, { environment, isRestart: true, workerTimeoutMs: 24 * 60 * 60_000 });

  const readiness = await fetch(`${host.address}/readyz`).then((answer) => answer.json());
  expect(readiness).toMatchObject({ data: { status: 'degraded' } });
  expect(host.report.plugins).toMatchObject([{ id: 'email', state: 'started' }]);
  await host.stop();
});

describe('untilAvailable', () => {
  const waiting = (reasons: (string | undefined)[]) => ({
    databaseUrl: database.url,
    logger: createRecordedLogger(),
    onWait: (reason: string | undefined) => void reasons.push(reason),
  });

  it('runs the work again when the database was too slow, and says so', async () => {
    const reasons: (string | undefined)[] = [];
    let runs = 0;
    const outcome = untilAvailable(async () => {
      runs += 1;
      if (runs < 3) throw new GantryError('UNAVAILABLE', 'The database took too long to answer.');
      return 'linked';
    }, waiting(reasons));

    expect(await outcome).toBe('linked');
    const slow = expect.stringMatching(/in time\. .*retried/);
    expect(reasons).toEqual([slow, slow, undefined]);
  });

  it('passes on an error that is not about the database', async () => {
    await expect(untilAvailable(() => Promise.reject(new TypeError('a defect')), waiting([]))).rejects.toThrow(
      'a defect',
    );
  });
});
