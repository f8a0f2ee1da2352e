import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { callTemporal, signalWorkflow, type Temporal } from '../src';

describe('calls to a Temporal that is away', () => {
  let temporal: Temporal & { close(): Promise<void> };
  beforeAll(async () => {
    temporal = clientOf(await unusedPort());
  });
  afterAll(() => temporal.close());

  test('are told as UNAVAILABLE within their five seconds, with when to ask again', async () => {
    const before = Date.now();
    const describing = callTemporal(temporal, (client: Client) => client.workflow.getHandle('order-1').describe());

    await expect(describing).rejects.toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      headers: { 'Retry-After': '5' },
    });
    expect(Date.now() - before).toBeLessThan(10_000);
  });

  test('are told the same when a signal is sent', async () => {
    await expect(signalWorkflow(temporal, 'order-1', 'paymentReceived')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

test('errors that are not about Temporal pass through as they are', async () => {
  const temporal = clientOf(await unusedPort());
  const wrong = new TypeError('a mistake of the plugin');

  await expect(callTemporal(temporal, () => Promise.reject(wrong))).rejects.toBe(wrong);
  await temporal.close();
});

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
