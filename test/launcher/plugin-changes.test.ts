import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginCheckReport, StartupReport } from '@gantry/contracts';
import { dropPlugin } from '../support/drop-plugin';
import { packPlugin } from '../support/pack-plugin';
import { eventually } from '../support/eventually';
import { keepReading, startChangingPlatform, type ChangingPlatform } from './changing-platform';

const types = '/api/cms/items/types';

let platform: ChangingPlatform;
beforeAll(async () => {
  platform = await startChangingPlatform(['plugins/articles']);
});
afterAll(() => platform.close());

async function typeCodes(): Promise<readonly string[]> {
  const { data } = await platform.send('GET', types);
  return (data as readonly { readonly type: string }[]).map(({ type }) => type);
}

async function stateOf(id: string): Promise<string | undefined> {
  const { data } = await platform.send('GET', '/api/platform/plugins');
  return (data as StartupReport).plugins.find((plugin) => plugin.id === id)?.state;
}

interface RunFile {
  readonly host?: { readonly pid: number };
}

/** A plugin whose start goes wrong only when it is really started. */
function drop(id: string, start: string): string {
  return dropPlugin(platform.environment['GANTRY_PLUGIN_PATH'] ?? '', { id, start });
}

describe('a plugin that was dropped into the folder of a running platform', () => {
  const path = '/api/platform/plugins/recipes';

  it('is checked, enabled and used without a request that fails, also when changes are asked for while others are under way', async () => {
    platform.drop('test/samples/recipes');
    const { data: report } = await platform.send('POST', `${path}/check`);
    expect(report).toMatchObject({ plugin: 'recipes', outcome: 'ok' } satisfies Partial<PluginCheckReport>);
    expect(await typeCodes()).not.toContain('recipe');

    const end = keepReading(platform.address, types);
    const enabled = await platform.change(`${path}/enable`);
    const recipe = await platform.send('POST', '/api/cms/items/recipe', { name: 'Pea soup', minutes: 30 });
    // Neither is taken for fulfilled.
    const disabling = await platform.send('POST', `${path}/disable`);
    const enabling = await platform.send('POST', `${path}/enable`);
    await eventually(async () => (await platform.generations()).changes[0]?.phase === 'done', 'it is made');
    const traffic = await end();

    expect(enabled.phase).toBe('done');
    expect(recipe.status).toBe(201);
    expect([disabling, enabling]).toMatchObject([
      { status: 202, data: { change: { action: 'disable' } } },
      { status: 202, data: { change: { action: 'enable' } } },
    ]);
    const { generation, changes } = await platform.generations();
    const durations = { waiting: expect.any(Number), starting: expect.any(Number), draining: expect.any(Number) };
    expect(changes.toReversed()).toMatchObject([
      { action: 'enable', phase: 'done', durations },
      { action: 'disable', phase: 'done' },
      { action: 'enable', phase: 'done' },
    ]);
    expect(generation).toBe(4);
    expect(traffic.failures).toEqual([]);
    expect(traffic.answers).toBeGreaterThan(50);
  });

  it('finds its data again, and is enabled already, so that nothing has to change', async () => {
    const { data: recipes } = await platform.send('POST', '/api/cms/items/recipe/list', []);
    expect(recipes).toMatchObject([{ values: { name: 'Pea soup' } }]);

    const { status, data } = await platform.send('POST', `${path}/enable`);
    expect([status, data]).toMatchObject([200, { change: null, report: { outcome: 'ok' } }]);
    const enabled = await platform.gantry(['plugins', 'enable', 'recipes']);
    expect(enabled.stdout).toBe('recipes is enabled already.\n');
  });

  it('runs from its folder again after a command, and is listed with what a command decided while the platform started', async () => {
    const revisionOf = (): string => {
      const copy: unknown = JSON.parse(readFileSync(join(platform.home, 'plugin-set.json'), 'utf8'));
      return (copy as { readonly revision: string }).revision;
    };
    const revision = revisionOf();
    const before = (await platform.generations()).generation;
    const unpinned = await platform.gantry(['plugins', 'unpin', 'recipes']);
    const isFollowed = async (): Promise<boolean> => (await platform.generations()).generation > before;
    await eventually(isFollowed, 'the platform follows');
    const again = await platform.gantry(['plugins', 'unpin', 'recipes']);
    const { data } = await platform.send('GET', '/api/platform/plugins');
    const { notes } = (data as StartupReport).plugins.find(({ id }) => id === 'recipes') ?? {};

    expect([unpinned.stdout, again.stdout]).toEqual([
      'recipes runs from its folder in a few seconds.\n',
      'recipes runs from its folder already.\n',
    ]);
    expect([await stateOf('recipes'), notes]).toEqual(['started', undefined]);
    expect((await platform.generations()).changes[0]).toMatchObject({ action: 'enable', plugins: ['recipes'] });

    const pending = join(platform.home, 'plugins.json');
    const decide = (base: string): void =>
      writeFileSync(pending, JSON.stringify({ formatVersion: 1, base, plugins: { articles: { enabled: false } } }));
    const listed = async (): Promise<string> => (await platform.gantry(['plugins', 'list'])).stderr;
    decide(revision);
    expect(await listed()).toMatch(/No longer applies, .*: articles is disabled\./);
    decide(revisionOf());
    expect(await listed()).toMatch(/^Waits for the next start: articles is disabled\.$/m);
    rmSync(pending);
  });
});

