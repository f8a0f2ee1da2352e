import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerationsReport, PluginChange, PluginPackage, StartupReport } from '@gantry/contracts';
import { Client } from 'pg';
import { startGantry } from '../e2e/support/gantry-process';
import { dropPlugin } from '../support/drop-plugin';
import { eventually } from '../support/eventually';
import { packPlugin } from '../support/pack-plugin';
import { startChangingPlatform, type ChangingPlatform } from './changing-platform';
import { sharedSet, waitMs } from './shared-set';

/** Three hosts, each with its own home, on one database. Only the first has the folders of what is added later. */
let first: ChangingPlatform;
let second: ChangingPlatform;
let third: ChangingPlatform;
let client: Client;
const { storedSet, untilRun, untilFollowed } = sharedSet(() => client);

beforeAll(async () => {
  const plugins = ['plugins/catalog', 'plugins/articles'];
  first = await startChangingPlatform(plugins, { disabled: ['forgotten'] });
  const databaseUrl = first.environment['DATABASE_URL'] ?? '';
  [second, third] = await Promise.all([
    startChangingPlatform(plugins, { databaseUrl }),
    startChangingPlatform(plugins, { databaseUrl, settings: { GANTRY_PACKAGES_OVER_HTTP: 'refuse' } }),
  ]);
  client = new Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await Promise.all([third?.close(), second?.close()]);
  await first?.close();
});

async function stateOf(platform: ChangingPlatform, id: string): Promise<string | undefined> {
  const { data } = await platform.send('GET', '/api/platform/plugins');
  return (data as StartupReport).plugins.find((plugin) => plugin.id === id)?.state;
}

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

interface ChangeAnswer {
  readonly change: PluginChange;
}

describe('hosts on one database', () => {
  it('run one plugin set, into which the first start has imported plugins.json', async () => {
    const stored = await storedSet();

    expect(stored.plugins).toEqual({ forgotten: { enabled: false } });
    expect(existsSync(join(first.home, 'plugins.json'))).toBe(false);
    expect(existsSync(join(first.home, 'plugins.json.imported'))).toBe(true);
    for (const platform of [first, second, third]) {
      expect(await setOf(platform)).toEqual({ generation: stored.generation });
    }
  });

  it('follow a change, and fetch the package that they lack', async () => {
    first.drop('test/samples/recipes');

    expect((await first.change('/api/platform/plugins/recipes/enable')).phase).toBe('done');
    await untilFollowed(first, second, third);

    expect(await Promise.all([second, third].map((one) => stateOf(one, 'recipes')))).toEqual(['started', 'started']);
    const recipe = await second.send('POST', '/api/cms/items/recipe', { name: 'Pea soup', minutes: 30 });
    expect(recipe.status).toBe(201);
    expect((await second.generations()).changes[0]).toMatchObject({
      action: 'enable',
      plugins: ['recipes'],
      phase: 'done',
      follows: 2,
    } satisfies Partial<PluginChange>);
    expect(existsSync(join(second.environment['GANTRY_PLUGIN_PATH'] ?? '', 'recipes'))).toBe(false);
  });

  it('make one of two changes at a time, and refuse the other one whole', async () => {
    const { generation } = await storedSet();
    const answers = await Promise.all([
      first.send('POST', '/api/platform/plugins/recipes/disable'),
      second.send('POST', '/api/platform/plugins/catalog/disable'),
    ]);

    const accepted = answers.find(({ status }) => status === 202);
    const refused = answers.find(({ status }) => status === 409);
    expect(accepted?.data).toMatchObject({ change: { action: 'disable' } });
    expect(refused?.data).toMatchObject({
      code: 'PLUGIN_SET_CHANGED',
      message: expect.stringMatching(
        /Another host is changing the plugins at the moment \(.+: disable \w+\)/,
      ) as string,
    });
    await eventually(async () => (await storedSet()).generation === generation + 1, waitMs, 'the change is stored');
    await untilFollowed(first, second, third);
    const winner = (accepted?.data as ChangeAnswer | undefined)?.change.plugins ?? [];
    const { plugins } = await storedSet();
    const disabled = Object.keys(plugins).filter((id) => !plugins[id]?.enabled);
    expect(disabled.toSorted()).toEqual(['forgotten', ...winner].toSorted());
    await eventually(async () => (await storedSet()).change_host === null, waitMs, 'the next change is possible');
    // Only the first host has the folders of all plugins.
    for (const id of winner) expect((await first.change(`/api/platform/plugins/${id}/enable`)).phase).toBe('done');
    await untilFollowed(first, second, third);
  });

  it('keep the archives of the current and the previous set, and no others', async () => {
    const { rows } = await client.query<{ plugin: string }>('SELECT plugin FROM gantry_plugin_archive ORDER BY plugin');

    const { plugins } = await storedSet();
    expect(rows.map(({ plugin }) => plugin)).toEqual(
      Object.keys(plugins)
        .filter((id) => plugins[id]?.enabled)
        .toSorted(),
    );
  });

  it('list a plugin that one of them has installed, enable it on any, and take no package over HTTP where that is refused', async () => {
    const file = packPlugin(third.environment['GANTRY_PROJECT'] ?? '', { id: 'boats', version: '1.0.0' });
    const refused = await third.send('POST', '/api/platform/plugin-packages', { package: '@acme/boats' });
    expect(refused).toMatchObject({ status: 403, data: { code: 'FORBIDDEN' } });
    expect([await third.generations(), await first.generations()]).toMatchObject([
      { takesPackages: false },
      { takesPackages: true },
    ]);

    const installed = await third.gantry(['plugins', 'install', file, '--disabled']);
    expect(installed.stdout).toMatch(
      /^Boats \(boats\) 1\.0\.0 is installed now, from .*: gantry plugins enable boats\n$/,
    );
    await untilFollowed(first, second, third);
    expect(await Promise.all([first, second].map((one) => stateOf(one, 'boats')))).toEqual(['disabled', 'disabled']);

    expect((await first.change('/api/platform/plugins/boats/enable')).phase).toBe('done');
    await untilFollowed(first, second, third);
    expect(await stateOf(second, 'boats')).toBe('started');
    expect((await second.change('/api/platform/plugins/boats/uninstall', { disable: true })).phase).toBe('done');
    await untilFollowed(first, second, third);
    expect(await stateOf(third, 'boats')).toBeUndefined();
  });
});

