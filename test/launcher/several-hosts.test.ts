import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerationsReport, PluginChange, StartupReport } from '@gantry/contracts';
import { Client } from 'pg';
import { openSampleRegistry, type SampleRegistry } from '../support/sample-registry';
import { dropPlugin } from '../support/drop-plugin';
import { eventually } from '../support/eventually';
import { packPlugin } from '../support/pack-plugin';
import { startChangingPlatform, type ChangingPlatform } from './changing-platform';
import { sharedSet } from './shared-set';

/**
 * Two hosts, each with its own home and folders, on one database, with one registry. Only the first takes packages over HTTP. What three hosts and more do is in core/host/test/plugin-set and in test/proofs/five-hosts.mjs.
 */
let registry: SampleRegistry;
let first: ChangingPlatform;
let second: ChangingPlatform;
let client: Client;
const { storedSet, untilRun, untilFollowed } = sharedSet(() => client);

beforeAll(async () => {
  const plugins = ['plugins/articles'];
  registry = await openSampleRegistry();
  const settings = { npm_config_registry: registry.url };
  first = await startChangingPlatform(plugins, { disabled: ['forgotten'], settings });
  const databaseUrl = first.environment['DATABASE_URL'] ?? '';
  second = await startChangingPlatform(plugins, {
    databaseUrl,
    settings: { ...settings, GANTRY_PACKAGES_OVER_HTTP: 'refuse' },
  });
  client = new Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await second?.close();
  await first?.close();
  await registry?.close();
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

/** A plugin that these hosts have in a folder, with the package that it needs. */
function dropOn(platforms: readonly ChangingPlatform[], id: string, start: string): void {
  for (const { environment } of platforms) {
    const tool = join(environment['GANTRY_PROJECT'] ?? '', 'node_modules/tool');
    mkdirSync(tool, { recursive: true });
    writeFileSync(join(tool, 'package.json'), '{ "name": "tool", "version": "1.0.0" }');
    writeFileSync(join(tool, 'index.js'), 'exports.isThere = true;');
    const json = { dependencies: { tool: '^1.0.0' } };
    dropPlugin(environment['GANTRY_PLUGIN_PATH'] ?? '', { id, start, json, load: "require('tool'); " });
  }
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

  it('follow a change of a plugin that each has in a folder', async () => {
    for (const platform of [first, second]) platform.drop('test/samples/banners');

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
  });
});

const manifestOf = (id: string) => ({
  ...{ name: `@acme/${id}`, version: '1.0.0', main: './index.js', dependencies: { oars: '^1.0.0' } },
  peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
  gantry: { manifestVersion: 1, id, displayName: id },
});

describe('a package of the registry', () => {
  beforeAll(async () => {
    await registry.publish({ name: 'oars', version: '1.0.0' });
    const code = `require('oars/package.json'); module.exports = require('@gantry/plugin-api').definePlugin({ id: 'canoes' });`;
    await registry.publish(manifestOf('canoes'), { 'package/index.js': code });
  });

  it('is taken by requests only to a host that takes packages over HTTP', async () => {
    const refused = await second.send('POST', '/api/platform/plugins/install', { package: '@acme/canoes' });

    expect(refused).toMatchObject({ status: 403, data: { code: 'FORBIDDEN' } });
    expect(await Promise.all([first, second].map(({ generations }) => generations()))).toMatchObject([
      { takesPackages: true },
      { takesPackages: false },
    ]);
  });

  it('is installed by a request to one host, and by the other one with the lock file of the set', async () => {
    const install = '/api/platform/plugins/install';
    expect((await first.change(install, { package: '@acme/canoes' })).phase).toBe('done');
    // The lock file counts.
    await registry.publish({ name: 'oars', version: '1.1.0' });
    await untilFollowed(first, second);

    expect(await statesOf('canoes')).toEqual(['started', 'started']);
    const { canoes } = (await storedSet()).plugins;
    expect(canoes).toMatchObject({
      installed: { source: 'registry', lock: { packages: { 'node_modules/oars': { version: '1.0.0' } } } },
    });
    expect(await first.send('POST', install, { package: '@acme/canoes' })).toMatchObject({
      status: 200,
      data: { change: null },
    });
  });

  it('is uninstalled by any of them: of two changes at a time one is made, and the other one is refused', async () => {
    const { generation } = await storedSet();
    const changes = () => Promise.all([first, second].map(async (one) => (await one.generations()).changes));
    const before = (await changes()).map(({ length }) => length);
    const answers = await Promise.all(
      [first, second].map(({ send }) => send('POST', '/api/platform/plugins/canoes/uninstall', { disable: true })),
    );

    const accepted = answers.find(({ status }) => status === 202);
    const refused = answers.find(({ status }) => status === 409);
    expect(accepted?.data).toMatchObject({ change: { action: 'uninstall' } });
    expect(refused?.data).toMatchObject({
      code: 'PLUGIN_SET_CHANGED',
      message: expect.stringMatching(/\(.+: uninstall canoes\)/) as string,
    });
    await eventually(async () => (await storedSet()).generation === generation + 1, 'the change is stored');
    await untilFollowed(first, second);
    const after = await changes();
    expect(after.map(([, ...earlier]) => earlier.length)).toEqual(before);
    const made = (accepted?.data as ChangeAnswer | undefined)?.change.id;
    expect(after.map(([latest]) => latest).toSorted((left) => (left?.id === made ? -1 : 1))).toMatchObject([
      { id: made, action: 'uninstall', phase: 'done' },
      { follows: generation + 1, phase: 'done' },
    ]);
    expect(await statesOf('canoes')).toEqual([undefined, undefined]);
  });
});

describe('a package that only one host can get', () => {
  const readiness = async (): Promise<string> => (await fetch(`${second.address}/readyz`)).text();

  it('is lacking on the other one, which keeps its plugins and names what the set has, until it finds the same files', async () => {
    const { generation } = await storedSet();
    const file = packPlugin(first.environment['GANTRY_PROJECT'] ?? '', { id: 'kayaks', version: '1.0.0' });

    expect((await first.gantry(['plugins', 'install', file])).code).toBe(0);
    await untilFollowed(first);
    await eventually(async () => (await setOf(second)).behind?.error !== undefined, 'it reports the problem');

    const { contentHash = '' } = (await storedSet()).plugins['kayaks'] ?? {};
    const message = `The plugin kayaks 1.0.0 is missing on this host: its package is the tarball ${file} of another machine with the content ${contentHash}, and no folder of this host has a package of it.`;
    expect(await setOf(second)).toMatchObject({
      generation,
      behind: { generation: generation + 1, error: { code: 'PACKAGE_LACKING', message } },
    });
    expect([await stateOf(second, 'banners'), await stateOf(first, 'kayaks')]).toEqual(['started', 'started']);
    await eventually(async () => (await readiness()).includes(contentHash), 'the health reports it');
    expect((await second.gantry(['plugins', 'list'])).stderr).toContain(message);

    const folder = join(second.environment['GANTRY_PLUGIN_PATH'] ?? '', 'kayaks');
    mkdirSync(folder);
    execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1']);
    await untilFollowed(first, second);
    expect(await statesOf('kayaks')).toEqual(['started', 'started']);
    expect(await readiness()).not.toContain('plugin set');
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
    dropOn([first, second], 'picky', `if (${runsOn(second)} && !${isWell}) throw new Error('not here');`);

    expect((await first.change('/api/platform/plugins/picky/enable')).phase).toBe('done');
    await eventually(async () => (await setOf(second)).behind?.error !== undefined, 'it reports the problem');
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
    await eventually(isReported, 'the next look at the health reports it');
    const listed = await second.gantry(['plugins', 'list']);
    expect(listed.stderr).toMatch(/^.* generation \d+ of the plugin set, .*not here/);
    const refused = await second.send('POST', '/api/platform/plugins/articles/disable', { dependents: true });
    expect(refused).toMatchObject({ status: 409, data: { code: 'PLUGIN_SET_CHANGED' } });
  });

  it('follows the next one that it can load, also one that takes back for all hosts a plugin that crashed the host of the change', async () => {
    const { generation, plugins } = await storedSet();
    writeFileSync(join(second.home, 'well'), '');
    dropOn([first], 'leak', crashOn(first, 'leak'));

    expect((await first.send('POST', '/api/platform/plugins/leak/enable')).status).toBe(202);
    await eventually(async () => (await storedSet()).generation === generation + 2, 'it is taken back');
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

  it('after a crash by a plugin leaves that to the others', async () => {
    const { generation } = await storedSet();
    dropOn([first, second], 'storm', crashOn(second, 'storm'));

    expect((await first.change('/api/platform/plugins/storm/enable')).phase).toBe('done');
    await eventually(async () => (await setOf(second)).behind?.error !== undefined, 'it has returned');
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
    await eventually(async () => (await storedSet()).generation > generation, 'it is stored');
    await first.kill();
    await untilRun(second);
    await first.restart();
    await untilFollowed(first, second);

    expect([await setOf(first), await setOf(second)]).toEqual([
      { generation: generation + 1 },
      { generation: generation + 1 },
    ]);
    expect(await statesOf('storm')).toEqual(['disabled', 'disabled']);
  });
});

describe('kill -9 of the host that makes a change, before it is stored,', () => {
  it('leaves the set as it was, and soon another host can make one', async () => {
    const before = await storedSet();
    dropOn([first], 'slow', 'await new Promise((resolve) => setTimeout(resolve, 15000))');
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
    await eventually(async () => (await storedSet()).generation > before.generation, 'it is stored');
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

    expect(await stateOf(second, 'banners')).toBe('disabled');
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
