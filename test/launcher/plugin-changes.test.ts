import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginCheckReport, PluginPackage, StartupReport } from '@gantry/contracts';
import { dropPlugin } from '../support/drop-plugin';
import { packPlugin } from '../support/pack-plugin';
import { eventually } from '../support/eventually';
import { keepReading, startChangingPlatform, type ChangingPlatform } from './changing-platform';

const types = '/api/cms/items/types';

let platform: ChangingPlatform;
beforeAll(async () => {
  platform = await startChangingPlatform(['plugins/catalog', 'plugins/articles']);
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
  it('is checked, enabled and used without a request that fails, and disabled again', async () => {
    platform.drop('test/samples/recipes');
    const { data: report } = await platform.send('POST', '/api/platform/plugins/recipes/check');
    expect(report).toMatchObject({ plugin: 'recipes', outcome: 'ok' } satisfies Partial<PluginCheckReport>);
    expect(await typeCodes()).not.toContain('recipe');

    const end = keepReading(platform.address, types);
    const enabled = await platform.change('/api/platform/plugins/recipes/enable');
    const recipe = await platform.send('POST', '/api/cms/items/recipe', { name: 'Pea soup', minutes: 30 });
    const disabled = await platform.change('/api/platform/plugins/recipes/disable');
    const traffic = await end();

    expect([enabled.phase, disabled.phase]).toEqual(['done', 'done']);
    expect(recipe.status).toBe(201);
    expect(traffic.failures).toEqual([]);
    expect(traffic.answers).toBeGreaterThan(100);
    expect((await platform.generations()).generation).toBe(3);
    expect((await platform.send('POST', '/api/cms/items/recipe/list', [])).status).toBe(404);
  });

  it('finds its data again when it is enabled from the command line', async () => {
    const enabled = await platform.gantry(['plugins', 'enable', 'recipes']);

    expect(enabled).toEqual({
      code: 0,
      stdout: 'recipes is enabled now; pinned to version 1.2.0.\n',
      stderr: '',
    });
    const { data } = await platform.send('POST', '/api/cms/items/recipe/list', []);
    expect(data).toMatchObject([{ values: { name: 'Pea soup' } }]);
  });

  it('is enabled already, so that nothing has to change', async () => {
    const { status, data } = await platform.send('POST', '/api/platform/plugins/recipes/enable');

    expect([status, data]).toMatchObject([200, { change: null, report: { outcome: 'ok' } }]);
    const enabled = await platform.gantry(['plugins', 'enable', 'recipes']);
    expect(enabled.stdout).toBe('recipes is enabled already.\n');
  });
});

describe('a change that is asked for while another one is under way', () => {
  it('is made after it, and not taken for fulfilled', async () => {
    const path = '/api/platform/plugins/recipes';
    const disabled = await platform.send('POST', `${path}/disable`);
    const enabled = await platform.send('POST', `${path}/enable`);

    expect([disabled, enabled]).toMatchObject([
      { status: 202, data: { change: { action: 'disable' } } },
      { status: 202, data: { change: { action: 'enable' } } },
    ]);
    await eventually(async () => (await platform.generations()).changes[0]?.phase === 'done', 60_000, 'it is made');
    const [second, first] = (await platform.generations()).changes;
    expect([first, second]).toMatchObject([
      { action: 'disable', phase: 'done' },
      { action: 'enable', phase: 'done' },
    ]);
    expect(await stateOf('recipes')).toBe('started');
  });

  it('is reported as it went when the old host is killed meanwhile', async () => {
    drop('slow', 'await new Promise((resolve) => setTimeout(resolve, 2000))');
    const enabling = platform.gantry(['plugins', 'enable', 'slow']);
    // By then, the command has the answer of the old host.
    await eventually(
      async () => (await platform.generations()).changes[0]?.step === 'start slow',
      60_000,
      'the new host starts the plugin',
    );
    const { host } = JSON.parse(readFileSync(join(platform.home, 'run.json'), 'utf8')) as RunFile;
    process.kill(host?.pid ?? Number.NaN, 'SIGKILL');

    expect(await enabling).toEqual({
      code: 0,
      stdout: 'slow is enabled now; pinned to version 1.0.0.\n',
      stderr: '',
    });
    expect(await stateOf('slow')).toBe('started');
    expect((await platform.change('/api/platform/plugins/slow/disable')).phase).toBe('done');
  });
});