describe('a package that a request to one host has fetched', () => {
  const path = '/api/platform/plugins/canoes';
  const fetchOnFirst = async (version: string): Promise<PluginPackage> => {
    const file = packPlugin(first.environment['GANTRY_PROJECT'] ?? '', { id: 'canoes', version });
    const response = await fetch(`${first.address}/api/platform/plugin-packages?name=canoes.tgz`, {
      ...{ method: 'POST', body: readFileSync(file) },
      headers: { connection: 'close', 'content-type': 'application/gzip' },
    });
    return ((await response.json()) as { readonly data: PluginPackage }).data;
  };

  it('is checked and installed by requests to another one, once', async () => {
    const { id } = await fetchOnFirst('1.0.0');

    const checked = await second.send('POST', `/api/platform/plugin-packages/${id}/check`);
    expect(checked).toMatchObject({ status: 200, data: { plugin: 'canoes', outcome: 'ok' } });
    expect((await second.change(`${path}/install`, { package: id })).phase).toBe('done');

    await untilFollowed(first, second, third);
    expect(await Promise.all([first, third].map((one) => stateOf(one, 'canoes')))).toEqual(['started', 'started']);
    expect(await third.send('POST', `${path}/install`, { package: id })).toMatchObject({
      status: 200,
      data: { change: null },
    });
  });

  it('is kept for twelve hours, also while others change the plugins', async () => {
    const { id } = await fetchOnFirst('1.1.0');
    expect((await third.change(`${path}/disable`)).phase).toBe('done');
    await untilFollowed(first, second, third);
    const expire = (hours: number) =>
      client.query(`UPDATE gantry_plugin_package SET expires_at = expires_at - interval '${hours} h'`);

    await expire(12);
    expect(await second.send('POST', `${path}/upgrade`, { package: id })).toMatchObject({
      status: 404,
      data: { message: expect.stringContaining('Fetch it again') as string },
    });
    await expire(-12);
    expect((await second.change(`${path}/upgrade`, { package: id })).phase).toBe('done');
    await untilFollowed(first, second, third);

    await expire(12);
    expect((await first.change(`${path}/uninstall`)).phase).toBe('done');
    await untilFollowed(first, second, third);
    expect((await client.query('SELECT FROM gantry_plugin_package')).rowCount).toBe(0);
  });
});