describe('a change by command', () => {
  it('is reported as it went when the old host is killed meanwhile', async () => {
    const go = join(platform.home, 'go');
    const isThere = `require('node:fs').existsSync(${JSON.stringify(go)})`;
    drop('slow', `while (!${isThere}) await new Promise((resolve) => setTimeout(resolve, 50));`);
    const enabling = platform.gantry(['plugins', 'enable', 'slow']);
    // By then, the command has the answer of the old host.
    await eventually(
      async () => (await platform.generations()).changes[0]?.step === 'start slow',
      'the new host starts the plugin',
    );
    const { host } = JSON.parse(readFileSync(join(platform.home, 'run.json'), 'utf8')) as RunFile;
    process.kill(host?.pid ?? Number.NaN, 'SIGKILL');
    writeFileSync(go, '');

    expect(await enabling).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^slow is enabled .* 1\.0\.0\.\n$/) as string,
      stderr: expect.stringMatching(
        /^Took: check [\d.]+ s, waiting [\d.]+ s, starting [\d.]+ s, draining [\d.]+ s\n$/,
      ) as string,
    });
    expect(await stateOf('slow')).toBe('started');
  });
});

describe('a plugin from a tarball', () => {
  const pack = (version: string): string =>
    packPlugin(platform.environment['GANTRY_PROJECT'] ?? '', { id: 'boats', version });
  const versionOf = async (id: string): Promise<string | undefined> => {
    const { data } = await platform.send('GET', '/api/platform/plugins');
    return (data as StartupReport).plugins.find((plugin) => plugin.id === id)?.version;
  };

  it('is installed by command; edited files of another plugin do not matter to that, but when that one is enabled again', async () => {
    writeFileSync(join(platform.environment['GANTRY_PLUGIN_PATH'] ?? '', 'slow/index.js'), "throw new Error('edited')");

    const installed = await platform.gantry(['plugins', 'install', pack('1.0.0')]);

    expect(installed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Boats \(boats\) 1\.0\.0 is installed and enabled .*from .*1\.0\.0\.tgz \(sha512-.{88}\)\.\n$/,
      ) as string,
    });
    expect(await Promise.all(['boats', 'slow'].map(stateOf))).toEqual(['started', 'started']);
    const refused = await platform.send('POST', '/api/platform/plugins/slow/enable');
    expect(refused).toMatchObject({ status: 409, data: { code: 'PLUGIN_CHECK_FAILED' } });
  });

  it('is upgraded by command without a request that fails', async () => {
    const file = pack('2.0.0');
    const end = keepReading(platform.address, types);

    const again = await platform.gantry(['plugins', 'install', file]);
    // As from another machine.
    const remote = ['--url', platform.address];
    const upgraded = await platform.gantry(['plugins', 'upgrade', 'boats', '--to', file, ...remote]);
    const { failures } = await end();

    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`gantry plugins upgrade boats --to ${file}`) as string,
    });
    expect(upgraded.stdout).toMatch(
      /^Boats \(boats\) from version 1\.0\.0 to 2\.0\.0, from .*\n {2}ok +package\/location/s,
    );
    expect(upgraded.stdout).toMatch(/\nBoats \(boats\) is upgraded from version 1\.0\.0 to 2\.0\.0 now\.\n$/);
    expect([await stateOf('boats'), await versionOf('boats')]).toEqual(['started', '2.0.0']);
    expect(failures).toEqual([]);
  });

  it('is checked without a change, and upgraded by one of two requests: the other one is refused', async () => {
    const body = readFileSync(pack('2.1.0'));
    const upgrade = async (flags = '') => {
      const path = `/api/platform/plugins/boats/upgrade?name=boats-2.1.0.tgz${flags}`;
      const headers = { connection: 'close', 'content-type': 'application/gzip' };
      const response = await fetch(`${platform.address}${path}`, { method: 'POST', body, headers });
      return { status: response.status, ...((await response.json()) as object) };
    };
    const found = { plugin: 'boats', replaces: '2.0.0', installed: { from: 'boats-2.1.0.tgz' } };
    expect(await upgrade('&check=true')).toMatchObject({
      status: 200,
      data: { change: null, report: { outcome: 'ok' }, package: found },
    });
    expect(await versionOf('boats')).toBe('2.0.0');

    expect(await upgrade()).toMatchObject({ status: 202, data: { change: { action: 'upgrade' }, package: found } });
    expect(await upgrade()).toMatchObject({ status: 409, error: { code: 'PLUGIN_SET_CHANGED' } });

    await eventually(async () => (await platform.generations()).changes[0]?.phase === 'done', 'it is made');
    expect(await versionOf('boats')).toBe('2.1.0');
    expect(await upgrade()).toMatchObject({ status: 200, data: { change: null } });
  });

  const installed = {
    ...{ packageName: 'plain', version: '1.0.0', contentHash: 'sha256-none', source: 'registry', from: 'plain@1.0.0' },
    ...{ by: 'ada', at: '2026-01-01T00:00:00.000Z' },
  };

  it.each([
    ['install', { package: 'https://example.com/x.tgz' }, 400, 'VALIDATION_FAILED'],
    ['install', { package: '../plugins' }, 400, 'VALIDATION_FAILED'],
    ['install', { package: '--registry=http://127.0.0.1:1' }, 400, 'VALIDATION_FAILED'],
    ['install', { package: 'evil.tgz', version: '1.0.0' }, 400, 'VALIDATION_FAILED'],
    ['install', { package: 'github:acme/x' }, 400, 'VALIDATION_FAILED'],
    ['install', { package: 'plain', version: 'git+ssh://x' }, 400, 'VALIDATION_FAILED'],
    ['install', { package: 'plain', version: '-v' }, 400, 'VALIDATION_FAILED'],
    ['install', { package: 'plain', version: '^1.0.0' }, 400, 'VALIDATION_FAILED'],
    ['install', ['plain'], 400, 'BAD_REQUEST'],
    ['install', {}, 400, 'VALIDATION_FAILED'],
    ['install', { stored: { ...installed, contentHash: 1 } }, 400, 'VALIDATION_FAILED'],
    // Only a command that has the token of the home may choose from its store.
    ['install', { stored: installed }, 403, 'FORBIDDEN'],
    ['boats/upgrade', { stored: installed }, 403, 'FORBIDDEN'],
    ['nothing/upgrade', {}, 404, 'PLUGIN_NOT_FOUND'],
    ['articles/upgrade', {}, 409, 'CONFLICT'],
    ['articles/uninstall', { disable: 'yes' }, 400, 'VALIDATION_FAILED'],
    ['articles/uninstall', {}, 409, 'CONFLICT'],
    ['nothing/uninstall', {}, 404, 'PLUGIN_NOT_FOUND'],
  ])('is not what a request to %s means with %j', async (path, body, status, code) => {
    expect(await platform.send('POST', `/api/platform/plugins/${path}`, body)).toMatchObject({
      status,
      data: { code },
    });
  });

  it('is uninstalled and disabled by command, which names the command that deletes its data', async () => {
    const { code, stdout } = await platform.gantry(['plugins', 'uninstall', 'boats', '--disable']);

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^boats is uninstalled .*gantry plugins purge boats\n$/)]);
    expect(await stateOf('boats')).toBeUndefined();
    const left = readdirSync(join(platform.home, 'store')).filter((name) => name.startsWith('.'));
    expect(left).toEqual([]);
  });
});

