import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerationsReport, PluginChange, PluginPackage, StartupReport } from '@gantry/contracts';
import { Client } from 'pg';
import { dropPlugin } from '../support/drop-plugin';
import { eventually } from '../support/eventually';
import { packPlugin } from '../support/pack-plugin';
import { startChangingPlatform, type ChangingPlatform } from './changing-platform';
import { sharedSet, waitMs } from './shared-set';

/**
 * Two hosts, each with its own home, on one database. Only the first has the folders of what is added later, and only it takes packages
 * over HTTP. What three hosts and more do is in core/host/test/plugin-set and in test/proofs/five-hosts.mjs.
 */
let first: ChangingPlatform;
let second: ChangingPlatform;
let client: Client;
const { storedSet, untilRun, untilFollowed } = sharedSet(() => client);

beforeAll(async () => {
  const plugins = ['plugins/articles'];
  first = await startChangingPlatform(plugins, { disabled: ['forgotten'] });
  const databaseUrl = first.environment['DATABASE_URL'] ?? '';
  second = await startChangingPlatform(plugins, { databaseUrl, settings: { GANTRY_PACKAGES_OVER_HTTP: 'refuse' } });
  client = new Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await second?.close();
  await first?.close();
});

async function stateOf(platform: ChangingPlatform, id: string): Promise<string | undefined> {
  const { data } = await platform.send('GET', '/api/platform/plugins');
  return (data as StartupReport).plugins.find((plugin) => plugin.id === id)?.state;
}

const statesOf = (id: string) => Promise.all([first, second].map((platform) => stateOf(platform, id)));

async function setOf({ generations }: ChangingPlatform): Promise<NonNullable<GenerationsReport['pluginSet']>> {
  const { pluginSet } = await generations();
  if (pluginSet === undefined) throw new Error('The host does not use the plugin set of the database');
  return pluginSet;
}

/** A plugin that only the first host has in a folder, as the package that it needs. */
function dropOnFirst(id: string, start: string): void {
  const tool = join(first.environment['GANTRY_PROJECT'] ?? '', 'node_modules/tool');
  mkdirSync(tool, { recursive: true });
  writeFileSync(join(tool, 'package.json'), '{ "name": "tool", "version": "1.0.0" }');
  writeFileSync(join(tool, 'index.js'), 'exports.isThere = true;');
  const json = { dependencies: { tool: '^1.0.0' } };
  dropPlugin(first.environment['GANTRY_PLUGIN_PATH'] ?? '', { id, start, json, load: "require('tool'); " });
}

/** A condition in the code of a plugin. */
const runsOn = ({ home }: ChangingPlatform): string => `process.env.GANTRY_HOME === ${JSON.stringify(home)}`;

interface ChangeAnswer {
  readonly change: PluginChange;
}

describe('hosts on one database', () => {
  it('run one plugin set, into which the first start has imported plugins.json', async () => {
    const stored = await storedSet();

    expect(stored.plugins).toEqual({ forgotten: { enabled: false } });
    expect(existsSync(join(first.home, 'plugins.json'))).toBe(false);
    expect(existsSync(join(first.home, 'plugins.json.imported'))).toBe(true);
    for (const platform of [first, second]) {
      expect(await setOf(platform)).toEqual({ generation: stored.generation });
    }
  });

  it('follow a change, and fetch the package that they lack', async () => {
    first.drop('test/samples/banners');

    expect((await first.change('/api/platform/plugins/banners/enable')).phase).toBe('done');
    await untilFollowed(first, second);

    expect(await stateOf(second, 'banners')).toBe('started');
    const banner = await second.send('POST', '/api/cms/items/banner', { name: 'Spring', kind: 'TEXT', text: 'Tulips' });
    expect(banner.status).toBe(201);
    expect((await second.generations()).changes[0]).toMatchObject({
      action: 'enable',
      plugins: ['banners'],
      phase: 'done',
      follows: 2,
    } satisfies Partial<PluginChange>);
    expect(existsSync(join(second.environment['GANTRY_PLUGIN_PATH'] ?? '', 'banners'))).toBe(false);
  });
});