describe('a host that cannot load the set', () => {
  it('keeps its plugins, says why, and follows the next set that it can load', async () => {
    const { generation: before } = await storedSet();
    dropOnFirst(
      'picky',
      `if (process.env.GANTRY_HOME === ${JSON.stringify(second.home)}) throw new Error('not here');`,
    );

    expect((await first.change('/api/platform/plugins/picky/enable')).phase).toBe('done');
    await eventually(async () => (await setOf(second)).behind?.error !== undefined, waitMs, 'it reports the problem');
    await untilFollowed(third);

    expect(await setOf(second)).toMatchObject({
      generation: before,
      behind: {
        generation: before + 1,
        error: { code: 'GENERATION_REFUSED', message: expect.stringContaining('not here') as string },
      },
    });
    expect([await stateOf(second, 'recipes'), await stateOf(third, 'picky')]).toEqual(['started', 'started']);
    const ready = async (): Promise<string> => (await fetch(`${second.address}/readyz`)).text();
    const isReported = async () => (await ready()).includes(`This host runs generation ${before} of the plugin set`);
    await eventually(isReported, waitMs, 'the next look at the health reports it');
    const listed = await second.gantry(['plugins', 'list']);
    expect(listed.stderr).toMatch(/^This host runs generation \d+ of the plugin set, .*not here/);
    const refused = await second.send('POST', '/api/platform/plugins/recipes/disable');
    expect(refused).toMatchObject({ status: 409, data: { code: 'PLUGIN_SET_CHANGED' } });

    expect((await first.change('/api/platform/plugins/picky/disable')).phase).toBe('done');
    await untilFollowed(first, second, third);
    expect(await setOf(second)).toEqual({ generation: before + 2 });
  });
});

describe('a plugin that crashes hosts soon after the change', () => {
  /** A second after the set with the plugin is stored, so that the host serves by then. */
  const crashOn = ({ home }: ChangingPlatform, id: string): string => `
    const file = ${JSON.stringify(join(home, 'plugin-set.json'))};
    const isStored = () => JSON.parse(require('node:fs').readFileSync(file, 'utf8')).plugins.${id} !== undefined;
    const timer = setInterval(() => {
      if (process.env.GANTRY_HOME !== ${JSON.stringify(home)} || !isStored()) return;
      clearInterval(timer);
      setTimeout(() => { throw new Error('sunk'); }, 1000);
    }, 100);`;

  it('takes the change back for all hosts when it crashes the one that made it', async () => {
    const { generation, plugins } = await storedSet();
    dropOnFirst('leak', crashOn(first, 'leak'));

    expect((await first.send('POST', '/api/platform/plugins/leak/enable')).status).toBe(202);
    await eventually(async () => (await storedSet()).generation === generation + 2, waitMs, 'it is taken back');
    await untilFollowed(first, second, third);

    expect((await storedSet()).plugins).toEqual(plugins);
    expect(await Promise.all([second, third].map((one) => stateOf(one, 'leak')))).toEqual([undefined, undefined]);
  });

  it('is left to the others when it crashes one that has followed', async () => {
    const { generation } = await storedSet();
    dropOnFirst('storm', crashOn(third, 'storm'));

    expect((await first.change('/api/platform/plugins/storm/enable')).phase).toBe('done');
    await eventually(async () => (await setOf(third)).behind?.error !== undefined, waitMs, 'it has returned');
    await untilFollowed(first, second);

    expect(await setOf(third)).toMatchObject({
      generation,
      behind: { generation: generation + 1, error: { code: 'PLUGIN_CRASHED' } },
    });
    expect(await stateOf(second, 'storm')).toBe('started');
    expect((await first.change('/api/platform/plugins/storm/disable')).phase).toBe('done');
    await untilFollowed(first, second, third);
  });
});

