import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { StartupReport } from '@gantry/contracts';
import { Client } from 'pg';
import { eventually } from '../support/eventually';
import { packPlugin, type PackedPlugin } from '../support/pack-plugin';
import { startChangingPlatform, type ChangingPlatform } from './changing-platform';

let platform: ChangingPlatform;
let client: Client;
beforeAll(async () => {
  // Every type of a plugin makes the start of a generation longer.
  platform = await startChangingPlatform([]);
  client = new Client({ connectionString: platform.environment['DATABASE_URL'] });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await platform?.close();
});

function pack(version: string, rest: Partial<PackedPlugin>): string {
  return packPlugin(platform.environment['GANTRY_PROJECT'] ?? '', { id: 'boats', version, ...rest });
}

/** Version and state of the plugin, such as `1.0.0 started`. */
async function boats(): Promise<string | undefined> {
  const { data } = await platform.send('GET', '/api/platform/plugins');
  const plugin = (data as StartupReport).plugins.find(({ id }) => id === 'boats');
  return plugin && `${plugin.version ?? ''} ${plugin.state}`;
}

const query = async <R extends object>(sql: string): Promise<readonly R[]> => (await client.query<R>(sql)).rows;

/** The plugin boats, which every test upgrades. */
const first = { '1': 'CREATE TABLE boats_boat (name text)' };
const adding = { ...first, '2': 'ALTER TABLE boats_boat ADD COLUMN length integer' };
const removing = { ...adding, '3': 'ALTER TABLE boats_boat DROP COLUMN name' };
const leaks = "throw new Error('leaks')";
const upgrade = (file: string): readonly string[] => ['plugins', 'upgrade', 'boats', '--to', file];

/** Makes statements on a table wait. @returns what waits until one does, and what lets it continue */
async function hold(table: string, when: string) {
  const lock = 7_031;
  await query(`SELECT pg_advisory_lock(${lock})`);
  await query(`
    CREATE OR REPLACE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(${lock}); RETURN NEW; END';
    CREATE TRIGGER held ${when} ON ${table} FOR EACH ROW EXECUTE FUNCTION held()`);
  return {
    reached: () =>
      eventually(
        async () => (await query(`SELECT FROM pg_locks WHERE objid = ${lock} AND NOT granted`)).length > 0,
        `a statement on ${table} waits`,
      ),
    async release() {
      await query(`SELECT pg_advisory_unlock(${lock})`);
      await query(`DROP TRIGGER held ON ${table}`);
    },
  };
}

/** Asks for an upgrade by a request. */
async function requestUpgrade(file: string): Promise<void> {
  await fetch(`${platform.address}/api/platform/plugins/boats/upgrade`, {
    ...{ method: 'POST', body: readFileSync(file) },
    headers: { connection: 'close', 'content-type': 'application/gzip' },
  });
}

describe('an upgrade whose migrations run and whose start fails', () => {
  it('leaves the version before', async () => {
    const installed = await platform.gantry(['plugins', 'install', pack('1.0.0', { migrations: first })]);
    expect([installed.code, await boats()]).toEqual([0, '1.0.0 started']);
    const upgraded = await platform.gantry(upgrade(pack('1.1.0', { migrations: adding, start: leaks })));

    expect([upgraded.code, upgraded.stderr]).toEqual([1, expect.stringMatching(/unchanged: .*leaks/)]);
    expect(await boats()).toBe('1.0.0 started');
  });
});

describe('kill -9 of launcher and hosts in the middle of an upgrade by a request', () => {
  it('leaves the version before, which starts again after migrations that only added, and another request can upgrade', async () => {
    const file = pack('1.1.1', { migrations: adding });
    const { reached, release } = await hold('gantry_plugin_set', 'BEFORE UPDATE OF plugins');
    await requestUpgrade(file);
    await reached();

    await platform.kill();
    await release();
    await platform.restart();

    expect(await boats()).toBe('1.0.0 started');
    await requestUpgrade(file);
    await eventually(async () => (await boats()) === '1.1.1 started', 'it is upgraded');
  });
});

describe('kill -9 of a command that upgrades', () => {
  it.each([
    ['while it fetches', /^\.draft-/],
    ['after it has fetched', /^[0-9a-f]{64}$/],
  ])('%s changes nothing', async (when, reached) => {
    // One whose files the store does not have yet.
    const file = pack(`1.3.${when.length}`, { migrations: adding });
    const command = platform.start(upgrade(file));
    await new Promise<void>((resolve) => {
      const watcher = watch(join(platform.home, 'store'), (_event, name) => {
        if (name === null || !reached.test(name)) return;
        command.kill('SIGKILL');
        watcher.close();
        resolve();
      });
    });

    expect(await boats()).toBe('1.1.1 started');
  });
});

describe('an upgrade whose migrations removed something and whose start fails', () => {
  it('leaves the version before, and says with which migrations that cannot work', async () => {
    const upgraded = await platform.gantry(upgrade(pack('2.0.0', { migrations: removing, start: leaks })));
    expect(upgraded.stderr).toMatch(/unchanged: .*leaks/);
    expect(await boats()).toBe('1.1.1 started');

    await platform.process.stop();
    await platform.restart();

    const { data } = await platform.send('GET', '/api/platform/plugins');
    expect((data as StartupReport).plugins.find(({ id }) => id === 'boats')).toMatchObject({
      state: 'incompatible',
      problems: [
        {
          code: 'SCHEMA_NEWER',
          reason: expect.stringMatching(/ 2\.0\.0 .*: 3 \(removes .* boats_boat\.name/) as string,
          remedy: expect.stringMatching(/ 2\.0\.0 .*backup/) as string,
        },
      ],
    });
  });

  it('is repaired by a later version, also when the command was killed while no platform ran: the next start decides', async () => {
    await platform.process.stop();
    const { reached, release } = await hold('gantry_plugin_set', 'BEFORE UPDATE OF plugins');
    const command = platform.start(upgrade(pack('2.0.1', { migrations: removing })));
    await reached();
    command.kill('SIGKILL');
    await release();

    await platform.restart();

    expect(await boats()).toBe('2.0.1 started');
  });
});

describe('what was killed', () => {
  it('leaves nothing behind that lasts', async () => {
    await platform.process.stop();
    await platform.restart();

    expect(readdirSync(join(platform.home, 'store')).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
