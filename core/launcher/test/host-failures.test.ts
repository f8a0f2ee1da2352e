import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../test/support/eventually';
import { makeHome, removeHomes } from './support/homes';
import { askHost, endOuters, startOuter } from './support/outer';
import { usePreparedHomes } from './support/prepared-home';

/** No separate server: what is tested here is the host. */
const database = { DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '' };

const preparedHome = usePreparedHomes();

afterEach(endOuters);

afterAll(removeHomes);

describe('plugins that take the host down at start', () => {
  it('are left out, each with its reason, and the rest is served; what the host printed is in the log file, one JSON line each', async () => {
    const behaviours = { alpha: 'ok', beta: 'throw', gamma: 'ok', delta: 'exit', epsilon: 'hang', zeta: 'crash' };
    const home = makeHome();
    const outer = startOuter({ home, env: { ...database, FIXTURE_PLUGINS: JSON.stringify(behaviours) } });

    const host = await askHost(await outer.ready);

    const leftOut = (plugin: string, code: string, reason: RegExp) => {
      return { plugin, phase: 'start', code, reason: expect.stringMatching(reason) as string };
    };
    expect(host.quarantines).toEqual([
      leftOut('beta', 'PLUGIN_CRASHED', /crashed .* start: TypeError: beta has no such thing/),
      leftOut('delta', 'PLUGIN_EXITED', /ended .* start \(exit code 3\)/),
      leftOut('epsilon', 'PLUGIN_HUNG', / from start /),
      leftOut('zeta', 'PLUGIN_CRASHED', /crashed .* start \(SIGABRT\)/),
    ]);
    for (const id of ['alpha', 'gamma']) expect(outer.output()).toMatch(new RegExp(`${id} 1\\.0\\.0 +started`));
    for (const { plugin } of host.quarantines) {
      expect(outer.output()).toMatch(new RegExp(`${plugin} 1\\.0\\.0 +failed\n +it .*\n +Fix the plugin`));
    }

    outer.kill('SIGINT');
    await outer.exit;
    const lines = readFileSync(join(home, 'logs/host.log'), 'utf8').trim().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
    expect(messages).toContain('serving');
    expect(messages).toContain('TypeError: beta has no such thing');
    expect(messages).toContain('draining: the platform was asked to stop');
  });
});

describe('a host that ends while it serves', () => {
  it('by itself, after kill -9 and without a heartbeat is started again on the same address, where 503 with Retry-After is answered meanwhile, but not because the launcher was suspended (Ctrl-Z)', async () => {
    const outer = startOuter({ home: makeHome(), env: { ...database, FIXTURE_SILENCE_MS: '1500' } });
    const address = await outer.ready;
    const first = await askHost(address);
    const pids = [first.pid];
    const restarted = async (pattern: string): Promise<void> => {
      await outer.printed(new RegExp(`${pattern}[^]*the host is ready again`));
      const after = await askHost(address);
      expect(pids).not.toContain(after.pid);
      expect(after.quarantines).toEqual([]);
      expect([first.isRestart, after.isRestart]).toEqual([undefined, true]);
      pids.push(after.pid);
    };

    await fetch(`${address}/exit`).catch(() => {});
    await restarted(String.raw`the host ended unexpectedly \(exit code 7\)`);

    process.kill(pids.at(-1) ?? Number.NaN, 'SIGKILL');
    const answers = [];
    while (answers.at(-1)?.status !== 200) answers.push(await ask(address));
    await restarted(String.raw`the host ended unexpectedly \(SIGKILL\)`);
    // No connection has failed.
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([503, 200]);
    expect(answers[0]).toMatchObject({
      retryAfter: '2',
      body: { error: { code: 'UNAVAILABLE', requestId: 'none' } },
    });

    void fetch(`${address}/hang`).catch(() => {});
    await restarted(String.raw`the host no longer answered and was ended \(unattributed\)\. The host is restarted`);

    outer.kill('SIGSTOP');
    const stopped = performance.now();
    await eventually(() => performance.now() - stopped > 2_000, 'it was suspended for longer than it is patient');
    outer.kill('SIGCONT');
    await eventually(() => performance.now() - stopped > 3_500, 'it has been awake for a while');
    expect((await askHost(address)).pid).toBe(pids.at(-1));
  });

  it.each(['before-ready', 'at-once'])(
    'again and again (%s) is started again until the platform is stopped, and nothing is left running',
    async (dies) => {
      const home = preparedHome();
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

/** On a separate connection: one that was kept may lead to a host that was killed. */
async function ask(address: string) {
  const response = await fetch(address, { headers: { connection: 'close' } });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
}

/** Files that exist only while a platform runs. */
const filesOfRun = ['run.json', 'lock', 'postgres/data/postmaster.pid'];
