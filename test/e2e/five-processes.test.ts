import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PlatformSchema } from '@gantry/client/platform';
import { eventually } from '../support/eventually';
import { isRunning } from '../support/is-running';
import { listeningSockets, statusOn, withDescendants } from '../support/listening-ports';
import { findTemporalCli } from '../support/temporal-binaries';
import { startGantry, type GantryProcess } from './support/gantry-process';

type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;

const services = ['order', 'email', 'payment', 'consignment', 'ops'] as const;
type Service = (typeof services)[number];

/** One request that each service serves, and the answer that shows that it got there. */
const ownRequests = {
  order: { method: 'POST', path: '/place-order', body: {}, status: 400 },
  email: { method: 'GET', path: '/api/cms/items/notification/metadata', body: undefined, status: 200 },
  payment: { method: 'POST', path: '/payment?orderId=nobody', body: undefined, status: 404 },
  consignment: { method: 'PUT', path: '/consignments/1/delivery', body: {}, status: 400 },
  ops: { method: 'GET', path: '/workflows?limit=1', body: undefined, status: 200 },
} as const;

describe('five processes of one home, each with one of the order services', () => {
  let folder: string;
  let home: string;
  let processes: Readonly<Record<Service, GantryProcess>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-five-'));
    // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
    chmodSync(folder, 0o755);
    home = join(folder, 'home');
    const environment = {
      GANTRY_HOME: home,
      GANTRY_PLUGIN_PATH: await makeQuickServices(folder),
      GANTRY_TEMPORAL_CLI: await findTemporalCli(),
      DATABASE_URL: '',
      TEMPORAL_ADDRESS: '',
    };
    const start = (service: Service) => startGantry(['--only', service, '--port', '0'], environment);
    processes = {
      order: start('order'),
      email: start('email'),
      payment: start('payment'),
      consignment: start('consignment'),
      ops: start('ops'),
    };
    await Promise.all(services.map((service) => processes[service].ready));
  });
  afterAll(() => {
    for (const service of services) processes[service].kill();
    for (const pid of serverPids(home)) endAtOnce(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it('carry an order from one to the next, as one process does', async () => {
    expect(await send('order', 'POST', '/place-order', { orderId: '1' })).toMatchObject({ status: 202 });
    await orderIs(({ activities }) => activities[0]?.state === 'completed');
    expect(await send('payment', 'POST', '/payment?orderId=1')).toMatchObject({ status: 202 });
    await orderIs(({ pendingChildren }) => pendingChildren.length === 1);
    await send('consignment', 'PUT', '/consignments/1/delivery', { delivered: true });
    expect(await send('consignment', 'POST', '/consignments/1/dispatched')).toMatchObject({ status: 202 });
    expect(await send('consignment', 'POST', '/consignments/1/confirmed')).toMatchObject({ status: 202 });
    await orderIs(({ status }) => status === 'COMPLETED');

    expect(await order()).toMatchObject({ result: ['"DELIVERED"'], problems: [] });
    const stored = await send('email', 'POST', '/api/cms/items/notification/list?sort=id', []);
    expect(stored.data).toMatchObject([
      { values: { orderId: '1', kind: 'ORDER_PLACED' } },
      { values: { orderId: '1', kind: 'PAYMENT_COMPLETED' } },
    ]);
  });

  it.each(services)('%s serves its own routes and answers those of the others with 404', async (service) => {
    const answers = services.map(async (other) => {
      const { method, path, body } = ownRequests[other];
      return [other, (await send(service, method, path, body)).status];
    });

    const expected = services.map((other) => [other, other === service ? ownRequests[other].status : 404]);
    expect(await Promise.all(answers)).toEqual(expected);
  });

  it('answer no page of another site, on any port that a browser connects to', async () => {
    const pids = [...services.map((service) => processes[service].pid), ...serverPids(home)];
    const sockets = listeningSockets(withDescendants(pids));
    const ports = [...new Set(sockets.map(({ port }) => port))];
    const hosts = await Promise.all(
      services.map(async (service) => Number(new URL(await processes[service].ready).port)),
    );

    expect(new Set(sockets.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    // Besides the five hosts: PostgreSQL, and of Temporal gRPC of four services, the HTTP API and the metrics.
    expect(ports).toEqual(expect.arrayContaining(hosts));
    expect(ports).toHaveLength(5 + 1 + 6);
    const answers = await Promise.all(ports.map(async (port) => ({ port, ...(await answersToOthers(port)) })));
    expect(answers.filter(({ host, origin }) => !isRefusal(host) || !isRefusal(origin))).toEqual([]);
    expect(answers.filter(({ host }) => host === 403)).toHaveLength(5 + 1);
  });

  it('share one PostgreSQL and one Temporal, which stay until the last of them has ended', async () => {
    const pids = serverPids(home);
    expect(pids).toHaveLength(2);
    // The one that keeps the servers goes first, so that they change hands.
    const owner = services.find((service) => processes[service].pid === runFile(home).launcher.pid) ?? 'order';
    const leaving = [owner, ...services.filter((service) => service !== owner)];

    for (const [index, service] of leaving.entries()) {
      expect(pids.filter(isRunning)).toEqual(pids);
      expect(await processes[service].stop()).toBe(0);
      const next = leaving[index + 1];
      if (next !== undefined) await stillServes(next);
    }

    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(join(home, 'run.json'))).toBe(false);
  });

  async function send(service: Service, method: string, path: string, body?: object): Promise<Answer> {
    const content =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${await processes[service].ready}${path}`, { method, ...content });
    const { data } = (await response.json()) as { readonly data?: unknown };
    return { status: response.status, data };
  }

  async function order(): Promise<WorkflowDetail> {
    return (await send('ops', 'GET', '/workflows/order-1')).data as WorkflowDetail;
  }

  async function orderIs(isWanted: (detail: WorkflowDetail) => boolean): Promise<void> {
    await eventually(async () => isWanted(await order()));
  }

  async function stillServes(service: Service): Promise<void> {
    const { method, path, body, status } = ownRequests[service];
    await eventually(async () => (await send(service, method, path, body)).status === status);
  }
});

type OnPort = number | 'no HTTP' | 'refused by browsers';

/** Answers to a page of another site: one that has its own name resolve to this machine, and one that sends a form. */
async function answersToOthers(port: number): Promise<{ readonly host: OnPort; readonly origin: OnPort }> {
  if (await isRefusedByBrowsers(port)) return { host: 'refused by browsers', origin: 'refused by browsers' };
  const foreign = { origin: 'http://evil.example', 'content-type': 'text/plain' };
  const path = '/api/v1/namespaces/default/workflows/order-1/signal/paymentReceived';
  const headers = { ...foreign, host: `127.0.0.1:${port}` };
  const host = await statusOn(port, { headers: { host: `evil.example:${port}` }, path: '/api/v1/namespaces' });
  return { host, origin: await statusOn(port, { method: 'POST', path, headers, body: '{}' }) };
}

/** Node's `fetch` has the list of the Fetch standard, as browsers do. */
async function isRefusedByBrowsers(port: number): Promise<boolean> {
  const error: unknown = await fetch(`http://127.0.0.1:${port}/`).catch((reason: unknown) => reason);
  return error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port';
}

function isRefusal(answer: OnPort): boolean {
  return typeof answer === 'string' || (answer >= 400 && answer < 500);
}

interface Answer {
  readonly status: number;
  readonly data: unknown;
}

/** The services with a parcel that is on its way for a moment only. */
async function makeQuickServices(folder: string): Promise<string> {
  const script = join(__dirname, '..', 'support', 'shortened-services.mjs');
  const changes = JSON.stringify({ timeLimits: { deliverySleep: 1 } });
  return (await promisify(execFile)(process.execPath, [script, folder, changes])).stdout.trim();
}

interface RunFile {
  readonly launcher: { readonly pid: number };
  readonly servers: Readonly<Record<string, number>>;
}

function runFile(home: string): RunFile {
  return JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as RunFile;
}

/** Process ids of the servers that the home shares; none when they have been stopped. */
function serverPids(home: string): readonly number[] {
  return existsSync(join(home, 'run.json')) ? Object.values(runFile(home).servers) : [];
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
