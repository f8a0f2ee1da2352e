import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { acquireHomeLock } from '../src/home/home-lock';
import { openDatabase } from '../src/servers/open-database';
import type { OpenDatabaseOptions } from '../src/servers/open-database';
import { postmasterPid } from '../../../test/support/postmaster-pid';
import { removeHomes } from './support/homes';
import { askHost, endOuters, startOuter } from './support/outer';
import { usePreparedHomes } from './support/prepared-home';

const preparedHome = usePreparedHomes();

afterEach(endOuters);

afterAll(removeHomes);

describe('openDatabase', () => {
  it('starts the embedded PostgreSQL when no platform runs, and stops it again', async () => {
    const home = preparedHome();
    const database = await openDatabase(options(home));
    const answer = await ask(database.url);
    await database.close();

    expect(answer).toBe(1);
    expect(existsSync(join(home, 'postgres/data/postmaster.pid'))).toBe(false);
    expect(existsSync(join(home, 'lock'))).toBe(false);
  });

  it('uses the database of the platform that runs, and leaves it running', async () => {
    const home = preparedHome();
    const outer = startOuter({ home });
    const host = await askHost(await outer.ready);
    const database = await openDatabase(options(home));
    await database.close();

    expect(database.url).toBe(host.DATABASE_URL);
    expect(await ask(host.DATABASE_URL)).toBe(1);
    expect(postmasterPid(home)).toBeGreaterThan(0);
  });

  it('uses the database of DATABASE_URL', async () => {
    const url = process.env['GANTRY_TEST_DATABASE_URL'] ?? '';
    const home = preparedHome();

    expect((await openDatabase({ ...options(home), environment: { DATABASE_URL: url } })).url).toBe(url);
  });

  it('waits for another command, and names it when that takes too long', async () => {
    const home = preparedHome();
    acquireHomeLock(home, 'gantry items import');

    await expect(openDatabase({ ...options(home), waitMs: 200 })).rejects.toThrow(
      `"gantry items import" (process ${process.pid}) is using ${home}`,
    );
  });

  it('waits no longer for another command than the one who asked wants to', async () => {
    const home = preparedHome();
    acquireHomeLock(home, 'gantry items import');
    const timeout = new AbortController();
    const opened = openDatabase({ ...options(home), signal: timeout.signal });
    timeout.abort(new Error('enough'));

    await expect(opened).rejects.toThrow(/enough|aborted/);
  });
});

function options(home: string): OpenDatabaseOptions {
  return { home, purpose: 'gantry test', environment: {} };
}

async function ask(url: string): Promise<number | undefined> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ readonly one: number }>('SELECT 1 AS one');
  await client.end();
  return rows[0]?.one;
}
