import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { GenerationsReport, PluginChange } from '@gantry/contracts';
import { isRunning } from '../../../test/support/is-running';
import { eventually } from '../../../test/support/eventually';
import { makeHome, removeHomes } from './support/homes';
import { askHost, endOuters, startOuter, type Outer } from './support/outer';

/** No separate server: what is tested here is the change of hosts. */
const database = { DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '' };

afterEach(async () => {
  await endOuters();
  removeHomes();
});

interface Platform {
  readonly home: string;
  readonly outer: Outer;
  readonly address: string;
}

async function start(): Promise<Platform> {
  const home = makeHome();
  const outer = startOuter({ home, env: database });
  return { home, outer, address: await outer.ready };
}

async function ask(address: string, action: 'enable' | 'disable', id: string): Promise<string> {
  return ((await (await fetch(`${address}/${action}/${id}`)).json()) as { readonly change: string }).change;
}

async function generations(address: string): Promise<GenerationsReport> {
  return (await (await fetch(`${address}/generations`)).json()) as GenerationsReport;
}

async function ended(address: string, id: string): Promise<PluginChange> {
  let found: PluginChange | undefined;
  await eventually(async () => {
    found = (await generations(address)).changes.find((change) => change.id === id);
    return found?.phase === 'done' || found?.phase === 'failed';
  }, 'the change has ended');
  if (found === undefined) throw new Error('There is no such change');
  return found;
}

