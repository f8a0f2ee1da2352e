import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { isRunning } from '../../../test/support/is-running';
import { removeDrafts } from '../src/postgres/cluster';
import { startPostgres } from '../src/postgres/start-postgres';
import { eventually } from '../../../test/support/eventually';
import { postmasterPid } from '../../../test/support/postmaster-pid';
import { makeHome, removeHomes } from './support/homes';
import { askHost, endOuters, startOuter } from './support/outer';
import type { Outer } from './support/outer';
import { usePreparedHomes } from './support/prepared-home';

const preparedHome = usePreparedHomes();

afterEach(endOuters);

afterAll(removeHomes);

describe('after kill -9 of the launcher', () => {
  it('the next start takes over the running PostgreSQL, nothing committed is lost, and a host that keeps running is ended before', async () => {
    const home = preparedHome();
    const first = startOuter({ home, env: { FIXTURE_STUBBORN: 'yes' } });
    const host = await askHost(await first.ready);
    const postgres = postmasterPid(home);
    await run(host.DATABASE_URL, 'CREATE TABLE kept AS SELECT 7 AS value');
    await kill9(first);
    expect([postgres, host.pid].filter(isRunning)).toEqual([postgres, host.pid]);

    const second = startOuter({ home });
    const after = await askHost(await second.ready);

    expect(isRunning(host.pid)).toBe(false);
    expect(postmasterPid(home)).toBe(postgres);
    expect(after.DATABASE_URL).toBe(host.DATABASE_URL);
    expect(await run(after.DATABASE_URL, 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
    await stop(second);
    expect(isRunning(postgres)).toBe(false);
  });

  it('and of PostgreSQL the next start recovers the database; a process that got the number of the old one is neither taken for it nor harmed', async () => {
    const home = preparedHome();
    const first = startOuter({ home });
    const host = await askHost(await first.ready);
    await run(host.DATABASE_URL, 'CREATE TABLE kept AS SELECT 8 AS value');
    await kill9(first);
    process.kill(postmasterPid(home), 'SIGKILL');
    const stranger = { pid: process.pid, startedAt: 'another time' };
    const runFile = join(home, 'run.json');
    const content = JSON.parse(readFileSync(runFile, 'utf8')) as Record<string, unknown>;
    writeFileSync(runFile, JSON.stringify({ ...content, launcher: stranger, host: stranger }));
    writeFileSync(join(home, 'lock'), JSON.stringify({ ...stranger, purpose: 'gantry up' }));

    const second = startOuter({ home });
    const after = await askHost(await second.ready);

    expect(await run(after.DATABASE_URL, 'SELECT value FROM kept')).toEqual([{ value: 8 }]);
  });

  it('while the database was being made, the next start makes it again', async () => {
    const home = makeHome();
    const first = startOuter({ home });
    await eventually(
      () => readdirSync(join(home, 'postgres')).some((name) => name.startsWith('initialising-')),
      'the database is being made',
    );
    await kill9(first);
    expect(existsSync(join(home, 'postgres/data'))).toBe(false);

    const second = startOuter({ home });
    await second.ready;

    expect(readdirSync(join(home, 'postgres')).toSorted()).toEqual(['data', 'password', 'port']);
  });

  it('what was begun goes although the program that made it still writes into it', async () => {
    const home = makeHome();
    const draft = join(home, 'postgres/initialising-orphan');
    mkdirSync(join(draft, 'data'), { recursive: true });
    const writing = `const end = Date.now() + 700;
      for (let name = 0; Date.now() < end; name += 1) require('node:fs').writeFileSync(process.argv[1] + name, '');`;
    const orphan = spawn(process.execPath, ['-e', writing, join(draft, 'data/')], { stdio: 'ignore' });
    const ended = once(orphan, 'exit');
    await eventually(() => readdirSync(join(draft, 'data')).length > 0, 'it writes');

    await removeDrafts(join(home, 'postgres'));

    expect(readdirSync(join(home, 'postgres'))).toEqual([]);
    await ended;
  });
});

describe('PostgreSQL killed while the platform runs', () => {
  it('is started again on the same port, although one of its processes is still busy with a query, and the host recovers by itself', async () => {
    const home = preparedHome();
    const outer = startOuter({ home });
    const address = await outer.ready;
    const host = await askHost(address);
    const postgres = postmasterPid(home);
    const busy = new Client(host.DATABASE_URL);
    busy.on('error', () => {});
    await busy.connect();
    busy.query('DO $$ DECLARE n bigint := 0; BEGIN LOOP n := n + 1; END LOOP; END $$').catch(() => {});
    await eventually(async () => {
      const rows = await run(
        host.DATABASE_URL,
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'",
      );
      return (rows[0] as { readonly n: number }).n === 1;
    }, 'the query runs');

    process.kill(postgres, 'SIGKILL');
    await outer.printed(/PostgreSQL is running again/);

    await eventually(async () => (await (await fetch(`${address}/query`)).text()) === '42', 'the host reaches it');
    const after = await askHost(address);
    expect([after.pid, after.DATABASE_URL]).toEqual([host.pid, host.DATABASE_URL]);
    expect(postmasterPid(home)).not.toBe(postgres);
    await eventually(
      () => serversOf(home)['postgres'] === postmasterPid(home),
      'the runtime file names the new process',
    );
    await stop(outer);
  });
});

describe('a data folder that cannot be used', () => {
  it.each([
    ['PG_VERSION is gone', (data: string) => rmSync(join(data, 'PG_VERSION')), /damaged: .*no database/],
    [
      'another version wrote it',
      (data: string) => writeFileSync(join(data, 'PG_VERSION'), '15\n'),
      / PostgreSQL 15, .* PostgreSQL 18/,
    ],
    [
      'its control file is gone',
      (data: string) => rmSync(join(data, 'global/pg_control')),
      /cannot start .*: could not find the database system|cannot start .*pg_control/,
    ],
    [
      'its control file is cut off',
      (data: string) => truncateSync(join(data, 'global/pg_control'), 100),
      /cannot start .*pg_control/,
    ],
    [
      'its settings are wrong',
      (data: string) => writeFileSync(join(data, 'postgresql.conf'), 'shared_buffers = many\n', { flag: 'a' }),
      /cannot start .*: /,
    ],
    ['its password is gone', (data: string) => rmSync(join(dirname(data), 'password')), /password .*missing/],
  ])('because %s is refused with one sentence and the remedy', async (_, damage, sentence) => {
    const home = preparedHome();
    damage(join(home, 'postgres/data'));

    await expect(startPostgres({ home })).rejects.toMatchObject({
      message: expect.stringMatching(sentence) as string,
      remedy: expect.stringMatching(
        /move .* away to start with an empty database|gantry restore <folder> --replace/,
      ) as string,
    });
  });

  it('because its journal is gone ends the start with that sentence and the remedy', async () => {
    const home = preparedHome();
    emptyFolder(join(home, 'postgres/data/pg_wal'));
    const outer = startOuter({ home });

    expect((await outer.exit).code).toBe(1);
    expect(outer.errors()).toMatch(/^gantry: PostgreSQL .*: .*\n {2}.*move .* away/);
    expect(outer.errors().trim().split('\n')).toHaveLength(2);
  });

  it('because a file is in the way ends the start with one sentence', async () => {
    const home = makeHome();
    writeFileSync(home, 'not a folder');
    const outer = startOuter({ home });

    expect((await outer.exit).code).toBe(1);
    expect(outer.errors()).toMatch(/ cannot be written \(EEXIST\)/);
  });

  it('after it was moved is used in its new place, on another port where its own is taken', async () => {
    const home = preparedHome();
    const first = startOuter({ home });
    const before = await askHost(await first.ready);
    await run(before.DATABASE_URL, 'CREATE TABLE kept AS SELECT 9 AS value');
    await stop(first);
    const moved = join(dirname(makeHome()), 'home');
    mkdirSync(dirname(moved), { recursive: true });
    renameSync(home, moved);
    const taken = createServer().listen(Number(new URL(before.DATABASE_URL).port), '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));

    const second = startOuter({ home: moved });
    const after = await askHost(await second.ready);
    taken.close();

    expect(new URL(after.DATABASE_URL).port).not.toBe(new URL(before.DATABASE_URL).port);
    expect(await run(after.DATABASE_URL, 'SELECT value FROM kept')).toEqual([{ value: 9 }]);
    expect(await (await fetch(`${await second.ready}/query`)).text()).toBe('42');
  });
});

async function kill9(outer: Outer): Promise<void> {
  outer.kill('SIGKILL');
  await outer.exit;
}

async function stop(outer: Outer): Promise<void> {
  outer.kill('SIGINT');
  expect((await outer.exit).code).toBe(0);
}

function serversOf(home: string): Readonly<Record<string, number>> {
  return (JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as { servers: Record<string, number> }).servers;
}

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

async function run(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
