import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isRunning } from '../../../test/support/is-running';
import { eventually } from '../../../test/support/eventually';
import { postmasterPid } from '../../../test/support/postmaster-pid';
import { makeHome, removeHomes } from './support/homes';
import { askHost, endOuters, startOuter, type Outer } from './support/outer';
import { usePreparedHomes } from './support/prepared-home';

const preparedHome = usePreparedHomes();

afterEach(endOuters);

afterAll(removeHomes);

/** Where no embedded server is needed. */
const database = { DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '' };

/** Lets requests finish, stops all that it started and ends with 0. */
async function endsInOrder(home: string, outer: Outer, signal: NodeJS.Signals): Promise<void> {
  const address = await outer.ready;
  const host = await askHost(address);
  const postgres = postmasterPid(home);
  const slow = fetch(`${address}/slow`);
  await fetch(address);

  outer.kill(signal);

  expect((await slow).status).toBe(200);
  expect(await outer.exit).toEqual({ code: 0, signal: null });
  expect([host.pid, postgres].filter(isRunning)).toEqual([]);
  expect(['run.json', 'lock', 'postgres/data/postmaster.pid'].filter((name) => existsSync(join(home, name)))).toEqual(
    [],
  );
}

describe('gantry up', () => {
  it('brings up PostgreSQL and the host on a fresh home, says where everything is, and ends in order with SIGHUP', async () => {
    const home = makeHome();
    const outer = startOuter({ home });
    const address = await outer.ready;

    const host = await askHost(address);
    expect(host.GANTRY_HOME).toBe(home);
    expect(host.DATABASE_URL).toMatch(/^postgres:\/\/gantry:.+@127\.0\.0\.1:\d+\/gantry$/);
    expect(await (await fetch(`${address}/query`)).text()).toBe('42');
    expect(outer.output()).toMatch(/API docs +http:\/\/127\.0\.0\.1:\d+\/api\/docs/);
    expect(outer.output()).toMatch(/Plugins +alpha 1\.0\.0 +started/);
    expect(outer.output()).toMatch(/Types +2: article, product/);
    expect(outer.output()).toMatch(/Database +embedded PostgreSQL 18 on port \d+/);

    await endsInOrder(home, outer, 'SIGHUP');
  });

  it('is ready in under five seconds at the second start, is refused a second time with process and address, and ends in order with Ctrl-C', async () => {
    const home = preparedHome();
    const first = startOuter({ home });
    const address = await first.ready;
    expect(Number(/ready after ([\d.]+) s/.exec(first.output())?.[1])).toBeLessThan(5);

    const second = startOuter({ home });
    expect((await second.exit).code).toBe(1);
    expect(second.errors()).toContain(`${home} (process ${first.pid}, ${address}).`);
    expect(second.errors()).toContain(`kill ${first.pid}`);

    await endsInOrder(home, first, 'SIGINT');
  });

  it('keeps secrets readable by the owner only, and ends in order with SIGTERM', async () => {
    const home = preparedHome();
    const outer = startOuter({ home });
    await outer.ready;

    const modes = ['run.json', 'lock', 'postgres/password', 'logs/host.log'].map(
      (name) => statSync(join(home, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
    const folders = ['.', 'postgres', 'postgres/data', 'logs'].map((name) => statSync(join(home, name)).mode & 0o777);
    // PostgreSQL that root starts runs as another user, who passes through.
    const passable = process.getuid?.() === 0 ? 0o711 : 0o700;
    expect(folders).toEqual([passable, passable, 0o700, 0o700]);
    const run = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as { databaseUrl: string; address: string };
    expect(run).toMatchObject({
      address: await outer.ready,
      launcher: { pid: outer.pid },
      servers: { postgres: postmasterPid(home) },
    });
    expect(outer.output()).not.toContain(new URL(run.databaseUrl).password);

    await endsInOrder(home, outer, 'SIGTERM');
  });

  it('ends a host that does not drain, first by SIGTERM, then by SIGKILL', async () => {
    const home = preparedHome();
    const outer = startOuter({ home, env: { FIXTURE_STUBBORN: 'yes', FIXTURE_DRAIN_MS: '100' } });
    const host = await askHost(await outer.ready);

    outer.kill('SIGTERM');

    expect((await outer.exit).code).toBe(0);
    expect(isRunning(host.pid)).toBe(false);
    expect(outer.output()).toContain('the host does not end after SIGTERM and is killed');
  });

  it('ends at once after a second Ctrl-C', async () => {
    const home = preparedHome();
    const outer = startOuter({ home, env: { FIXTURE_STUBBORN: 'yes' } });
    const host = await askHost(await outer.ready);
    const postgres = postmasterPid(home);

    outer.kill('SIGINT');
    await outer.printed(/^Stopping/m);
    const since = performance.now();
    await eventually(() => performance.now() - since > 1_000, 'another signal is no echo of the first one');
    outer.kill('SIGINT');

    expect(await outer.exit).toEqual({ code: 130, signal: null });
    expect([host.pid, postgres].filter(isRunning)).toEqual([]);
  });

  it('stops what it has started when Ctrl-C comes during the start', async () => {
    const home = preparedHome();
    const outer = startOuter({ home });
    await eventually(() => postmasterPid(home) > 1, 'PostgreSQL is starting');
    const postgres = postmasterPid(home);

    outer.kill('SIGINT');

    expect((await outer.exit).code).toBe(0);
    expect(isRunning(postgres)).toBe(false);
  });

  it('makes no database to its end when Ctrl-C comes while it is made', async () => {
    const home = makeHome();
    const outer = startOuter({ home });
    const files = (): readonly string[] => readdirSync(join(home, 'postgres'));
    await eventually(() => files().some((name) => name.startsWith('initialising-')), 'it is being made');

    outer.kill('SIGINT');

    expect(await outer.exit).toEqual({ code: 0, signal: null });
    expect(files()).toEqual(['password']);
  });
});

describe('a start that cannot succeed', () => {
  it('names the port that another program uses, and the remedy', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const outer = startOuter({ home: makeHome(), env: { ...database, GANTRY_PORT: String(port) } });

    const { code } = await outer.exit;
    other.close();

    expect(code).toBe(1);
    expect(outer.errors()).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(outer.errors()).toContain('GANTRY_PORT=');
    expect(outer.errors()).not.toMatch(/^ +at /m);
  });

  it.each([
    [
      'whose password is wrong',
      (url: URL) => void (url.password = 'secret'),
      /\(DATABASE_URL\) .*: password authentication failed/,
    ],
    [
      'that does not exist',
      (url: URL) => void (url.pathname = '/no_such_database'),
      /\/no_such_database \(DATABASE_URL\) .*: /,
    ],
    ['of another product', (url: URL) => void (url.href = 'mysql://localhost/shop'), /DATABASE_URL .* postgres/],
  ])('says in one sentence that a database %s cannot be used', async (_which, change, sentence) => {
    const url = new URL(process.env['GANTRY_TEST_DATABASE_URL'] ?? '');
    change(url);
    const outer = startOuter({ home: makeHome(), env: { DATABASE_URL: url.href } });

    expect((await outer.exit).code).toBe(1);
    expect(outer.errors()).toMatch(sentence);
    expect(outer.errors()).not.toContain('secret');
    expect(outer.errors().trim().split('\n')).toHaveLength(2);
  });

  it('names a setting that is wrong', async () => {
    const outer = startOuter({ home: makeHome(), env: { GANTRY_HOST: '0.0.0.0' } });

    expect((await outer.exit).code).toBe(1);
    expect(outer.errors()).toMatch(/GANTRY_HOST .* 127\.0\.0\.1, localhost, ::1: .*GANTRY_PUBLIC_URL/);
  });

  it('shows what the host gave as the reason, and stops PostgreSQL again', async () => {
    const home = preparedHome();
    const fatal = JSON.stringify({
      code: 'PLUGIN_REQUIRED',
      message: 'The plugin "catalog" is required.',
      remedy: 'Put it back.',
    });
    const outer = startOuter({ home, env: { FIXTURE_FATAL: fatal } });

    expect((await outer.exit).code).toBe(1);
    expect(outer.errors()).toContain('gantry: The plugin "catalog" is required.\n  Put it back.');
    expect(existsSync(join(home, 'postgres/data/postmaster.pid'))).toBe(false);
  });
});

describe('a DATABASE_URL of one’s own', () => {
  it('is used instead of an embedded server', async () => {
    const url = process.env['GANTRY_TEST_DATABASE_URL'] ?? '';
    const home = makeHome();
    const outer = startOuter({ home, env: { DATABASE_URL: url } });

    const host = await askHost(await outer.ready);

    expect(host.DATABASE_URL).toBe(url);
    expect(existsSync(join(home, 'postgres'))).toBe(false);
    expect(outer.output()).toMatch(/Database +PostgreSQL 18\.\d+ at 127\.0\.0\.1:\d+\/gantry \(DATABASE_URL\)/);
  });

  it('is waited for when it cannot be reached yet, and the terminal says so', async () => {
    const url = 'postgres://gantry:secret@127.0.0.1:1/shop';
    const outer = startOuter({ home: makeHome(), env: { DATABASE_URL: url } });

    await outer.printed(/127\.0\.0\.1:1\/shop \(DATABASE_URL\) .*: nothing listens there\./);
    expect((await askHost(await outer.ready)).DATABASE_URL).toBe(url);
    expect(outer.output()).not.toContain('secret');
  });
});
