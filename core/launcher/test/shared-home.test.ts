import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../../test/support/is-running';
import { findRunningPlatform } from '../src/home/run-file';
import { eventually } from '../../../test/support/eventually';
import { postmasterPid } from '../../../test/support/postmaster-pid';
import { makeHome } from './support/homes';
import { askHost, startOuter } from './support/outer';
import type { Outer } from './support/outer';
import { usePreparedHomes } from './support/prepared-home';
import { temporalEnvironment, temporalPid, temporalRuns } from './support/temporal';
import { endTemporalAfterTests, kill9, newHome, stop } from './support/temporal-platform';

endTemporalAfterTests();

const preparedHome = usePreparedHomes();

describe('two processes of one home that run different plugins', () => {
  it('use one database, without one noticing the end of the other; when the one that keeps the servers is killed, the other one keeps them, and brings up what dies later', async () => {
    const home = preparedHome();
    const first = startOnly(home, 'alpha');
    const owner = await askHost(await first.ready);
    const postgres = postmasterPid(home);
    const guest = startOnly(home, 'beta');
    const client = await askHost(await guest.ready);
    expect(client.DATABASE_URL).toBe(owner.DATABASE_URL);
    expect(guest.output()).toMatch(new RegExp(`Servers +shared with process ${first.pid}`));

    await stop(guest);
    expect(await query(first)).toBe('42');
    expect(readdirSync(join(home, 'guests'))).toEqual([]);
    expect(readdirSync(join(home, 'logs'))).toEqual(expect.arrayContaining(['host.log', 'host-beta.log']));

    const second = startOnly(home, 'beta');
    await second.ready;
    await kill9(first);
    await second.printed(/this process now runs the servers/);
    await eventually(() => findRunningPlatform(home)?.launcher.pid === second.pid, 'others find it');
    process.kill(postgres, 'SIGKILL');
    await second.printed(/PostgreSQL is running again/);
    await eventually(async () => (await query(second)) === '42', 'the host reaches it');
  });

  it('continue when the one that keeps the servers stops; the other one stops them at its own end, as if there had been one when a client was killed', async () => {
    const home = preparedHome();
    const first = startOnly(home, 'alpha');
    await first.ready;
    const postgres = postmasterPid(home);
    const second = startOnly(home, 'beta');
    await second.ready;

    await stop(first);
    await second.printed(/this process now runs the servers/);
    await eventually(() => findRunningPlatform(home)?.launcher.pid === second.pid, 'others find it');
    expect(isRunning(postgres)).toBe(true);
    expect(await query(second)).toBe('42');

    const client = startOnly(home, 'alpha');
    await client.ready;
    await kill9(client);
    await stop(second);
    expect(isRunning(postgres)).toBe(false);
  });

  it('hand Temporal over as well', async () => {
    const home = newHome();
    const env = await temporalEnvironment(home);
    const first = startOuter({ home, env: { ...env, GANTRY_ONLY: 'alpha' } });
    await first.ready;
    await temporalRuns(home);
    const second = startOuter({ home, env: { ...env, GANTRY_ONLY: 'beta' } });
    await second.ready;
    const pid = temporalPid(home);

    await stop(first);
    await second.printed(/Temporal that an earlier start left running was taken over/);

    expect(isRunning(pid)).toBe(true);
    await stop(second);
    expect(isRunning(pid)).toBe(false);
  });
});

describe('several processes started at once on an empty home', () => {
  it('come up together with one database', async () => {
    const home = makeHome();
    const outers = ['alpha', 'beta', 'gamma'].map((only) => startOnly(home, only));
    const hosts = await Promise.all(outers.map(async ({ ready }) => askHost(await ready)));

    expect(new Set(hosts.map(({ DATABASE_URL }) => DATABASE_URL)).size).toBe(1);
    expect(outers.filter((outer) => outer.output().includes('embedded PostgreSQL'))).toHaveLength(1);

    const postgres = postmasterPid(home);
    await Promise.all(outers.map(stop));
    await eventually(() => !isRunning(postgres), 'PostgreSQL is gone');
    expect(existsSync(join(home, 'run.json'))).toBe(false);
    expect(existsSync(join(home, 'lock'))).toBe(false);
  });
});

function startOnly(home: string, only: string): Outer {
  return startOuter({ home, env: { GANTRY_ONLY: only } });
}

async function query(outer: Outer): Promise<string> {
  return (await fetch(`${await outer.ready}/query`)).text();
}
