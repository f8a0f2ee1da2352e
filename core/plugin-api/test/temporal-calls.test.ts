import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { callTemporal, signalWorkflow, type SignallingClient, type Temporal } from '../src';

describe('calls to a Temporal that is unavailable', () => {
  let temporal: Temporal & { close(): Promise<void> };
  let described: PromiseSettledResult<unknown>;
  let signalled: PromiseSettledResult<unknown>;
  let tookMs: number;
  beforeAll(async () => {
    temporal = clientOf(await unusedPort());
    const before = Date.now();
    // At once, because each of them takes the whole time that it is given.
    [described, signalled] = await Promise.allSettled([
      callTemporal(temporal, (client: Client) => client.workflow.getHandle('order-1').describe()),
      signalWorkflow(temporal, 'order-1', 'paymentReceived'),
    ]);
    tookMs = Date.now() - before;
  });
  afterAll(() => temporal.close());

  test('are reported as UNAVAILABLE within their five seconds, with when to ask again', () => {
    expect(described).toMatchObject({
      status: 'rejected',
      reason: { status: 503, code: 'UNAVAILABLE', headers: { 'Retry-After': '5' } },
    });
    expect(tookMs).toBeLessThan(10_000);
  });

  test('are reported the same when a signal is sent', () => {
    expect(signalled).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
  });
});

const slow = ' 5 seconds';
const away = 'unavailable';

test.each([
  ['cancelled', 1, slow],
  ['deadline exceeded', 4, slow],
  ['resource exhausted', 8, slow],
  ['aborted', 10, away],
  ['unavailable', 14, away],
])('a call that ends as %s is reported as UNAVAILABLE', async (name, code, message) => {
  const temporal = clientOf(await unusedPort());
  const cause = Object.assign(new Error(name), { code });

  const call = callTemporal(temporal, () => Promise.reject(new Error('the call failed', { cause })));

  await expect(call).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    headers: { 'Retry-After': '5' },
    message: expect.stringContaining(message) as string,
  });
  await temporal.close();
});

test('a call has the time that it is given, and is reported as slow when it takes longer', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const temporal = clientOf((silent.address() as AddressInfo).port);

  const call = callTemporal(temporal, (client: Client) => client.workflow.getHandle('order-1').describe(), {
    timeoutMs: 300,
  });

  await expect(call).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining(' 0.3 seconds') as string,
  });
  await temporal.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('errors that are not about Temporal pass through as they are', async () => {
  const temporal = clientOf(await unusedPort());
  const wrong = new TypeError('a mistake of the plugin');

  await expect(callTemporal(temporal, () => Promise.reject(wrong))).rejects.toBe(wrong);
  await temporal.close();
});

describe('a signal that Temporal finds no workflow for', () => {
  test.each([
    ['ended', 'COMPLETED'],
    ['ended', 'FAILED'],
    ['unknown', undefined],
  ])('is reported as %s when the workflow is %s', async (outcome, status) => {
    const { temporal } = workflowThatIs([status], Infinity);

    expect(await signalWorkflow(temporal, 'order-1', 'paymentReceived')).toBe(outcome);
  });

  test('is sent again when the workflow began in between', async () => {
    const { temporal, signals } = workflowThatIs(['RUNNING'], 2);

    expect(await signalWorkflow(temporal, 'order-1', 'paymentReceived')).toBe('accepted');
    expect(signals()).toBe(3);
  });

  test('is reported as ended when the workflow started and ended in between', async () => {
    const { temporal } = workflowThatIs(['RUNNING', 'COMPLETED'], Infinity);

    expect(await signalWorkflow(temporal, 'order-1', 'paymentReceived')).toBe('ended');
  });
});

test('a signal for a workflow of one type is not sent to one of another', async () => {
  const { temporal, signals } = workflowThatIs(['RUNNING'], 0);

  expect(await signalWorkflow(temporal, 'order-1', 'paymentReceived', 'sendParcel')).toBe('unknown');
  expect(signals()).toBe(0);
  expect(await signalWorkflow(temporal, 'order-1', 'paymentReceived', 'placeOrder')).toBe('accepted');
});

test('a signal that names who sends it is reported in the same way', async () => {
  const { temporal, requests } = workflowThatIs(['RUNNING', 'COMPLETED'], 1);
  const send = () => signalWorkflow(temporal, 'order-1', 'paymentReceived', undefined, { requestedBy: 'Ann' });

  expect(await send()).toBe('accepted');
  expect(requests()).toEqual(
    [1, 2].map(() => expect.objectContaining({ identity: 'gantry: Ann', namespace: 'default' })),
  );
  const closed = workflowThatIs(['COMPLETED'], Infinity).temporal;
  expect(await signalWorkflow(closed, 'order-1', 'x', undefined, { requestedBy: 'Ann' })).toBe('ended');
});

/** A Temporal as it looks in moments that no test can hit: `missed` signals find nothing, each followed by a description. */
function workflowThatIs(statuses: readonly (string | undefined)[], missed: number) {
  const notFound = Object.assign(new Error('no such workflow'), { name: 'WorkflowNotFoundError' });
  const left = [...statuses];
  const requests: unknown[] = [];
  let signals = 0;
  const client: SignallingClient & { readonly workflowService: object } = {
    // The raw service knows codes of gRPC only.
    workflowService: {
      signalWorkflowExecution: (request: unknown) =>
        requests.push(request) > missed
          ? Promise.resolve({})
          : Promise.reject(Object.assign(new Error('no workflow'), { code: 5 })),
    },
    withDeadline: (_deadline, work) => work(),
    workflow: {
      getHandle: () => ({
        signal: () => ((signals += 1) > missed ? Promise.resolve() : Promise.reject(notFound)),
        describe: () => {
          const name = left.length > 1 ? left.shift() : left[0];
          return name === undefined
            ? Promise.reject(notFound)
            : Promise.resolve({ type: 'placeOrder', status: { name } });
        },
      }),
    },
  };
  const temporal: Temporal = { namespace: 'default', client: <T>() => Promise.resolve(client as T) };
  return { temporal, signals: () => signals, requests: () => requests };
}

function clientOf(port: number): Temporal & { close(): Promise<void> } {
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  const client = new Client({ connection });
  return { namespace: 'default', client: <T>() => Promise.resolve(client as T), close: () => connection.close() };
}

/** A port that nobody listens on. */
async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
