import { createHash, randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { testFieldKind } from '@gantry/plugin-api/testing';
import { send, sendJson, type Answer } from '../../../../test/support/rest-client';
import { cleanFileName } from '../../src/stored-files/file-name';
import { addressOfFile, parseFileAddress } from '../../src/stored-files/file-address';
import { fileTypeOf, isAmong } from '../../src/stored-files/file-types';
import { maxFileBytes, type MediaHost } from '../support/media-host';

/** Files that are no images. */
export function describeStoredFiles(media: MediaHost): void {
  const { host, filesIn } = media;

  function upload(name: string, body: Buffer | string, type = 'application/octet-stream'): Promise<Answer> {
    const path = `/media/files?name=${encodeURIComponent(name)}`;
    return send(host.address, path, { method: 'POST', headers: { 'content-type': type }, body });
  }

  const create = (values: object) => sendJson(host.address, 'POST', '/api/cms/items/paper', values);
  const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`);

  describe('the name of a file', () => {
    it.each([
      ['report.pdf', 'report.pdf'],
      ['Übersicht  2026 (100%) #1?.pdf', 'Übersicht 2026 (100%) #1?.pdf'],
      ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
      ['../../etc/passwd', 'passwd'],
      ['..', ''],
      ['. .hidden. ', 'hidden'],
      ['a\u0000b\r\nc.txt', 'abc.txt'],
      ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
      ['a\u200B\uFEFF\u2066b.txt', 'ab.txt'],
      ['e\u0301.txt', '\u00e9.txt'],
      [`${'ü'.repeat(300)}.pdf`, `${'ü'.repeat(118)}.pdf`],
      ['\ud83d.txt', 'txt'],
    ])('is that which people see: %j', (given, name) => {
      expect(cleanFileName(given)).toBe(name);
    });

    it('is part of an address from which it can be read', () => {
      for (const name of ['report.pdf', '100% #1?.pdf', '%41.txt', 'Übersicht 🌱.csv', "a'b(c)*.txt", '日本語.txt']) {
        const address = { hash: 'a'.repeat(64), bytes: randomInt(1, 1e9), name };
        expect(parseFileAddress(addressOfFile(address))).toEqual(address);
      }
    });

    it('says what the file is', () => {
      expect(
        ['a.PDF', 'a.tar.gz', 'pdf', '.pdf', 'a.xyz', 'a.constructor'].map((name) => fileTypeOf(name).mediaType),
      ).toEqual([
        'application/pdf',
        'application/gzip',
        ...Array.from({ length: 4 }, () => 'application/octet-stream'),
      ]);
      expect([isAmong('audio/mpeg', ['audio/*']), isAmong('audio/mpeg', ['video/*']), isAmong('x/y', ['*/*'])]).toEqual(
        [true, false, true],
      );
    });
  });

  describe('a file', () => {
    it('is stored once by its content, under any name, and served as it was sent', async () => {
      const bytes = pdf(randomBytes(2000).toString('hex'));
      const hash = createHash('sha256').update(bytes).digest('hex');
      const first = await upload('Übersicht 100% #1.pdf', bytes);
      const second = await upload('other.pdf', bytes);
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(first.json.data).toEqual({
        url: `/media/files/${hash}/${bytes.length}/Übersicht 100%25 %231.pdf`,
        name: 'Übersicht 100% #1.pdf',
        mediaType: 'application/pdf',
        bytes: bytes.length,
      });
      expect(filesIn('originals')).toEqual([`${hash}.file`]);
      const served = await fetch(new URL(String(first.json.data.url), host.address));
      expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
      expect(Object.fromEntries(served.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="_bersicht 100_ #1.pdf"; filename*=UTF-8''%C3%9Cbersicht%20100%25%20%231.pdf`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      const location = await fetch(new URL(first.headers.location ?? '', host.address), {
        headers: { 'if-none-match': `"${hash}"` },
      });
      expect(location.status).toBe(304);
    });

    it.each([
      ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
      ['bytes=4-', 206, 'bytes 4-9/10', '456789'],
      ['bytes=-3', 206, 'bytes 7-9/10', '789'],
      ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
      ['bytes=8-99', 206, 'bytes 8-9/10', '89'],
      ['Bytes= 9-9 ', 206, 'bytes 9-9/10', '9'],
      ['bytes=10-', 416, 'bytes */10', ''],
      ['bytes=-0', 416, 'bytes */10', ''],
      ['bytes=99999999999999999999-', 416, 'bytes */10', ''],
      ['bytes=0-1,4-5', 200, null, '0123456789'],
      ['bytes=5-2', 200, null, '0123456789'],
      ['bytes=a-b', 200, null, '0123456789'],
      ['bytes=-', 200, null, '0123456789'],
      ['items=0-3', 200, null, '0123456789'],
    ])('is served in parts: %s', async (range, status, contentRange, body) => {
      const url = new URL(String((await upload('digits.txt', '0123456789')).json.data.url), host.address);
      const served = await fetch(url, { headers: { range } });
      expect([served.status, served.headers.get('content-range'), await served.text()]).toEqual([
        status,
        contentRange,
        body,
      ]);
      expect(served.headers.get('content-length')).toBe(String(body.length));
      expect(served.headers.get('accept-ranges')).toBe(status === 416 ? null : 'bytes');
    });

    it('is served in parts only while it is the one that the client has begun with', async () => {
      const url = new URL(String((await upload('digits.txt', '0123456789')).json.data.url), host.address);
      const ask = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
        fetch(url, { method, headers: { range: 'bytes=2-4', ...headers } });
      const etag = (await ask({}, 'HEAD')).headers.get('etag') ?? '';

      const same = await ask({ 'if-range': etag });
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([206, '234', etag]);
      for (const other of ['"other"', `W/${etag}`, 'Sat, 28 Nov 2026 10:00:00 GMT']) {
        const whole = await ask({ 'if-range': other });
        expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
      }
      expect((await ask({ 'if-none-match': etag })).status).toBe(304);
      const head = await ask({}, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    });

    it.each([
      ['page.html', '<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
      ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'application/octet-stream', 'attachment'],
      ['notes.txt', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline'],
      ['list.csv', 'a,b', 'text/csv; charset=utf-8', 'attachment'],
    ])('is no page that can do anything: %s', async (name, body, type, disposition) => {
      const served = await fetch(new URL(String((await upload(name, body)).json.data.url), host.address));
      expect([served.headers.get('content-type'), served.headers.get('content-disposition')?.split(';')[0]]).toEqual([
        type,
        disposition,
      ]);
      expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    });

    it.each([
      ['a.exe', 'MZ', 415, / a\.exe .* application\/octet-stream, .* \.pdf, /],
      ['a.pdf', 'MZ', 415, / a\.pdf .* application\/pdf /],
      ['a.png', '<svg/>', 415, / a\.png .* image\/png /],
      ['a.txt', '', 400, / a\.txt is empty/],
      ['/', 'x', 400, /no name/],
      ['a.txt', 'x'.repeat(maxFileBytes + 1), 413, new RegExp(` ${maxFileBytes} bytes`)],
    ])('is refused with what is accepted: %s', async (name, body, status, named) => {
      const answer = await upload(name, body);
      expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringMatching(named)]);
      expect(filesIn('incoming')).toEqual([]);
    });

    it('is refused as the form of another site could send it', async () => {
      expect((await upload('a.txt', 'x', 'text/plain')).status).toBe(415);
    });

    it('is not found under an address that is not its own', async () => {
      const { url } = (await upload('a.txt', 'some text')).json.data;
      const [, , , hash, bytes] = String(url).split('/');
      const wrong = [
        `${hash}/8/a.txt`,
        `${hash}/${bytes}/..%2Fa.txt`,
        `${hash}/${bytes}/`,
        `${hash}/${bytes}/%ff`,
        `${hash}/0/a.txt`,
      ];
      for (const path of [
        ...wrong.map((end) => `/media/files/${end}`),
        `/media/${hash}.file`,
        `${url}?width=64`,
        `${url}/x`,
      ]) {
        expect([path, (await send(host.address, path)).status]).toEqual([path, 404]);
      }
    });
  });

  describe('a field of files', () => {
    it('keeps the address that an upload gave, and is found by a part of the name', async () => {
      const { url } = (await upload('Bericht 2026.txt', randomBytes(20))).json.data;
      const { status, json } = await create({ name: 'one', attachment: url });
      expect([status, json.data.values.attachment]).toEqual([201, url]);
      const found = await sendJson(host.address, 'POST', '/api/cms/items/paper/list', [
        { field: 'attachment', value: 'bericht 20' },
      ]);
      expect(found.json.data).toHaveLength(1);
      const { fields } = (await send(host.address, '/api/cms/items/paper/metadata')).json.data;
      expect(fields.map(({ file }: { readonly file?: object }) => file)).toEqual([
        undefined,
        { upload: '/media/files' },
        { upload: '/media/files', accept: ['.pdf'], maxBytes: 1000 },
      ]);
    });

    it.each([
      [addressOfFile({ hash: 'a'.repeat(64), bytes: 10, name: 'a.txt' }), /\.pdf; a\.txt .* text\/plain/],
      [addressOfFile({ hash: 'a'.repeat(64), bytes: 1001, name: 'a.pdf' }), / 1000 bytes; a\.pdf .* 1001/],
      ['https://example.org/a.pdf', / address .*\/media\/files/],
      [`/media/files/${'a'.repeat(64)}/1/../a.pdf`, / address /],
      [`/media/files/${'a'.repeat(64)}/1/a\u202Efdp.pdf`, / address /],
      [7, / address /],
    ])('says what it takes: %s', async (contract, problem) => {
      const { status, json } = await create({ name: randomBytes(4).toString('hex'), contract });
      expect([status, json.error.details[0].message]).toEqual([400, expect.stringMatching(problem)]);
    });

    it('keeps to the contract of field kinds', async () => {
      const names = ['a.pdf', 'Übersicht 100% #1.txt', "o'brien (2).csv", '日本語 🌱.txt', '-=cmd.txt'];
      const value = () =>
        addressOfFile({
          hash: randomBytes(32).toString('hex'),
          bytes: randomInt(1, 1e9),
          name: names[randomInt(names.length)] ?? 'a',
        });
      const project = join(__dirname, '../../../..');
      const refused = [
        '/media/files/',
        '/media/x.png',
        `${value()}?x`,
        `${value()}/x`,
        value().replace('files', 'file'),
      ];
      const results = await testFieldKind(join(__dirname, '../..'), [
        { kind: 'media.File', value, refused, count: 4, project },
        {
          kind: 'media.FocalPoint',
          value: () => ({ x: randomInt(1_001) / 1_000, y: randomInt(1_001) / 1_000 }),
          refused: [{ x: 0.5 }, { y: 1 }, { x: 1.1, y: 0 }, { x: -0.1, y: 0 }, { x: '0', y: 0 }, [0, 1], 'middle', 1],
          text: (point) => JSON.stringify(point),
          count: 4,
        },
      ]);
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    });
  });
}
