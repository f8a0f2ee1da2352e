import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { isPublicAddress } from '../src/sending/address-check';
import { createWebhookSender, signatureOf, type WebhookAnswer } from '../src/sending/webhook-sender';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const earlier = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

describe('requests of webhooks', () => {
  let server: Server;
  let answer: RequestListener;
  beforeEach(async () => {
    answer = (_request, response) => void response.writeHead(204).end();
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const port = (): number => (server.address() as AddressInfo).port;
  const send = (host: string, options: { allow?: boolean; lookup?: LookupFunction; timeoutMs?: number } = {}) =>
    sendTo(`http://${host}:${port()}/hooks`, options);

  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'])(
    'are not sent to this machine as %s',
    async (host) => {
      let requests = 0;
      answer = () => void (requests += 1);
      const { isDelivered, error } = await send(host);

      expect(isDelivered).toBe(false);
      expect(error).toContain('GANTRY_WEBHOOK_PRIVATE_ADDRESSES=allow');
      expect(requests).toBe(0);
    },
  );

  it('are not sent to a name that resolves to a private address, also where it has a public one, too', async () => {
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const { error } = await send('rebinding.example', { lookup });

    expect(error).toMatch(/^rebinding\.example .* 127\.0\.0\.1, .*GANTRY_WEBHOOK_PRIVATE_ADDRESSES=allow /);
  });

  it('fail for a name that is not found, by the lookup of the system', async () => {
    expect(await send('webhook.invalid')).toMatchObject({
      isDelivered: false,
      status: null,
      error: expect.stringMatching(/webhook\.invalid|ENOTFOUND|EAI_AGAIN/),
    });
  });

  it('are sent to this machine where the configuration allows it', async () => {
    expect(await send('127.0.0.1', { allow: true })).toEqual({
      isDelivered: true,
      status: 204,
      error: null,
      answer: '',
    });
  });

  it('do not follow redirects', async () => {
    const paths: (string | undefined)[] = [];
    answer = ({ url }, response) => {
      paths.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    const { isDelivered, status, error } = await send('127.0.0.1', { allow: true });

    expect([isDelivered, status, paths]).toEqual([false, 307, ['/hooks']]);
    expect(error).toMatch(/ 307: redirects /);
  });

  it('end after the time limit, before and within an answer', async () => {
    answer = () => undefined;
    const silent = await send('127.0.0.1', { allow: true, timeoutMs: 100 });
    answer = (_request, response) => void response.writeHead(200).write('a');
    const stalled = await send('127.0.0.1', { allow: true, timeoutMs: 100 });

    expect([silent.error, stalled.error]).toEqual([1, 2].map(() => expect.stringContaining(' 0.1 s')));
  });

  it('read a part of a long answer only, and keep less', async () => {
    let written = 0;
    answer = (_request, response) => {
      const chunk = Buffer.alloc(16_384, 'x');
      const write = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', write);
      write();
    };
    const { status, isDelivered, answer: kept } = await send('127.0.0.1', { allow: true });

    expect([status, isDelivered]).toEqual([200, true]);
    expect(kept?.length).toBeLessThan(1_100);
    expect(written).toBeLessThan(100 * 1024 * 1024);
  });

  it('say until when the receiver wants no other attempt', async () => {
    answer = (_request, response) => void response.writeHead(429, { 'retry-after': '120' }).end('slow down');
    const before = Date.now();
    const { isDelivered, notBefore = 0, answer: text } = await send('127.0.0.1', { allow: true });

    expect([isDelivered, text]).toEqual([false, 'slow down']);
    expect(notBefore - before).toBeGreaterThanOrEqual(120_000);
  });

  it('have signatures of the present and the earlier secret', () => {
    const headers = signatureOf('chg_1', new Date(), '{"a":1}', [secret, earlier]);

    for (const one of [secret, earlier]) {
      expect(new Verifier(one).verify('{"a":1}', headers)).toEqual({ a: 1 });
    }
    expect(() => new Verifier(secret).verify('{"a":2}', headers)).toThrow();
  });
});

it.each([
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
])('%s is no public address', (address) => expect(isPublicAddress(address)).toBe(false));
it.each([
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::ffff:10.0.0.1',
  'text',
])('%s is none either', (address) => expect(isPublicAddress(address)).toBe(false));
it.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:93.184.215.14'])(
  '%s is a public address',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

async function sendTo(
  url: string,
  { allow = false, ...options }: { allow?: boolean; lookup?: LookupFunction; timeoutMs?: number },
): Promise<WebhookAnswer> {
  const sender = createWebhookSender({ allowPrivateAddresses: allow, version: '0.0.0', ...options });
  try {
    const { signal } = new AbortController();
    return await sender.send({ url, webhookId: 'chg_1', body: '{}', secrets: [secret], headers: {}, signal });
  } finally {
    await sender.close();
  }
}
