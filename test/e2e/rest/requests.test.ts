import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { useTestHost } from '../../support/platform';
import { itemsOf, send, sendJson, type Answer, type Sending } from '../../support/rest-client';
import { workbench } from './support/workbench';

const host = useTestHost(workbench);

describe('a request', () => {
  const items = itemsOf(host);

  const path = '/api/cms/items/article';
  const json = { 'content-type': 'application/json' };
  const title = (text: string): string => JSON.stringify({ title: text });

  function post(body: string | Buffer, headers: Sending['headers'] = json): Promise<Answer> {
    return send(host.address, path, { method: 'POST', headers, body });
  }

  function codeOf(answer: Answer): readonly unknown[] {
    return [answer.status, answer.json?.error?.code];
  }

  describe('the gate', () => {
    it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'])(
      'lets the host %s in',
      async (name) => {
        const answer = await send(host.address, '/livez', {
          headers: { host: name.replace('PORT', String(host.port)) },
        });
        expect(answer.status).toBe(200);
      },
    );

    it.each([
      'localhost',
      '127.0.0.1',
      '127.0.0.1:1',
      'evil.example',
      'evil.example:PORT',
      'localhost.evil.example:PORT',
      '127.0.0.1.evil.example:PORT',
      '127.1:PORT',
      '0.0.0.0:PORT',
      '2130706433:PORT',
    ])('refuses the host %j on every path', async (name) => {
      const headers = { host: name.replace('PORT', String(host.port)) };
      for (const target of ['/livez', '/api/cms/items/types', '/metrics', '/nowhere']) {
        expect(codeOf(await send(host.address, target, { headers }))).toEqual([403, 'FORBIDDEN']);
      }
    });

    it.each([
      [{ 'sec-fetch-site': 'cross-site' }],
      [{ 'sec-fetch-site': 'same-site' }],
      [{ 'sec-fetch-site': 'anything' }],
      [{ origin: 'https://evil.example' }],
      [{ origin: 'null' }],
      [{ origin: '' }],
      [{ origin: 'https://localhost:PORT' }],
      [{ origin: 'http://localhost' }],
      [{ origin: 'http://evil.example:PORT' }],
      [{ origin: 'http://http://localhost:PORT' }],
      [{ origin: '127.0.0.1:PORT' }],
      [{ origin: '//127.0.0.1:PORT' }],
      [{ origin: 'http://127.0.0.1:PORT/' }],
      [{ origin: 'http://user@127.0.0.1:PORT' }],
      [{ origin: 'http://localhost:PORT' }],
      [{ origin: 'http://[::1]:PORT' }],
    ])('refuses writes with %j, and lets reads pass', async (headers) => {
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(host.port))]),
      );
      expect(codeOf(await post(title('x'), { ...json, ...sent }))).toEqual([403, 'FORBIDDEN']);
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        expect(codeOf(await send(host.address, `${path}/1`, { method, headers: sent }))).toEqual([403, 'FORBIDDEN']);
      }
      expect((await send(host.address, '/api/cms/items/types', { headers: sent })).status).toBe(200);
    });

    it.each([
      [{ 'sec-fetch-site': 'same-origin' }],
      [{ 'sec-fetch-site': 'none' }],
      [{ origin: 'http://127.0.0.1:PORT' }],
      [{ origin: 'http://localhost:PORT', host: 'localhost:PORT' }],
      [{ origin: 'http://[::1]:PORT', host: '[::1]:PORT' }],
    ])('lets writes with %j pass', async (headers) => {
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value?.replace('PORT', String(host.port))]),
      );
      expect((await post(title('from our page'), { ...json, ...(sent as Record<string, string>) })).status).toBe(201);
    });

    it('marks answers as not to be sniffed and says nothing of what serves them', async () => {
      const { headers } = await send(host.address, '/nowhere');
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect([headers['x-powered-by'], headers.server]).toEqual([undefined, undefined]);
    });
  });

  describe('answers', () => {
    it.each(['/api/cms/items/types', `${path}/1`, '/api/cms/items/nowhere', '/readyz', '/metrics', '/nowhere'])(
      'of %s are not kept by caches',
      async (target) => {
        expect((await send(host.address, target)).headers['cache-control']).toBe('private, no-store');
      },
    );

    it('of lists, searches and exports are not kept by caches', async () => {
      for (const target of [`${path}/list`, `${path}/search`, '/api/cms/exports/article']) {
        const answer = await sendJson(host.address, 'POST', target, []);
        expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, no-store']);
      }
    });
  });

  describe('the media type', () => {
    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'APPLICATION/JSON',
      'application/json; charset=utf8',
    ])('%s is taken', async (type) => {
      expect((await post(title('typed'), { 'content-type': type })).status).toBe(201);
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'text/json',
      'application/merge-patch+json',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      'application/json, text/plain',
      '',
      'x'.repeat(3_000),
    ])('%j is a 415', async (type) => {
      const answer = await post(title('typed'), { 'content-type': type });
      expect(codeOf(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(answer.headers.accept).toBe('application/json');
    });

    it('that is missing is a 415', async () => {
      expect(codeOf(await post(title('typed'), {}))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    });

    it('is asked of searches too', async () => {
      for (const endpoint of ['list', 'search']) {
        expect(
          codeOf(
            await send(host.address, `${path}/${endpoint}`, {
              method: 'POST',
              headers: { 'content-type': 'text/plain' },
              body: '[]',
            }),
          ),
        ).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
    });
  });

  describe('packed bodies', () => {
    const packed = [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      // At its best, it takes seconds for the fifty megabytes below.
      ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ] as const;

    it.each(packed)('in %s are unpacked', async (encoding, pack) => {
      const answer = await post(pack(Buffer.from(title(`packed ${encoding}`))), {
        ...json,
        'content-encoding': encoding,
      });
      expect([answer.status, answer.json.data.values.title]).toEqual([201, `packed ${encoding}`]);
    });

    it.each(packed)('in %s of fifty megabytes are refused at the limit, with little memory', async (encoding, pack) => {
      const before = await residentMegabytes();
      const bomb = pack(Buffer.alloc(50 * 1024 * 1024, ' '));
      const answer = await post(bomb, { ...json, 'content-encoding': encoding });
      expect(codeOf(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect((await residentMegabytes()) - before).toBeLessThan(40);
    });

    it.each(['gzip', 'deflate', 'br'])('that are no %s are a 400', async (encoding) => {
      expect(codeOf(await post('not packed at all', { ...json, 'content-encoding': encoding }))).toEqual([
        400,
        'BAD_REQUEST',
      ]);
    });

    it('that break off are a 400', async () => {
      const half = gzipSync(Buffer.from(title('x'.repeat(5_000)))).subarray(0, 20);
      expect(codeOf(await post(half, { ...json, 'content-encoding': 'gzip' }))).toEqual([400, 'BAD_REQUEST']);
    });

    it.each(['zstd', 'compress', 'gzip, gzip', 'constructor', 'x'])('in %s are a 415', async (encoding) => {
      expect(codeOf(await post(title('x'), { ...json, 'content-encoding': encoding }))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
    });
  });

  async function residentMegabytes(): Promise<number> {
    const { text } = await send(host.address, '/metrics');
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1024 / 1024;
  }

  describe('bodies', () => {
    it('of exactly the limit are taken, and of one byte more refused', async () => {
      const limit = 1024 * 1024;
      const filled = (size: number): string => `{"title":"t"${' '.repeat(size - 13)}}`;
      expect((await post(filled(limit))).status).toBe(201);
      expect(codeOf(await post(filled(limit + 1)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it.each([
      ['with a length', {}],
      ['in chunks', { 'transfer-encoding': 'chunked' }],
    ])('of twenty megabytes %s are refused', async (_how, more) => {
      const answer = await post(Buffer.alloc(20 * 1024 * 1024, ' '), { ...json, ...more });
      expect(codeOf(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(answer.json.error.message).toMatch(/ 1048576 .* GANTRY_BODY_LIMIT/);
    });

    it('in chunks are taken', async () => {
      expect((await post(title('chunked'), { ...json, 'transfer-encoding': 'chunked' })).status).toBe(201);
    });

    it('that are nested ten thousand levels deep are a 400', async () => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const body = `${open.repeat(10_000)}1${close.repeat(10_000)}`;
        const answer = await post(body);
        expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST']);
        expect(answer.json.error.message).toContain(' 64 levels');
        expect((await items.list('article', '', body)).status).toBe(400);
      }
    });

    it.each([
      ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
      ['a lone continuation byte', [0x22, 0x80, 0x22]],
      ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
      ['half a character', [0x22, 0xe2, 0x82, 0x22]],
      ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ])('with %s are no UTF-8', async (_what, bytes) => {
      const answer = await post(Buffer.concat([Buffer.from('{"title":'), Buffer.from(bytes), Buffer.from('}')]));
      expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST']);
      expect(answer.json.error.message).toContain('UTF-8');
    });

    it('may begin with a byte order mark', async () => {
      expect((await post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(title('marked'))]))).status).toBe(
        201,
      );
    });

    it('with thousands of unknown keys name the first hundred, up to 20,000 keys', async () => {
      const many = Object.fromEntries(Array.from({ length: 19_999 }, (_, index) => [`key${index}`, 1]));
      const answer = await sendJson(host.address, 'POST', path, { title: 't', ...many });
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_FAILED']);
      expect(answer.json.error.details).toHaveLength(101);
      expect(answer.json.error.details[100]).toMatchObject({ message: expect.stringContaining('19899') });

      const refused = await sendJson(host.address, 'POST', path, { title: 't', code: 'c', ...many });
      expect(codeOf(refused)).toEqual([400, 'BAD_REQUEST']);
      expect(refused.json.error.message).toContain('20,000 keys');
    });

    it('are not read for a request that is refused before', async () => {
      const answer = await send(host.address, '/api/cms/items/nothing', {
        method: 'POST',
        headers: json,
        body: Buffer.alloc(5 * 1024 * 1024),
      });
      expect(codeOf(answer)).toEqual([404, 'TYPE_NOT_FOUND']);
    });

    it('of a GET mean nothing', async () => {
      const answer = await send(host.address, '/api/cms/items/types', {
        headers: { 'content-type': 'text/plain' },
        body: 'anything',
      });
      expect(answer.status).toBe(200);
    });
  });

  describe('addresses', () => {
    it.each([
      '/api/cms/items/%/metadata',
      '/api/cms/items/%zz/metadata',
      '/api/cms/items/%C3/metadata',
      '/api/cms/items/%ED%A0%80/metadata',
      '/api/cms/items/article/%E0%A4%A',
    ])('that are not percent-encoded rightly are a 400: %s', async (target) => {
      const answer = await send(host.address, target);
      expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST']);
      expect(answer.json.error.message).toContain('percent-encoded');
    });

    it.each([
      '/api/cms/items/types?%',
      '/api/cms/items/types?a=%zz',
      '/api/cms/items/types?%00=1',
      '/api/cms/items/types?a&a',
      '/api/cms/items/types?constructor=1',
      '/api/cms/items/types?__proto__[x]=1',
    ])('with parameters that are unknown, malformed or not, are a 400: %s', async (target) => {
      expect(codeOf(await send(host.address, target))).toEqual([400, 'BAD_REQUEST']);
    });

    it('of more than the limit are a 431', async () => {
      expect(codeOf(await send(host.address, `/api/cms/items/${'x'.repeat(20_000)}`))).toEqual([
        431,
        'HEADERS_TOO_LARGE',
      ]);
      expect(codeOf(await send(host.address, '/livez', { headers: { 'x-long': 'y'.repeat(20_000) } }))).toEqual([
        431,
        'HEADERS_TOO_LARGE',
      ]);
    });

    it('may be absolute and may end with a slash', async () => {
      expect((await send(host.address, `${host.address}/api/cms/items/types`)).status).toBe(200);
      expect((await send(host.address, '/api/cms/items/types/')).status).toBe(200);
    });
  });
});