describe('a change that cannot be', () => {
  it('names the plugins that need the one to be disabled, and disables them too when asked', async () => {
    const refused = await platform.send('POST', '/api/platform/plugins/articles/disable');
    expect(refused).toMatchObject({
      status: 409,
      data: { code: 'PLUGIN_NEEDED', details: [{ path: 'recipes', code: 'NEEDS_IT' }] },
    });

    await platform.change('/api/platform/plugins/articles/disable', { dependents: true });
    expect(await Promise.all(['articles', 'recipes'].map(stateOf))).toEqual(['disabled', 'disabled']);
    expect((await platform.send('POST', '/api/cms/items/recipe/list', [])).status).toBe(404);

    const blocked = await platform.send('POST', '/api/platform/plugins/recipes/enable');
    expect(blocked).toMatchObject({
      status: 409,
      data: { code: 'PLUGIN_CHECK_FAILED', details: [{ path: 'dependencies', code: 'DEPENDENCY_DISABLED' }] },
    });
  });

  it.each([
    ['POST', '/api/platform/plugins/nothing/enable', undefined, 404, 'PLUGIN_NOT_FOUND'],
    ['POST', '/api/platform/plugins/nothing/check', undefined, 404, 'PLUGIN_NOT_FOUND'],
    ['POST', '/api/platform/plugins/nothing/disable', undefined, 404, 'PLUGIN_NOT_FOUND'],
    ['POST', '/api/platform/plugins/articles/disable', { dependants: true }, 400, 'VALIDATION_FAILED'],
    ['POST', '/api/platform/plugins/articles/enable', { force: true }, 400, 'VALIDATION_FAILED'],
    ['POST', '/api/platform/plugins/articles/enable?force=true', undefined, 400, 'BAD_REQUEST'],
    ['GET', '/api/platform/plugins/articles/enable', undefined, 405, 'METHOD_NOT_ALLOWED'],
  ])('is refused: %s %s', async (method, path, body, status, code) => {
    expect(await platform.send(method, path, body)).toMatchObject({ status, data: { code } });
  });

  it('is undone with the reason when the plugin fails in the new generation, and the old one continues', async () => {
    drop('sulky', "throw new Error('not today')");
    const before = readFileSync(join(platform.home, 'plugin-set.json'), 'utf8');
    const { generation } = await platform.generations();
    const end = keepReading(platform.address, types);

    const enabled = await platform.gantry(['plugins', 'enable', 'sulky']);
    const { failures } = await end();

    expect(enabled.code).toBe(1);
    expect(enabled.stderr).toMatch(/^gantry: sulky was not enabled, .*unchanged: .*not today.*\n {2}.+\n$/);
    expect((await platform.generations()).changes[0]).toMatchObject({
      phase: 'failed',
      error: { code: 'GENERATION_REFUSED', message: expect.stringContaining('not today') as string },
    });
    expect(failures).toEqual([]);
    expect((await platform.generations()).generation).toBe(generation);
    expect(readFileSync(join(platform.home, 'plugin-set.json'), 'utf8')).toBe(before);
  });
});