describe('a package that a request to one host has fetched', () => {
  const path = '/api/platform/plugins/canoes';
  let id: string;
  beforeAll(async () => {
    const file = packPlugin(first.environment['GANTRY_PROJECT'] ?? '', { id: 'canoes', version: '1.0.0' });
    const response = await fetch(`${first.address}/api/platform/plugin-packages?name=canoes.tgz`, {
      ...{ method: 'POST', body: readFileSync(file) },
      headers: { connection: 'close', 'content-type': 'application/gzip' },
    });
    ({ id } = ((await response.json()) as { readonly data: PluginPackage }).data);
  });
  const expire = (hours: number) =>
    client.query(`UPDATE gantry_plugin_package SET expires_at = expires_at - interval '${hours} h'`);

  it('is fetched only by one that takes packages over HTTP', async () => {
    const refused = await second.send('POST', '/api/platform/plugin-packages', { package: '@acme/canoes' });

    expect(refused).toMatchObject({ status: 403, data: { code: 'FORBIDDEN' } });
    expect(await Promise.all([first, second].map(({ generations }) => generations()))).toMatchObject([
      { takesPackages: true },
      { takesPackages: false },
    ]);
  });

  it('is checked and installed by requests to another one, for twelve hours and once', async () => {
    await expire(12);
    expect(await second.send('POST', `${path}/install`, { package: id })).toMatchObject({
      status: 404,
      data: { code: 'NOT_FOUND' },
    });
    await expire(-12);

    const checked = await second.send('POST', `/api/platform/plugin-packages/${id}/check`);
    expect(checked).toMatchObject({ status: 200, data: { plugin: 'canoes', outcome: 'ok' } });
    expect((await second.change(`${path}/install`, { package: id })).phase).toBe('done');
    await untilFollowed(first, second);

    expect(await statesOf('canoes')).toEqual(['started', 'started']);
    expect(await first.send('POST', `${path}/install`, { package: id })).toMatchObject({
      status: 200,
      data: { change: null },
    });
  });

  it('is uninstalled by any of them, and forgotten after its time: of two changes at a time one is made, and the other one is refused', async () => {
    const { generation } = await storedSet();
    const changes = () => Promise.all([first, second].map(async (one) => (await one.generations()).changes));
    const before = (await changes()).map(({ length }) => length);
    await expire(12);
    const answers = await Promise.all(
      [first, second].map(({ send }) => send('POST', `${path}/uninstall`, { disable: true })),
    );

    const accepted = answers.find(({ status }) => status === 202);
    const refused = answers.find(({ status }) => status === 409);
    expect(accepted?.data).toMatchObject({ change: { action: 'uninstall' } });
    expect(refused?.data).toMatchObject({
      code: 'PLUGIN_SET_CHANGED',
      message: expect.stringMatching(/\(.+: uninstall canoes\)/) as string,
    });
    await eventually(async () => (await storedSet()).generation === generation + 1, waitMs, 'the change is stored');
    await untilFollowed(first, second);
    const after = await changes();
    expect(after.map(({ length }) => length)).toEqual(before.map((length) => length + 1));
    const made = (accepted?.data as ChangeAnswer | undefined)?.change.id;
    expect(after.map(([latest]) => latest).toSorted((left) => (left?.id === made ? -1 : 1))).toMatchObject([
      { id: made, action: 'uninstall', phase: 'done' },
      { follows: generation + 1, phase: 'done' },
    ]);
    expect(await statesOf('canoes')).toEqual([undefined, undefined]);
    expect((await client.query('SELECT FROM gantry_plugin_package')).rowCount).toBe(0);
  });
});

