import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { PluginPackage, StartupReport } from '@gantry/contracts';
import { Client } from 'pg';
import { eventually } from '../support/eventually';
import { packPlugin, type PackedPlugin } from '../support/pack-plugin';
import { startChangingPlatform, type ChangingPlatform } from './changing-platform';

// Each test makes several changes and starts of a whole platform.
jest.setTimeout(240_000);

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
        60_000,
        `a statement on ${table} waits`,
      ),
    async release() {
      await query(`SELECT pg_advisory_unlock(${lock})`);
      await query(`DROP TRIGGER held ON ${table}`);
    },
  };
}

async function fetchPackage(file: string): Promise<string> {
  const response = await fetch(`${platform.address}/api/platform/plugin-packages`, {
    ...{ method: 'POST', body: readFileSync(file) },
    headers: { connection: 'close', 'content-type': 'application/gzip' },
  });
  return ((await response.json()) as { readonly data: PluginPackage }).data.id;
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

describe('kill -9 of launcher and hosts in the middle of an upgrade by requests', () => {
  const upgradeTo = { path: '/api/platform/plugins/boats/upgrade', id: '' };
  const aborted = () => undefined;

  it('while an archive is stored leaves no part of it and the version before, which starts again after migrations that only added', async () => {
    upgradeTo.id = await fetchPackage(pack('1.1.1', { migrations: adding }));
    const { reached, release } = await hold('gantry_plugin_archive_chunk', 'BEFORE INSERT');
    const fetched = fetchPackage(pack('1.2.0', { migrations: adding })).catch(aborted);
    await reached();

    await platform.kill();
    await Promise.all([release(), fetched]);
    await platform.restart();

    expect(await boats()).toBe('1.0.0 started');
    expect(await query('SELECT FROM gantry_plugin_archive WHERE size = 0')).toEqual([]);
  });

  it('before the set is stored leaves the version before, and what was fetched can still be installed', async () => {
    const { reached, release } = await hold('gantry_plugin_set', 'BEFORE UPDATE OF plugins');
    await platform.send('POST', upgradeTo.path, { package: upgradeTo.id });
    await reached();

    await platform.kill();
    await release();
    await platform.restart();

    expect(await boats()).toBe('1.0.0 started');
    expect((await platform.change(upgradeTo.path, { package: upgradeTo.id })).phase).toBe('done');
    expect(await boats()).toBe('1.1.1 started');
  });
});

describe('kill -9 of a command that upgrades', () => {
  it.each([
    ['while it fetches', 'store', /^\.draft-/],
    ['after it has fetched', 'prepared', /\.json$/],
  ])('%s changes nothing', async (_when, folder, reached) => {
    const command = platform.start(upgrade(pack('1.3.0', { migrations: adding })));
    await new Promise<void>((resolve) => {
      const watcher = watch(join(platform.home, folder), (_event, name) => {
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
    await query(`UPDATE gantry_plugin_package SET expires_at = now() - interval '1 s'`);
    expect((await platform.change('/api/platform/plugins/boats/disable')).phase).toBe('done');

    const drafts = readdirSync(join(platform.home, 'store')).filter((name) => name.startsWith('.'));
    const archives = await query<{ hash: string }>('SELECT content_hash AS hash FROM gantry_plugin_archive');
    const [{ text } = { text: '' }] = await query<{ text: string }>(
      `SELECT concat(plugins, previous) AS text FROM gantry_plugin_set`,
    );
    expect([drafts, archives.filter(({ hash }) => !text.includes(hash))]).toEqual([[], []]);
  });
});
