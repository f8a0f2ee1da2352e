import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from '../../../../test/support/rest-client';
import { sendData, sendText } from '../../src/exchange/answer/send';

describe('an answer in JSON', () => {
  const long = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: 'Tent' })));
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/item') sendData(response, 200, long, undefined, { ETag: '"1"' });
      else if (request.url === '/short') sendData(response, 200, '[]');
      else if (request.url === '/refused') sendText(response, 400, long);
      else sendData(response, 200, long);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const ask = (path: string, accepted?: string, method = 'GET') =>
    send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, path, {
      method,
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    });

  it('is compressed for a client that takes it, and says so to caches', async () => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.json()).toEqual({ data: JSON.parse(long) });
    const raw = await ask('/', 'br, gzip;q=0.5');
    expect(raw.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(Number(raw.headers['content-length'])).toBeLessThan(long.length / 4);
  });

  it.each([
    ['a client that does not take it', '/', undefined, 'GET'],
    ['a client that refuses it', '/', 'br, gzip;q=0.0', 'GET'],
    ['a short one', '/short', 'gzip', 'GET'],
    ['one with an ETag, which stands for a version', '/item', 'gzip', 'GET'],
    ['a refusal', '/refused', 'gzip', 'GET'],
    ['a request for the head', '/', 'gzip', 'HEAD'],
  ])('is sent as it is: %s', async (_what, path, accepted, method) => {
    const { headers } = await ask(path, accepted, method);
    expect(headers['content-encoding']).toBeUndefined();
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });
});