/** A second after the set with the plugin is stored, so that the host serves by then. */
const crashOn = (platform: ChangingPlatform, id: string): string => `
  const file = ${JSON.stringify(join(platform.home, 'plugin-set.json'))};
  const isStored = () => JSON.parse(require('node:fs').readFileSync(file, 'utf8')).plugins.${id} !== undefined;
  const timer = setInterval(() => {
    if (!(${runsOn(platform)}) || !isStored()) return;
    clearInterval(timer);
    setTimeout(() => { throw new Error('sunk'); }, 1000);
  }, 100);`;

describe('a host that cannot load the set', () => {
  it('keeps its plugins and says why', async () => {
    const { generation: before } = await storedSet();
    const isWell = `require('node:fs').existsSync(${JSON.stringify(join(second.home, 'well'))})`;
    dropOnFirst('picky', `if (${runsOn(second)} && !${isWell}) throw new Error('not here');`);

    expect((await first.change('/api/platform/plugins/picky/enable')).phase).toBe('done');
    await eventually(async () => (await setOf(second)).behind?.error !== undefined, waitMs, 'it reports the problem');
    await untilFollowed(first);

    expect(await setOf(second)).toMatchObject({
      generation: before,
      behind: {
        generation: before + 1,
        error: { code: 'GENERATION_REFUSED', message: expect.stringContaining('not here') as string },
      },
    });
    expect([await stateOf(second, 'articles'), await stateOf(first, 'picky')]).toEqual(['started', 'started']);
    const ready = async (): Promise<string> => (await fetch(`${second.address}/readyz`)).text();
    const isReported = async () => (await ready()).includes(` generation ${before} of the plugin set`);
    await eventually(isReported, waitMs, 'the next look at the health reports it');
    const listed = await second.gantry(['plugins', 'list']);
    expect(listed.stderr).toMatch(/^.* generation \d+ of the plugin set, .*not here/);
    const refused = await second.send('POST', '/api/platform/plugins/articles/disable', { dependents: true });
    expect(refused).toMatchObject({ status: 409, data: { code: 'PLUGIN_SET_CHANGED' } });
  });

  it('follows the next one that it can load, also one that takes back for all hosts a plugin that crashed the host of the change', async () => {
    const { generation, plugins } = await storedSet();
    writeFileSync(join(second.home, 'well'), '');
    dropOnFirst('leak', crashOn(first, 'leak'));

    expect((await first.send('POST', '/api/platform/plugins/leak/enable')).status).toBe(202);
    await eventually(async () => (await storedSet()).generation === generation + 2, waitMs, 'it is taken back');
    await untilFollowed(first, second);

    expect((await storedSet()).plugins).toEqual(plugins);
    expect(await setOf(second)).toEqual({ generation: generation + 2 });
    expect([await stateOf(second, 'picky'), await stateOf(second, 'leak')]).toEqual(['started', undefined]);
    expect((await first.generations()).changes[0]).toMatchObject({
      ...{ action: 'enable', plugins: ['leak'], phase: 'failed' },
      error: { code: 'PLUGIN_CRASHED', message: expect.stringMatching(/^The change was undone: .*"leak"/) as string },
    });
    const listed = await first.gantry(['plugins', 'list']);
    expect(listed.stderr).toMatch(/^Latest change \(enable leak\): The change was undone: .*leak/m);
  });

  it('finds the archives of the current and the previous set, and no others', async () => {
    const { rows } = await client.query<{ plugin: string; isNamed: boolean }>(
      `SELECT plugin, concat(plugins, previous) LIKE concat('%', content_hash, '%') AS "isNamed"
       FROM gantry_plugin_archive, gantry_plugin_set`,
    );

    const archived = rows.map(({ plugin }) => plugin);
    const { plugins } = await storedSet();
    const enabled = Object.keys(plugins).filter((id) => plugins[id]?.enabled);
    expect(archived).toEqual(expect.arrayContaining([...enabled, 'picky']));
    expect(rows.filter(({ isNamed }) => !isNamed)).toEqual([]);
    expect(archived).not.toContain('canoes');
  });

  it('after a crash by a plugin leaves that to the others', async () => {
    const { generation } = await storedSet();
    dropOnFirst('storm', crashOn(second, 'storm'));

    expect((await first.change('/api/platform/plugins/storm/enable')).phase).toBe('done');
    await eventually(async () => (await setOf(second)).behind?.error !== undefined, waitMs, 'it has returned');
    await untilFollowed(first);

    expect(await setOf(second)).toMatchObject({
      generation,
      behind: { generation: generation + 1, error: { code: 'PLUGIN_CRASHED' } },
    });
    expect(await stateOf(first, 'storm')).toBe('started');
  });
});

