import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isRunning } from '../../../test/support/is-running';
import { listeningSockets, statusOn } from '../../../test/support/listening-ports';
import { findRunningPlatform } from '../src/home/run-file';
import { eventually } from '../../../test/support/eventually';
import {
  chooseRetention,
  historyOf,
  retentionOf,
  runtimeOf,
  startWorkflow,
  temporalPid,
  temporalRuns,
  workflowStatus,
} from './support/temporal';
import type { Outer } from './support/outer';
import { endTemporalAfterTests, kill9, start, stop, type Started } from './support/temporal-platform';

const running = 'WORKFLOW_EXECUTION_STATUS_RUNNING';

describe('the embedded Temporal', () => {
  endTemporalAfterTests();

  it('starts with the platform, with the namespace of TEMPORAL_NAMESPACE, is passed to the host, and ends with it', async () => {
    const { home, outer } = await start({ TEMPORAL_NAMESPACE: 'shop' });
    const banner = await outer.ready.then(() => outer.output());
    await temporalRuns(home);
    const pid = temporalPid(home);

    const { ports } = runtimeOf(home);
    const environment = findRunningPlatform(home)?.environment;
    expect(environment).not.toHaveProperty('TEMPORAL_UI_ADDRESS');
    expect(environment).toMatchObject({
      TEMPORAL_ADDRESS: `127.0.0.1:${ports.frontend}`,
      TEMPORAL_NAMESPACE: 'shop',
      GANTRY_TEMPORAL_STATE: join(home, 'temporal/state.json'),
    });
    expect(readdirSync(join(home, 'temporal')).find((name) => name.endsWith('.db'))).toMatch(
      /^server-1\.\d+\.\d+\.db$/,
    );
    expect(banner).toMatch(/Temporal +(embedded server|Temporal is starting)/);
    const sockets = listeningSockets([pid]);
    expect(new Set(sockets.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    // gRPC of four services, the HTTP API and the metrics, without pages.
    expect(sockets).toHaveLength(6);
    // Thirty days.
    expect(await retentionOf(home, 'shop')).toBe('2592000s');

    await stop(outer);
    expect(isRunning(pid)).toBe(false);
  });

  it('is not started where no plugin has a task queue', async () => {
    const { home, outer } = await start({ GANTRY_PLUGIN_PATH: 'none' });
    await outer.ready;

    expect(existsSync(join(home, 'temporal'))).toBe(false);
    expect(findRunningPlatform(home)?.environment).not.toHaveProperty('TEMPORAL_ADDRESS');
    expect(outer.output()).not.toMatch(/^ +Temporal/m);
  });

  it('is not started in addition to a Temporal of TEMPORAL_ADDRESS, which the banner names', async () => {
    const { home, outer } = await start({ TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_NAMESPACE: 'shop' });
    await outer.ready;

    expect(existsSync(join(home, 'temporal'))).toBe(false);
    expect(outer.output()).toContain('127.0.0.1:9, namespace shop (TEMPORAL_ADDRESS)');
  });
});

/** Each test begins with a platform that runs, and leaves one. */
describe('the embedded Temporal of a home', () => {
  endTemporalAfterTests(afterAll);

  let home: string;
  let outer: Outer;
  let again: Started['again'];
  beforeAll(async () => {
    ({ home, outer, again } = await start());
    await temporalRuns(home);
    await startWorkflow(home, 'kept');
    await chooseRetention(home, 'default', '172800s');
  });

  const namespace = '/api/v1/namespaces/default';
  const signal = `${namespace}/workflows/kept/signal/paymentReceived`;
  const everyOrder = {
    namespace: 'default',
    jobId: 'x1',
    reason: 'x',
    visibilityQuery: "WorkflowType='wait' AND ExecutionStatus='Running'",
    signalOperation: { signal: 'paymentReceived' },
  };
  it.each([
    { host: 'evil.example', method: 'POST', path: signal, body: {} },
    { host: undefined, method: 'POST', path: signal, body: {} },
    { host: undefined, method: 'POST', path: `${namespace}/batch-operations/x1`, body: everyOrder },
    { host: 'localhost', method: 'POST', path: `${namespace}/workflows/kept/terminate`, body: {} },
    { host: 'none.invalid', method: 'GET', path: '/api/v1/namespaces', body: undefined },
  ])('refuses $method $path for the host $host', async ({ host, method, path, body }) => {
    await temporalRuns(home);
    const { http } = runtimeOf(home).ports;
    const headers = { host: host ?? `127.0.0.1:${http}`, origin: 'http://evil.example', 'content-type': 'text/plain' };

    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    expect(await statusOn(http, { method, path, headers, ...sent })).toBe(403);
    expect(await historyOf(home, 'kept')).not.toMatch(/Signaled|Terminated/);
  });

  it('after kill -9 of the server comes back at the same address with all workflows', async () => {
    const { ports } = runtimeOf(home);
    const pid = temporalPid(home);
    expect(findRunningPlatform(home)?.environment).toMatchObject({ TEMPORAL_NAMESPACE: 'default' });

    process.kill(pid, 'SIGKILL');
    await outer.printed(/Temporal ended unexpectedly/);
    await eventually(() => temporalPid(home) !== pid, 'another server runs');
    await temporalRuns(home);

    expect(runtimeOf(home).ports).toEqual(ports);
    expect(await workflowStatus(home, 'kept')).toBe(running);
  });

  it('after kill -9 of the launcher is taken over by the next start', async () => {
    const pid = temporalPid(home);
    await kill9(outer);
    expect(isRunning(pid)).toBe(true);

    outer = again();
    await outer.printed(/Temporal that an earlier start left running was taken over/);

    expect(temporalPid(home)).toBe(pid);
    expect(await workflowStatus(home, 'kept')).toBe(running);
  });

  it('is stopped and started again where an earlier version left one that answers any host', async () => {
    const pid = temporalPid(home);
    await kill9(outer);
    const { httpHost, ...earlier } = runtimeOf(home);
    writeFileSync(join(home, 'temporal/runtime.json'), JSON.stringify(earlier));

    outer = again();
    await eventually(() => temporalPid(home) !== pid, 'another server runs');
    await temporalRuns(home);

    expect(isRunning(pid)).toBe(false);
    expect(httpHost).not.toBe(runtimeOf(home).httpHost);
    expect(await workflowStatus(home, 'kept')).toBe(running);
  });

  it('after kill -9 of the server, with a disk that is full, is one server when the disk has space again', async () => {
    await outer.ready;
    const makeSpace = makeUnwritable(join(home, 'temporal/runtime.json'));
    const killed = serversOf(home);

    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await outer.printed(/Temporal could not be started/);
    makeSpace();
    await outer.printed(/Temporal could not be started[^]*Temporal is running/);

    expect(killed).toHaveLength(1);
    expect(serversOf(home)).toEqual([temporalPid(home)]);
  });

  it('keeps workflows, ports and the retention that somebody has chosen over a restart, and takes no process with the number of the server for it', async () => {
    const { ports } = runtimeOf(home);
    const pid = temporalPid(home);
    await stop(outer);
    expect(isRunning(pid)).toBe(false);
    const stranger = { pid: process.pid, startedAt: 'another time' };
    writeFileSync(join(home, 'temporal/runtime.json'), JSON.stringify({ ...runtimeOf(home), process: stranger }));

    outer = again();
    await eventually(() => temporalPid(home) !== process.pid, 'a separate server runs');
    await temporalRuns(home);

    expect(runtimeOf(home).ports).toEqual(ports);
    expect(await retentionOf(home, 'default')).toBe('172800s');
    expect(await workflowStatus(home, 'kept')).toBe(running);
  });

  it('gets other ports where workflows of others have taken the old ones', async () => {
    const { ports } = runtimeOf(home);
    await stop(outer);
    const stranger = createServer().listen(ports.frontend, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));

    outer = again();
    await temporalRuns(home);
    stranger.close();

    expect(runtimeOf(home).ports.frontend).not.toBe(ports.frontend);
    expect(runtimeOf(home).ports.http).toBe(ports.http);
  });

  it('is stopped without an error when nothing can be written any more, and runs again at the next start', async () => {
    const pid = temporalPid(home);
    const makeSpace = makeUnwritable(join(home, 'temporal/runtime.json'));

    await stop(outer);
    expect(isRunning(pid)).toBe(false);
    expect(`${outer.output()}${outer.errors()}`).not.toContain('could not be stopped');
    expect(`${outer.output()}${outer.errors()}`).toContain('the end of Temporal could not be recorded');

    makeSpace();
    outer = again();
    await temporalRuns(home);
  });
});

/** As good as a full disk. @returns ends it */
function makeUnwritable(file: string): () => void {
  rmSync(file);
  mkdirSync(join(file, 'in the way'), { recursive: true });
  return () => rmSync(file, { recursive: true });
}

/** The processes with the data of a home. */
function serversOf(home: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(join(home, 'temporal', 'server-')))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