describe('a plugin that answers with faults on a host that has followed', () => {
  it('is taken back for all hosts, which say why and on which host', async () => {
    const { generation, plugins } = await storedSet();
    const handler = `if (process.env.GANTRY_HOME === ${JSON.stringify(second.home)}) throw new Error('cold'); return { data: 1 };`;
    dropPlugin(first.environment['GANTRY_PLUGIN_PATH'] ?? '', {
      ...{ id: 'kiln', start: '', route: { path: '/kiln', handler } },
    });
    const enabled = await first.change('/api/platform/plugins/kiln/enable');
    expect(enabled.phase).toBe('done');
    await untilFollowed(second, third);

    const answers = await Promise.all(Array.from({ length: 25 }, () => second.send('GET', '/kiln')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
    await eventually(async () => (await storedSet()).generation === generation + 2, waitMs, 'it is taken back');
    await untilFollowed(first, second, third);

    expect((await storedSet()).plugins).toEqual({ ...plugins, kiln: { enabled: false } });
    const error = {
      code: 'PLUGIN_ERROR_RATE',
      message: expect.stringMatching(
        /^The change was undone: the plugin "kiln" failed .*, on the host .+\.$/,
      ) as string,
    };
    const reports = await Promise.all([first, second, third].map(({ generations }) => generations()));
    for (const { changes } of reports) {
      expect(changes.slice(0, 2)).toMatchObject([{ undoes: changes[1]?.id }, { phase: 'failed', error }]);
    }
    expect(reports[0]?.changes[1]?.id).toBe(enabled.id);
    const listed = await first.gantry(['plugins', 'list']);
    expect(listed.stderr).toMatch(/^Latest change \(enable kiln\): The change was undone: .*, on the host /m);
  });
});

describe('a host that does not use the plugin set', () => {
  const withThird = async (words: readonly string[], environment: object, work: () => Promise<void>): Promise<void> => {
    await third.process.stop();
    const started = startGantry(words, {
      ...third.environment,
      ...environment,
      GANTRY_PORT: new URL(third.address).port,
    });
    try {
      await started.ready;
      await work();
    } finally {
      await started.stop();
    }
  };

  it('because it runs required plugins only still disables a plugin for all', async () => {
    await withThird(['--safe'], {}, async () => {
      expect((await third.generations()).pluginSet).toBeUndefined();
      expect(await stateOf(third, 'recipes')).toBe('disabled');

      expect((await third.change('/api/platform/plugins/recipes/disable')).phase).toBe('done');
    });
    await untilFollowed(first, second);
    // The second host has no folder of it.
    expect(await Promise.all([first, second].map((one) => stateOf(one, 'recipes')))).toEqual(['disabled', undefined]);
  });

  it('but a file (GANTRY_PLUGIN_SET) runs what that says, and refuses changes', async () => {
    const file = join(third.home, 'emergency.json');
    writeFileSync(file, '{ "formatVersion": 1, "plugins": { "articles": { "enabled": false } } }');
    await withThird([], { GANTRY_PLUGIN_SET: file }, async () => {
      expect((await third.generations()).pluginSet).toBeUndefined();
      expect(await Promise.all(['articles', 'catalog'].map((id) => stateOf(third, id)))).toEqual([
        'disabled',
        'started',
      ]);

      const refused = await third.send('POST', '/api/platform/plugins/catalog/disable');
      expect(refused).toMatchObject({
        status: 409,
        data: { code: 'PLUGIN_SET_CHANGED', message: expect.stringContaining('GANTRY_PLUGIN_SET') as string },
      });
    });
    await third.restart();
    await untilFollowed(third);
  });
});

describe('kill -9 of the host that makes a change', () => {
  it('before it is stored leaves the set as it was, and soon another host can make one', async () => {
    const before = await storedSet();
    dropOnFirst('slow', 'await new Promise((resolve) => setTimeout(resolve, 15000))');
    const { status } = await first.send('POST', '/api/platform/plugins/slow/enable');
    expect(status).toBe(202);
    await first.kill();

    expect(await storedSet()).toMatchObject({ generation: before.generation, plugins: before.plugins });
    await eventually(
      async () => (await third.send('POST', '/api/platform/plugins/catalog/disable')).status === 202,
      waitMs,
      'the reservation of the killed host has ended',
    );
    await eventually(async () => (await storedSet()).generation > before.generation, waitMs, 'it is stored');
    await untilFollowed(second, third);
  });

  it('after it is stored leaves the new set, which every host runs, also that one when it is started again', async () => {
    const { generation } = await storedSet();
    expect((await third.send('POST', '/api/platform/plugins/articles/disable')).status).toBe(202);
    await eventually(async () => (await storedSet()).generation > generation, waitMs, 'it is stored');
    await third.kill();
    await untilRun(second);
    await third.restart();

    expect(await setOf(third)).toEqual({ generation: generation + 1 });
    expect(await Promise.all([second, third].map((one) => stateOf(one, 'articles')))).toEqual(['disabled', 'disabled']);
  });
});