describe('the files of an enabled plugin', () => {
  it('do not matter to a change of another one, and are looked at when the plugin is enabled again', async () => {
    const folder = drop('steady', '');
    expect((await platform.change('/api/platform/plugins/steady/enable')).phase).toBe('done');
    writeFileSync(join(folder, 'index.js'), "throw new Error('edited')");

    expect((await platform.change('/api/platform/plugins/articles/enable')).phase).toBe('done');

    expect(await stateOf('steady')).toBe('started');
    const refused = await platform.send('POST', '/api/platform/plugins/steady/enable');
    expect(refused).toMatchObject({ status: 409, data: { code: 'PLUGIN_CHECK_FAILED' } });
  });
});

describe('a plugin from a tarball', () => {
  const pack = (version: string, start?: string): string =>
    packPlugin(platform.environment['GANTRY_PROJECT'] ?? '', { id: 'boats', version, ...(start && { start }) });
  const versionOf = async (id: string): Promise<string | undefined> => {
    const { data } = await platform.send('GET', '/api/platform/plugins');
    return (data as StartupReport).plugins.find((plugin) => plugin.id === id)?.version;
  };

  it('is installed and upgraded by command without a request that fails; a version that does not start changes nothing', async () => {
    const files = [pack('1.0.0'), pack('2.0.0'), pack('3.0.0', "throw new Error('leaks')")];
    const end = keepReading(platform.address, types);

    const installed = await platform.gantry(['plugins', 'install', files[0] ?? '']);
    const again = await platform.gantry(['plugins', 'install', files[1] ?? '']);
    // As from another machine.
    const remote = ['--url', platform.address];
    const upgraded = await platform.gantry(['plugins', 'upgrade', 'boats', '--to', files[1] ?? '', ...remote]);
    const faulty = await platform.gantry(['plugins', 'upgrade', 'boats', '--to', files[2] ?? '']);
    const { failures } = await end();

    expect(installed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Boats \(boats\) 1\.0\.0 is installed and enabled now, from .*1\.0\.0\.tgz \(sha512-.{88}\)\.\n$/,
      ) as string,
    });
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`gantry plugins upgrade boats --to ${files[1] ?? ''}`) as string,
    });
    expect(upgraded.stdout).toMatch(
      /^Boats \(boats\) from version 1\.0\.0 to 2\.0\.0, from .*\n {2}ok +package\/location/s,
    );
    expect(upgraded.stdout).toMatch(/\nBoats \(boats\) is upgraded from version 1\.0\.0 to 2\.0\.0 now\.\n$/);
    expect([faulty.code, faulty.stderr]).toEqual([1, expect.stringMatching(/the plugins are unchanged: .*leaks/)]);
    expect([await stateOf('boats'), await versionOf('boats')]).toEqual(['started', '2.0.0']);
    expect(failures).toEqual([]);
  });

  it('is one of two changes of it at the same time, and the other one is refused', async () => {
    const body = readFileSync(pack('2.1.0'));
    const headers = { connection: 'close', 'content-type': 'application/gzip' };
    const fetched = await fetch(`${platform.address}/api/platform/plugin-packages?name=boats-2.1.0.tgz`, {
      ...{ method: 'POST', body, headers },
    });
    const { data } = (await fetched.json()) as { readonly data: PluginPackage };
    expect([fetched.status, data]).toMatchObject([
      201,
      { plugin: 'boats', replaces: '2.0.0', installed: { from: 'boats-2.1.0.tgz' }, report: { outcome: 'ok' } },
    ]);

    const path = '/api/platform/plugins/boats';
    // Either may arrive first.
    const both = await Promise.all([0, 1].map(() => platform.send('POST', `${path}/upgrade`, { package: data.id })));

    expect(both.toSorted((left, right) => left.status - right.status)).toMatchObject([
      { status: 202 },
      { status: 409, data: { code: 'PLUGIN_SET_CHANGED' } },
    ]);
    await eventually(async () => (await platform.generations()).changes[0]?.phase === 'done', 60_000, 'it is made');
    expect(await versionOf('boats')).toBe('2.1.0');
    const again = await platform.send('POST', `${path}/upgrade`, { package: data.id });
    expect(again).toMatchObject({ status: 200, data: { change: null } });
  });

  it.each([
    ['plugin-packages', { package: 'https://example.com/x.tgz' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { package: '../plugins' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { package: '--registry=http://127.0.0.1:1' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { package: 'evil.tgz', version: '1.0.0' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { package: 'github:acme/x' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { package: 'plain', version: 'git+ssh://x' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { package: 'plain', version: '-v' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { package: 'plain', version: '^1.0.0' }, 400, 'BAD_REQUEST'],
    ['plugin-packages', { plugin: 'nothing' }, 404, 'PLUGIN_NOT_FOUND'],
    ['plugin-packages', { plugin: 'catalog' }, 409, 'CONFLICT'],
    ['plugin-packages', ['plain'], 400, 'BAD_REQUEST'],
    ['plugin-packages/nothing/check', {}, 404, 'NOT_FOUND'],
    ['plugins/boats/install', {}, 400, 'BAD_REQUEST'],
    ['plugins/boats/install', { package: '../plugin-set' }, 404, 'NOT_FOUND'],
    ['plugins/catalog/uninstall', { disable: 'yes' }, 400, 'BAD_REQUEST'],
    ['plugins/catalog/uninstall', {}, 409, 'CONFLICT'],
    ['plugins/nothing/uninstall', {}, 404, 'PLUGIN_NOT_FOUND'],
  ])('is not what a request to %s means with %j', async (path, body, status, code) => {
    expect(await platform.send('POST', `/api/platform/${path}`, body)).toMatchObject({ status, data: { code } });
  });
});

describe('a change after which a plugin answers with faults', () => {
  const writeOven = (version: string, handler: string, gantry: object = {}): void => {
    const plugin = { id: 'oven', start: '', json: { version }, gantry, route: { path: '/oven', handler } };
    dropPlugin(platform.environment['GANTRY_PLUGIN_PATH'] ?? '', plugin);
  };
  const statusOf = async (method: string, path: string): Promise<number> => (await platform.send(method, path)).status;

  it('is taken back while requests are answered, and reported wherever changes are: an upgrade', async () => {
    writeOven('1.0.0', "return { data: 'warm' };");
    expect((await platform.change('/api/platform/plugins/oven/enable')).phase).toBe('done');
    writeOven('2.0.0', "throw new Error('cold');");
    const upgraded = await platform.change('/api/platform/plugins/oven/enable');
    const { generation } = await platform.generations();
    const end = keepReading(platform.address, types);

    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, count) => statusOf(count % 3 === 0 ? 'DELETE' : 'GET', '/oven')),
    );
    await eventually(async () => (await statusOf('GET', '/oven')) === 200, 60_000, 'the version before answers');
    const traffic = await end();

    expect([...new Set(statuses)].toSorted()).toEqual([405, 500]);
    expect(traffic.failures).toEqual([]);
    // Until the generation before has ended, it may answer.
    await eventually(async () => (await platform.generations()).changes[0]?.phase === 'done', 60_000, 'it has ended');
    const { changes, ...after } = await platform.generations();
    expect(after.generation).toBe(generation + 1);
    const error = {
      code: 'PLUGIN_ERROR_RATE',
      message: expect.stringMatching(
        /^The change was undone: the plugin "oven" failed to answer \d+ of \d+ requests since the change/,
      ) as string,
      remedy: 'Fix the plugin, then enable it again.',
    };
    expect(changes.slice(0, 2)).toMatchObject([
      { action: 'enable', plugins: ['oven'], undoes: upgraded.id },
      { id: upgraded.id, phase: 'failed', error },
    ]);
    const ready = await platform.send('GET', '/readyz');
    expect(ready).toMatchObject({
      status: 200,
      data: {
        status: 'degraded',
        parts: expect.arrayContaining([expect.objectContaining({ name: 'plugin change' })]) as unknown,
      },
    });
    const listed = await platform.gantry(['plugins', 'list']);
    expect(listed.stderr).toMatch(/^Latest change \(enable oven\): The change was undone: /m);
    expect((await platform.change('/api/platform/plugins/oven/disable')).phase).toBe('done');
  });

  it('is taken back: an uninstallation of a plugin that it uses where it is there', async () => {
    const withoutBoats = join(platform.home, 'without-boats');
    const handler = `if (require('node:fs').existsSync(${JSON.stringify(withoutBoats)})) throw new Error('cold'); return { data: 'warm' };`;
    writeOven('1.1.0', handler, { optionalDependsOn: { boats: '*' } });
    expect((await platform.change('/api/platform/plugins/oven/enable')).phase).toBe('done');
    const uninstalled = await platform.change('/api/platform/plugins/boats/uninstall', { disable: true });
    expect([uninstalled.phase, await stateOf('boats')]).toEqual(['done', undefined]);

    writeFileSync(withoutBoats, '');
    await Promise.all(Array.from({ length: 25 }, () => statusOf('GET', '/oven')));
    await eventually(async () => (await stateOf('boats')) === 'started', 60_000, 'it runs again');

    const { changes } = await platform.generations();
    expect(changes.slice(0, 2)).toMatchObject([
      { action: 'enable', plugins: ['boats'], undoes: uninstalled.id },
      { id: uninstalled.id, phase: 'failed', error: { code: 'PLUGIN_ERROR_RATE' } },
    ]);
    await eventually(async () => (await platform.generations()).changes[0]?.phase === 'done', 60_000, 'it has ended');
  });
});

describe('a plugin that is not used any more', () => {
  it('is uninstalled, and its files are removed with the next change', async () => {
    const uninstalled = await platform.gantry(['plugins', 'uninstall', 'boats', '--disable']);

    expect(uninstalled.stdout).toBe(
      'boats is uninstalled now; its data are kept. To delete them: gantry plugins purge boats\n',
    );
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

    const blocked = await platform.send('POST', '/api/platform/plugins/recipes/enable');
    expect(blocked).toMatchObject({
      status: 409,
      data: { code: 'PLUGIN_CHECK_FAILED', details: [{ path: 'dependencies', code: 'DEPENDENCY_DISABLED' }] },
    });
    await platform.change('/api/platform/plugins/articles/enable');
  });

  it.each([
    ['POST', '/api/platform/plugins/nothing/enable', undefined, 404, 'PLUGIN_NOT_FOUND'],
    ['POST', '/api/platform/plugins/nothing/check', undefined, 404, 'PLUGIN_NOT_FOUND'],
    ['POST', '/api/platform/plugins/nothing/disable', undefined, 404, 'PLUGIN_NOT_FOUND'],
    ['POST', '/api/platform/plugins/catalog/disable', { dependants: true }, 400, 'BAD_REQUEST'],
    ['POST', '/api/platform/plugins/catalog/enable', { force: true }, 400, 'BAD_REQUEST'],
    ['POST', '/api/platform/plugins/catalog/enable?force=true', undefined, 400, 'BAD_REQUEST'],
    ['GET', '/api/platform/plugins/catalog/enable', undefined, 405, 'METHOD_NOT_ALLOWED'],
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
    expect(enabled.stderr).toMatch(
      /^gantry: sulky was not enabled, and the plugins are unchanged: .*not today.*\n {2}.+\n$/,
    );
    expect((await platform.generations()).changes[0]).toMatchObject({
      phase: 'failed',
      error: { code: 'GENERATION_REFUSED', message: expect.stringContaining('not today') as string },
    });
    expect(failures).toEqual([]);
    expect((await platform.generations()).generation).toBe(generation);
    expect(readFileSync(join(platform.home, 'plugin-set.json'), 'utf8')).toBe(before);
  });

  it('is undone when the plugin takes the new generation down', async () => {
    drop('deadly', 'process.reallyExit(9)');

    expect(await platform.change('/api/platform/plugins/deadly/enable')).toMatchObject({
      phase: 'failed',
      error: { message: expect.stringContaining('The plugin deadly ended the host process during start') as string },
    });
    expect(await stateOf('catalog')).toBe('started');
  });
});
