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
  platform = await startChangingPlatform(['plugins/catalog']);
  client = new Client({ connectionString: platform.environment['DATABASE_URL'] });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await platform?.close();
});

function pack(id: string, version: string, rest: Partial<PackedPlugin> = {}): string {
  return packPlugin(platform.environment['GANTRY_PROJECT'] ?? '', { id, version, ...rest });
}

/** Version and state, such as `1.0.0 started`. */
async function pluginOf(id: string): Promise<string | undefined> {
  const { data } = await platform.send('GET', '/api/platform/plugins');
  const plugin = (data as StartupReport).plugins.find((one) => one.id === id);
  return plugin && `${plugin.version ?? ''} ${plugin.state}`;
}

const query = async <R extends object>(sql: string): Promise<readonly R[]> => (await client.query<R>(sql)).rows;

describe('an upgrade whose migrations run and whose start fails', () => {
  const first = { '1': 'CREATE TABLE boats_boat (name text)' };
  const adding = { ...first, '2': 'ALTER TABLE boats_boat ADD COLUMN length integer' };
  const removing = { ...adding, '3': 'ALTER TABLE boats_boat DROP COLUMN name' };
  const leaks = "throw new Error('leaks')";
  const upgrade = (file: string) => platform.gantry(['plugins', 'upgrade', 'boats', '--to', file]);

  it('leaves the version before, which also starts again where the migrations only added', async () => {
    await platform.gantry(['plugins', 'install', pack('boats', '1.0.0', { migrations: first })]);
    const upgraded = await upgrade(pack('boats', '1.1.0', { migrations: adding, start: leaks }));
    expect([upgraded.code, upgraded.stderr]).toEqual([1, expect.stringMatching(/the plugins are unchanged: .*leaks/)]);

    await platform.process.stop();
    await platform.restart();

    expect(await pluginOf('boats')).toBe('1.0.0 started');
    const repaired = await upgrade(pack('boats', '1.1.1', { migrations: adding }));
    expect([repaired.code, await pluginOf('boats')]).toEqual([0, '1.1.1 started']);
  });

  it('says which migrations the version before cannot work with, where they did more', async () => {
    const upgraded = await upgrade(pack('boats', '2.0.0', { migrations: removing, start: leaks }));
    expect(upgraded.stderr).toMatch(/the plugins are unchanged: .*leaks/);
    expect(await pluginOf('boats')).toBe('1.1.1 started');

    await platform.process.stop();
    await platform.restart();

    const { data } = await platform.send('GET', '/api/platform/plugins');
    const boats = (data as StartupReport).plugins.find(({ id }) => id === 'boats');
    expect(boats).toMatchObject({
      state: 'incompatible',
      problems: [
        {
          code: 'SCHEMA_NEWER',
          reason: expect.stringContaining(
            'version 2.0.0 ran migrations that it cannot work with: 3 (removes the column boats_boat.name',
          ) as string,
          remedy: expect.stringMatching(/^Install version 2\.0\.0 or a later one; or restore the backup/) as string,
        },
      ],
    });
    expect((await upgrade(pack('boats', '2.0.1', { migrations: removing }))).code).toBe(0);
    expect(await pluginOf('boats')).toBe('2.0.1 started');
  });
});

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

describe('kill -9 of launcher and hosts in the middle of an upgrade by requests', () => {
  const upgradeTo = (id: string) => platform.send('POST', '/api/platform/plugins/canoes/upgrade', { package: id });
  const aborted = () => undefined;

  it('while an archive is stored leaves no part of it, and packages that were fetched before can still be installed', async () => {
    await platform.gantry(['plugins', 'install', pack('canoes', '1.0.0')]);
    const id = await fetchPackage(pack('canoes', '2.0.0'));
    const { reached, release } = await hold('gantry_plugin_archive_chunk', 'BEFORE INSERT');
    const fetched = fetchPackage(pack('canoes', '3.0.0')).catch(aborted);
    await reached();

    await platform.kill();
    await Promise.all([release(), fetched]);
    await platform.restart();

    expect(await pluginOf('canoes')).toBe('1.0.0 started');
    expect(await query('SELECT FROM gantry_plugin_archive WHERE size = 0')).toEqual([]);
    expect((await platform.change('/api/platform/plugins/canoes/upgrade', { package: id })).phase).toBe('done');
    expect(await pluginOf('canoes')).toBe('2.0.0 started');
  });

  it('before the set is stored leaves the version before', async () => {
    const id = await fetchPackage(pack('canoes', '3.0.0'));
    const { reached, release } = await hold('gantry_plugin_set', 'BEFORE UPDATE OF plugins');
    await upgradeTo(id);
    await reached();

    await platform.kill();
    await release();
    await platform.restart();

    expect(await pluginOf('canoes')).toBe('2.0.0 started');
  });
});

describe('kill -9 of a command that upgrades', () => {
  const folderOf = (name: string): readonly string[] => readdirSync(join(platform.home, name));
  const upgrade = (version: string) => platform.start(['plugins', 'upgrade', 'rafts', '--to', pack('rafts', version)]);

  beforeAll(async () => {
    await platform.gantry(['plugins', 'install', pack('rafts', '1.0.0')]);
  });

  it.each([
    ['while it fetches', 'store', /^\.draft-/],
    ['after it has fetched', 'prepared', /\.json$/],
  ])('%s changes nothing', async (_when, folder, reached) => {
    const command = upgrade('2.0.0');
    await new Promise<void>((resolve) => {
      const watcher = watch(join(platform.home, folder), (_event, name) => {
        if (name === null || !reached.test(name)) return;
        command.kill('SIGKILL');
        watcher.close();
        resolve();
      });
    });

    expect(await pluginOf('rafts')).toBe('1.0.0 started');
  });

  it('while no platform runs, before the set is stored, leaves the decision to the next start', async () => {
    await platform.process.stop();
    const { reached, release } = await hold('gantry_plugin_set', 'BEFORE UPDATE OF plugins');
    const command = upgrade('3.0.0');
    await reached();
    command.kill('SIGKILL');
    await release();

    await platform.restart();

    expect(await pluginOf('rafts')).toBe('3.0.0 started');
  });

  it('and of the platform leave nothing behind that lasts', async () => {
    await platform.change('/api/platform/plugins/rafts/disable');
    await query(`UPDATE gantry_plugin_package SET expires_at = now() - interval '1 s'`);
    await platform.change('/api/platform/plugins/rafts/enable');

    const drafts = folderOf('store').filter((name) => name.startsWith('.'));
    const archives = await query<{ hash: string }>('SELECT content_hash AS hash FROM gantry_plugin_archive');
    const [{ text } = { text: '' }] = await query<{ text: string }>(
      `SELECT concat(plugins, previous) AS text FROM gantry_plugin_set`,
    );
    expect([drafts, archives.filter(({ hash }) => !text.includes(hash))]).toEqual([[], []]);
  });
});
