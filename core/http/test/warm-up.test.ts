import type { IncomingMessage } from 'node:http';
import { createHttpMessages } from '../src/http-messages';
import { warmUp, type WarmUpOptions } from '../src/warm-up';

const options: Omit<WarmUpOptions, 'handler'> = {
  messages: createHttpMessages(),
  host: '127.0.0.1:3000',
  token: 'local_secret',
  types: ['article'],
  limitMs: 5_000,
};

it('asks the application over connections of this machine, without a port, and changes nothing', async () => {
  const asked = new Set<string>();
  const bodies: string[] = [];
  await warmUp({
    ...options,
    handler: (request: IncomingMessage, response) => {
      const { host, authorization } = request.headers;
      asked.add(`${request.method} ${request.url} ${host} ${authorization} ${request.socket.remoteAddress}`);
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.end('{}'));
    },
  });

  const suffix = '127.0.0.1:3000 Bearer local_secret 127.0.0.1';
  expect([...asked].toSorted()).toEqual([
    `GET /api/cms/items/article/9223372036854775807 ${suffix}`,
    `GET /api/cms/items/types ${suffix}`,
    `PATCH /api/cms/items/article/9223372036854775807 ${suffix}`,
    `POST /api/cms/items/article/list?limit=10 ${suffix}`,
    `POST /api/cms/search?q=warm ${suffix}`,
  ]);
  expect([...new Set(bodies)].toSorted()).toEqual(['[]', '{}']);
});

it('ends when its time is up, also when the application does not answer', async () => {
  let count = 0;
  await warmUp({ ...options, limitMs: 50, handler: () => void (count += 1) });

  expect(count).toBeGreaterThan(0);
});
