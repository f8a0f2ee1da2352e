import type { TestHost } from '../../../support/platform';
import { openConnection } from '../../../support/raw-connection';
import { itemsOf, send } from '../../../support/rest-client';
import { headOf, lastBody, statuses } from '../support/raw-messages';

/** HTTP as such. */
export function describeProtocol(host: TestHost): void {
  const items = itemsOf(host);

  const path = '/api/cms/items/article';

  /** Sends bytes on a separate connection and gives all that comes until the server closes it. */
  async function exchange(text: string): Promise<string> {
    const connection = await openConnection(host.port);
    connection.write(text);
    return connection.closed();
  }

  const head = (line: string, ...headers: readonly string[]): string => headOf(host.port, line, ...headers);

  const close = 'Connection: close';

  describe('what is no proper request', () => {
    it.each([
      ['no HTTP', 'hello\r\n\r\n'],
      ['an unknown method', 'BREW /livez HTTP/1.1\r\n\r\n'],
      ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
      ['a space in the path', 'GET /a b HTTP/1.1\r\n\r\n'],
      ['a header without a colon', 'GET /livez HTTP/1.1\r\nnonsense\r\n\r\n'],
      ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
      ['a length and chunks', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['a negative length', 'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'],
      ['a folded header', 'GET /livez HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n'],
    ])('%s is a 400 in the envelope', async (_what, text) => {
      const received = await exchange(text);
      expect([statuses(received), lastBody(received).error.code]).toEqual([[400], 'BAD_REQUEST']);
      expect(received).toContain('Content-Type: application/json');
    });

    it('a request to tunnel is a 400', async () => {
      const received = await exchange(head('CONNECT example.org:443'));
      expect([statuses(received), lastBody(received).error.code]).toEqual([[400], 'BAD_REQUEST']);
      expect(lastBody(received).error.message).toContain('proxy');
    });

    it.each([
      ['no host', `GET /livez HTTP/1.1\r\n${close}\r\n\r\n`],
      ['an empty host', `GET /livez HTTP/1.1\r\nHost:\r\n${close}\r\n\r\n`],
      ['no host, as in HTTP/1.0,', 'GET /livez HTTP/1.0\r\n\r\n'],
      ['no version', 'GET /livez\r\n\r\n'],
    ])('one with %s is refused at the gate', async (_what, text) => {
      const received = await exchange(text);
      expect([statuses(received), lastBody(received).error.code]).toEqual([[403], 'FORBIDDEN']);
    });

    it('one with two hosts is a 400', async () => {
      const received = await exchange(head('GET /livez', 'Host: evil.example', close));
      expect([statuses(received), lastBody(received).error.code]).toEqual([[400], 'BAD_REQUEST']);
      expect(lastBody(received).error.message).toContain('more than one host');
    });

    it.each(['http://[::1/x', 'http://', 'http://a:b/'])(
      'an address that cannot be read, %s, is a 400 in the envelope',
      async (address) => {
        const received = await exchange(head(`GET ${address}`, close));
        expect([statuses(received), lastBody(received).error.code]).toEqual([[400], 'BAD_REQUEST']);
      },
    );

    it.each(['//', '*', '//[', '/..\\..', '/#'])(
      'an address of nothing, %s, is a 404 in the envelope',
      async (address) => {
        const received = await exchange(head(`GET ${address}`, close));
        expect([statuses(received), lastBody(received).error.code]).toEqual([[404], 'NOT_FOUND']);
      },
    );

    it.each([
      'http://evil.example/livez',
      'http://evil.example:PORT/livez',
      'https://127.0.0.1:PORT/livez',
      'http://127.0.0.1/livez',
      'http://user@127.0.0.1:PORT/livez',
      'http://127.0.0.1:PORT@evil.example/livez',
      'ftp://127.0.0.1:PORT/livez',
    ])('an address of another host, %s, is a 403 whatever the Host', async (address) => {
      const received = await exchange(head(`GET ${address.replace('PORT', String(host.port))}`, close));
      expect([statuses(received), lastBody(received).error.code]).toEqual([[403], 'FORBIDDEN']);
    });

    it('a broken chunk is a 400 and creates nothing', async () => {
      const received = await exchange(
        `${head(`POST ${path}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked', close)}5\r\n{"tit\r\nZZZ\r\n`,
      );
      expect(statuses(received)).toEqual([400]);
    });

    it('too large a head is a 431', async () => {
      const received = await exchange(head('GET /livez', `X-Long: ${'x'.repeat(17_000)}`));
      expect([statuses(received), lastBody(received).error.code]).toEqual([[431], 'HEADERS_TOO_LARGE']);
    });
  });

  describe('what a request may ask of the connection', () => {
    it('to continue before the body is sent', async () => {
      const connection = await openConnection(host.port);
      const body = '{"title":"expected"}';
      connection.write(
        head(
          `POST ${path}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          'Expect: 100-continue',
          close,
        ),
      );
      await connection.until(/100 Continue/);
      connection.write(body);
      expect(statuses(await connection.closed())).toEqual([100, 201]);
    });

    it('an unknown expectation is ignored', async () => {
      expect(statuses(await exchange(head('GET /livez', 'Expect: a-miracle', close)))).toEqual([200]);
    });

    it('another protocol is not taken up', async () => {
      const upgrade = [
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        'Sec-WebSocket-Key: x',
        'Sec-WebSocket-Version: 13',
      ];
      expect(statuses(await exchange(head('GET /livez', ...upgrade)))).toEqual([200]);
    });
  });

  describe('requests on one connection', () => {
    it('that do not wait for answers get them in order', async () => {
      const body = '{"title":"pipelined"}';
      const received = await exchange(
        [
          head('GET /livez'),
          `${head(`POST ${path}`, 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`,
          head('GET /nowhere'),
          `${head(`POST ${path}/list`, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}2\r\n[]\r\n0\r\n\r\n`,
          head('DELETE /livez'),
          head('GET /api/cms/items/types', close),
        ].join(''),
      );
      expect(statuses(received)).toEqual([200, 201, 404, 200, 405, 200]);
    });

    it('get the answers that are due before a broken one is refused', async () => {
      const listing = `${head(`POST ${path}/search`, 'Content-Type: application/json', 'Content-Length: 2')}[]`;
      const received = await exchange(`${listing}${listing}NONSENSE\r\n\r\n`);
      expect(statuses(received)).toEqual([200, 200, 400]);
      expect(lastBody(received).error.code).toBe('BAD_REQUEST');
    });

    it('continue after a refused one whose body is thrown away', async () => {
      const connection = await openConnection(host.port);
      connection.write(head('POST /nowhere', 'Content-Type: application/json', 'Content-Length: 300000'));
      await connection.until(/HTTP\/1\.1 404[^]*\}$/);
      connection.write('x'.repeat(300_000));
      connection.write(head('GET /livez', close));
      expect(statuses(await connection.closed())).toEqual([404, 200]);
    });
  });

  describe('a client that disconnects', () => {
    it('in the middle of a body leaves nothing behind', async () => {
      const before = (await items.list('article', '?total=true')).json.meta.total;
      for (let index = 0; index < 20; index += 1) {
        const connection = await openConnection(host.port);
        connection.write(
          `${head(`POST ${path}`, 'Content-Type: application/json', 'Content-Length: 100')}{"title":"half`,
        );
        connection.socket.destroy();
      }
      expect((await items.list('article', '?total=true')).json.meta.total).toBe(before);
      expect((await send(host.address, '/readyz')).status).toBe(200);
    });

    it('after the body leaves the whole item or none', async () => {
      const body = '{"title":"all or nothing"}';
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const connection = await openConnection(host.port);
          connection.write(
            `${head(`POST ${path}`, 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`,
          );
          connection.socket.end();
          connection.socket.destroySoon();
        }),
      );
      const rows = (await items.list('article', '', [{ field: 'title', operator: 'EQUALS', value: 'all or nothing' }]))
        .json.data;
      expect(rows.every((row: { values: { version: number } }) => row.values.version === 1)).toBe(true);
    });
  });
}
