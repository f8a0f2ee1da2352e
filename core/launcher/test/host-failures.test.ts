import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../test/support/eventually';
import { makeHome, removeHomes } from './support/homes';
import { askHost, endOuters, startOuter } from './support/outer';

/** No separate server: what is tested here is the host. */
const database = { DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '' };

afterEach(async () => {
  await endOuters();
  removeHomes();
});

describe('a plugin that takes the host down at start', () => {
  it.each([
    ['hang', 'PLUGIN_HUNG', /did not return from start in time/],
    ['exit', 'PLUGIN_EXITED', /ended the host process during start \(exit code 3\)/],
    ['crash', 'PLUGIN_CRASHED', /crashed the host process during start \(SIGABRT\)/],
    ['throw', 'PLUGIN_CRASHED', /crashed the host process during start: TypeError: beta has no such thing/],
  ])('by %s is left out as %s, and the rest is served', async (behaviour, code, reason) => {
    const plugins = JSON.stringify({ alpha: 'ok', beta: behaviour, gamma: 'ok' });
    const outer = startOuter({ home: makeHome(), env: { ...database, FIXTURE_PLUGINS: plugins } });

    const host = await askHost(await outer.ready);

    expect(host.quarantines).toEqual([
      { plugin: 'beta', phase: 'start', code, reason: expect.stringMatching(reason) as string },
    ]);
    expect(outer.output()).toMatch(/alpha 1\.0\.0 +started/);
    expect(outer.output()).toMatch(/beta 1\.0\.0 +failed\n +it .*\n +Fix the plugin/);
    expect(outer.output()).toMatch(/gamma 1\.0\.0 +started/);
  });

  it('does not keep others that do the same from being left out too', async () => {
    const plugins = JSON.stringify({ alpha: 'exit', beta: 'hang', gamma: 'ok', delta: 'crash' });
    const outer = startOuter({ home: makeHome(), env: { ...database, FIXTURE_PLUGINS: plugins } });

    const host = await askHost(await outer.ready);

    expect(host.quarantines.map(({ plugin }) => plugin)).toEqual(['alpha', 'beta', 'delta']);
  });
});

describe('a host that ends while it serves', () => {
  it('is started again on the same address', async () => {
    const outer = startOuter({ home: makeHome(), env: database });
    const address = await outer.ready;
    const before = await askHost(address);

    await fetch(`${address}/exit`).catch(() => {});
    await outer.printed(/the host is ready again/);

    const after = await askHost(address);
    expect(after.pid).not.toBe(before.pid);
    expect(after.quarantines).toEqual([]);
    expect(outer.output()).toContain('the host ended unexpectedly (exit code 7)');
  });

  it('is started again after kill -9', async () => {
    const outer = startOuter({ home: makeHome(), env: database });
    const address = await outer.ready;
    process.kill((await askHost(address)).pid, 'SIGKILL');

    await outer.printed(/the host is ready again/);

    expect((await fetch(address)).status).toBe(200);
  });

  it('or gives no heartbeat any more is ended and started again', async () => {
    const outer = startOuter({ home: makeHome(), env: { ...database, FIXTURE_SILENCE_MS: '1500' } });
    const address = await outer.ready;

    void fetch(`${address}/hang`).catch(() => {});
    await outer.printed(
      /the host no longer answered and was ended \(unattributed\)\. The host is restarted[\s\S]*the host is ready again/,
    );

    expect((await fetch(address)).status).toBe(200);
  });

  it('is not taken for dead because the launcher was suspended for a while (Ctrl-Z)', async () => {
    const outer = startOuter({ home: makeHome(), env: { ...database, FIXTURE_SILENCE_MS: '1000' } });
    const address = await outer.ready;
    const before = await askHost(address);

    outer.kill('SIGSTOP');
    const stopped = performance.now();
    await eventually(
      () => performance.now() - stopped > 1_500,
      30_000,
      'it was suspended for longer than it is patient',
    );
    outer.kill('SIGCONT');
    await eventually(() => performance.now() - stopped > 2_500, 30_000, 'it has been awake for a while');

    expect((await askHost(address)).pid).toBe(before.pid);
  });

  it.each(['before-ready', 'at-once'])(
    'again and again (%s) is started again until the platform is stopped, and nothing is left running',
    async (dies) => {
      const home = makeHome();
      const outer = startOuter({ home, env: { FIXTURE_DIES: dies } });
      await outer.printed(/(?:is restarted[\s\S]*){4}/);

      outer.kill('SIGINT');

      expect((await outer.exit).code).toBe(0);
      expect(outer.output()).toMatch(/the host ended unexpectedly \(exit code [45]\) \(unattributed\)/);
      expect(filesOfRun.filter((name) => existsSync(join(home, name)))).toEqual([]);
      expect(readdirSync(join(home, 'postgres')).filter((name) => name.startsWith('initialising'))).toEqual([]);
    },
  );
});

/** What is there only while a platform runs. */
const filesOfRun = ['run.json', 'lock', 'postgres/data/postmaster.pid'];

describe('what the host prints', () => {
  it('is in the log file, one JSON line each, also when it was no JSON', async () => {
    const home = makeHome();
    const outer = startOuter({ home, env: { ...database, FIXTURE_PLUGINS: '{"alpha":"throw"}' } });
    await outer.ready;
    outer.kill('SIGINT');
    await outer.exit;

    const lines = readFileSync(join(home, 'logs/host.log'), 'utf8').trim().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
    expect(messages).toContain('serving');
    expect(messages).toContain('TypeError: beta has no such thing');
    expect(messages).toContain('draining: the platform was asked to stop');
  });
});
