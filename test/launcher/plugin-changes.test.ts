import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginCheckReport, StartupReport } from '@gantry/contracts';
import { dropPlugin } from '../support/drop-plugin';
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
  readonly successor?: { readonly pid: number };
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
    let running: RunFile = {};
    await eventually(
      () => {
        running = JSON.parse(readFileSync(join(platform.home, 'run.json'), 'utf8')) as RunFile;
        return running.successor !== undefined;
      },
      60_000,
      'the new host starts',
    );
    process.kill(running.host?.pid ?? 0, 'SIGKILL');

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