function decided(home: string): unknown {
  const file = join(home, 'plugins.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { plugins: unknown }).plugins : {};
}

/** Sends requests one after the other, on several connections, until stopped. */
function stream(address: string): () => Promise<{ readonly answered: number; readonly failures: readonly string[] }> {
  let isOn = true;
  let answered = 0;
  const failures: string[] = [];
  const client = async (): Promise<void> => {
    while (isOn) {
      try {
        const response = await fetch(address);
        await response.text();
        answered += 1;
        if (response.status !== 200) failures.push(String(response.status));
      } catch (error) {
        failures.push(String((error as Error).cause ?? error));
      }
      // The hosts that replace each other need the processor, too.
      await pause(5);
    }
  };
  const clients = [client(), client(), client(), client()];
  return async () => {
    isOn = false;
    await Promise.all(clients);
    return { answered, failures };
  };
}

describe('a change of the plugins', () => {
  it('brings another host into the place of the one that serves, also one after the other, and no request fails', async () => {
    const { home, outer, address } = await start();
    const before = await askHost(address);
    const stopped = stream(address);

    const [first, second] = await Promise.all([ask(address, 'enable', 'delta'), ask(address, 'disable', 'alpha')]);
    await eventually(async () => {
      const phases = (await generations(address)).changes.map(({ phase }) => phase);
      return phases.length === 2 && phases.includes('waiting');
    }, 'one waits while the other one is made');
    const changes = await Promise.all([ended(address, first), ended(address, second)]);
    const { answered, failures } = await stopped();
    const after = await askHost(address);

    expect(changes).toMatchObject([
      { action: 'enable', plugins: ['delta'], phase: 'done' },
      { action: 'disable', plugins: ['alpha'], phase: 'done' },
    ]);
    expect([answered > 5, failures]).toEqual([true, []]);
    expect(after.pid).not.toBe(before.pid);
    expect(after.plugins).toEqual(['delta']);
    expect(isRunning(before.pid)).toBe(false);
    // The first of the two generations has stopped its plugins by now, which is no step of its own change.
    const report = await generations(address);
    expect([report.generation, report.changes.map(({ phase }) => phase)]).toEqual([3, ['done', 'done']]);
    expect(decided(home)).toMatchObject({ alpha: { enabled: false }, delta: { enabled: true } });
    expect(outer.output()).not.toContain('the host is ready again');
  });

  it('outlives a restart of the host and the next start', async () => {
    const { home, outer, address } = await start();
    await ended(address, await ask(address, 'disable', 'alpha'));

    await fetch(`${address}/exit`).catch(() => {});
    await outer.printed(/the host is ready again/);
    expect((await askHost(address)).plugins).toEqual([]);
    outer.kill('SIGINT');
    await outer.exit;

    const next = startOuter({ home, env: database });
    expect((await askHost(await next.ready)).plugins).toEqual([]);
  });

  it('that the new host does not survive is undone, and the old one continues', async () => {
    const { home, address } = await start();
    const before = await askHost(address);
    const stopped = stream(address);

    const changes: PluginChange[] = [];
    for (const id of ['exit', 'hang', 'crash', 'fatal']) {
      changes.push(await ended(address, await ask(address, 'enable', id)));
    }
    const { failures } = await stopped();

    const failed = (code: string, message: RegExp) => ({
      phase: 'failed',
      error: { code, message: expect.stringMatching(message) as string, remedy: expect.any(String) as string },
    });
    expect(changes).toMatchObject([
      failed('PLUGIN_EXITED', / exit ended .* start \(exit code 3\)/),
      failed('PLUGIN_HUNG', / hang .* start /),
      failed('PLUGIN_CRASHED', / crash crashed .* start/),
      failed('GENERATION_REFUSED', /It would not run/),
    ]);
    expect(failures).toEqual([]);
    expect((await askHost(address)).pid).toBe(before.pid);
    expect((await generations(address)).generation).toBe(1);
    expect(decided(home)).toEqual({});
  });
});

describe('kill -9 during a change', () => {
  /** The new host hangs in a plugin, for as long as the launcher waits for it. @param earlier a new host from before */
  async function duringChange(
    { address, home }: Platform,
    earlier = 0,
  ): Promise<{ readonly old: number; readonly next: number; readonly id: string }> {
    const old = (await askHost(address)).pid;
    const id = await ask(address, 'enable', 'hang');
    let next = 0;
    await eventually(() => {
      const content = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as { successor?: { pid: number } };
      next = content.successor?.pid ?? 0;
      return next !== 0 && next !== earlier;
    }, 'the new host starts');
    return { old, next, id };
  }

  it('of the new host leaves the old one as it is, and of the launcher neither host behind: the next start has the old plugins', async () => {
    const platform = await start();
    const { address, home, outer } = platform;
    const killed = await duringChange(platform);

    process.kill(killed.next, 'SIGKILL');

    expect(await ended(address, killed.id)).toMatchObject({ phase: 'failed' });
    expect((await askHost(address)).pid).toBe(killed.old);
    expect(decided(home)).toEqual({});

    const { old, next } = await duringChange(platform, killed.next);
    outer.kill('SIGKILL');
    await outer.exit;
    const after = startOuter({ home, env: database });

    expect((await askHost(await after.ready)).plugins).toEqual(['alpha']);
    expect([isRunning(old), isRunning(next)]).toEqual([false, false]);
  });

  it('of the old host brings the old plugins back when the new one does not come to serve', async () => {
    const platform = await start();
    const { address, home, outer } = platform;
    const { old } = await duringChange(platform);

    process.kill(old, 'SIGKILL');
    await outer.printed(/the host is ready again/);

    expect((await askHost(address)).plugins).toEqual(['alpha']);
    expect(decided(home)).toEqual({});
  });
});

describe('a reload', () => {
  const startReloading = async (plugins: string): Promise<Platform> => {
    const home = makeHome();
    const outer = startOuter({ home, env: { ...database, FIXTURE_RELOADS: '1', FIXTURE_PLUGINS: plugins } });
    return { home, outer, address: await outer.ready };
  };

  it('brings another host with the same plugins into the place of the one that serves, and no request fails; a crash after it takes no earlier decision back', async () => {
    const { home, outer, address } = await startReloading('{"alpha":"ok"}');
    const pids = [(await askHost(address)).pid];
    const stopped = stream(address);
    for (const count of [1, 2]) {
      outer.kill('SIGUSR2');
      await outer.printed(new RegExp(`(reload: "done"[^]*){${count}}`));
      pids.push((await askHost(address)).pid);
    }
    expect((await stopped()).failures).toEqual([]);
    expect(new Set(pids).size).toBe(3);
    expect([(await generations(address)).changes, decided(home)]).toEqual([[], {}]);

    // It is no change of the plugins.
    await ended(address, await ask(address, 'disable', 'beta'));
    outer.kill('SIGUSR2');
    await outer.printed(/(?:reload: "done"[^]*){3}/);
    await fetch(`${address}/crash/alpha`).catch(() => {});
    await outer.printed(/the host is ready again/);
    expect(decided(home)).toEqual({ beta: { enabled: false } });
  });

  it('runs a plugin again that was left out because it had ended the host', async () => {
    const { outer, address } = await startReloading('{"alpha":"exit"}');
    expect((await askHost(address)).quarantines).toMatchObject([{ plugin: 'alpha' }]);

    outer.kill('SIGUSR2');
    await outer.printed(/reload: \{"code":"PLUGIN_EXITED","message":"The plugin alpha /);
  });
});