describe('kill -9 of the host that makes a change', () => {
  it('after it is stored leaves the new set, which every host runs, also that one when it is started again', async () => {
    const { generation } = await storedSet();
    expect((await first.send('POST', '/api/platform/plugins/storm/disable')).status).toBe(202);
    await eventually(async () => (await storedSet()).generation > generation, waitMs, 'it is stored');
    await first.kill();
    await untilRun(second);
    await first.restart();
    await untilFollowed(first, second);

    expect([await setOf(first), await setOf(second)]).toEqual([
      { generation: generation + 1 },
      { generation: generation + 1 },
    ]);
    // The second host has no folder of it.
    expect(await statesOf('storm')).toEqual(['disabled', undefined]);
  });
});

describe('kill -9 of the host that makes a change, before it is stored,', () => {
  it('leaves the set as it was, and soon another host can make one', async () => {
    const before = await storedSet();
    dropOnFirst('slow', 'await new Promise((resolve) => setTimeout(resolve, 15000))');
    const { status } = await first.send('POST', '/api/platform/plugins/slow/enable');
    expect(status).toBe(202);
    await first.kill();

    expect(await storedSet()).toMatchObject({ generation: before.generation, plugins: before.plugins });
    const disable = () => second.send('POST', '/api/platform/plugins/picky/disable');
    expect(await disable()).toMatchObject({ status: 409, data: { code: 'PLUGIN_SET_CHANGED' } });
    // The reservation of the killed host ends by itself.
    const { rows } = await client.query(
      `SELECT change_until BETWEEN now() AND now() + interval '15 s' AS "isShort" FROM gantry_plugin_set`,
    );
    expect(rows).toEqual([{ isShort: true }]);
    await client.query('UPDATE gantry_plugin_set SET change_until = now()');
    expect((await disable()).status).toBe(202);
    await eventually(async () => (await storedSet()).generation > before.generation, waitMs, 'it is stored');
    await untilFollowed(second);
  });
});

describe('a host that does not use the plugin set', () => {
  it('because it runs required plugins only still disables a plugin for all', async () => {
    expect(await stateOf(second, 'banners')).toBe('started');
    await first.restart(['--safe']);
    expect((await first.generations()).pluginSet).toBeUndefined();
    expect(await stateOf(first, 'banners')).toBe('disabled');

    expect((await first.change('/api/platform/plugins/banners/disable')).phase).toBe('done');
    await first.process.stop();
    await untilFollowed(second);

    // It has no folder of it.
    expect(await stateOf(second, 'banners')).toBeUndefined();
  });

  it('but a file (GANTRY_PLUGIN_SET) runs what that says, and refuses changes', async () => {
    const file = join(first.home, 'emergency.json');
    const decisions = { articles: { enabled: false }, slow: { enabled: false } };
    writeFileSync(file, JSON.stringify({ formatVersion: 1, plugins: decisions }));
    await first.restart([], { GANTRY_PLUGIN_SET: file });
    expect((await first.generations()).pluginSet).toBeUndefined();
    expect(await Promise.all(['articles', 'banners'].map((id) => stateOf(first, id)))).toEqual(['disabled', 'started']);

    const refused = await first.send('POST', '/api/platform/plugins/banners/disable');
    expect(refused).toMatchObject({
      status: 409,
      data: { code: 'PLUGIN_SET_CHANGED', message: expect.stringContaining('GANTRY_PLUGIN_SET') as string },
    });
  });
});
