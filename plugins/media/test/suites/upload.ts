import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { eventually } from '../../../../test/support/eventually';
import { plainPng } from '../../../../test/support/plain-png';
import { send } from '../../../../test/support/rest-client';
import { inspectImage } from '../../src/images/inspect-image';
import { animation, gifOfFrames, noise, onePictureOfEach, picture } from '../support/images';
import { maxBytes, type MediaHost } from '../support/media-host';

/** Uploads of images. */
export function describeUpload(media: MediaHost): void {
  const { host, upload, filesIn } = media;

  afterEach(() => expect(filesIn('incoming')).toEqual([]));

  describe('an upload', () => {
    it('is stored under the name of its content, whatever its header says, for every format', async () => {
      for (const [format, bytes] of Object.entries(await onePictureOfEach())) {
        const answer = await upload(bytes, { 'content-type': format === 'png' ? 'image/jpeg' : 'image/png' });
        const hash = createHash('sha256').update(bytes).digest('hex');

        expect(answer.status).toBe(201);
        expect(answer.headers.location).toBe(`/media/${hash}.${format}`);
        expect(answer.json.data).toEqual({
          url: `/media/${hash}.${format}`,
          mediaType: format === 'jpg' ? 'image/jpeg' : `image/${format}`,
          bytes: bytes.length,
          width: expect.any(Number),
          height: 300,
          animated: false,
        });
      }
    });

    it('is stored once, however often it is sent, at the same time too', async () => {
      const bytes = await picture(50, 40).png().toBuffer();
      const before = filesIn('originals').length;
      const answers = await Promise.all(Array.from({ length: 6 }, () => upload(bytes)));
      const again = await upload(bytes);

      expect(new Set(answers.map(({ json }) => json.data.url)).size).toBe(1);
      expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
      expect(again.status).toBe(200);
      expect(filesIn('originals')).toHaveLength(before + 1);
    });

    it('reports the size as it is shown, and whether it moves', async () => {
      const onItsSide = await picture(60, 30).jpeg().withMetadata({ orientation: 6 }).toBuffer();
      const [turned, gif, webp] = await Promise.all(
        [onItsSide, await animation('gif'), await animation('webp')].map((bytes) => upload(bytes)),
      );

      expect(turned?.json.data).toMatchObject({ width: 30, height: 60, animated: false });
      expect(gif?.json.data).toMatchObject({ width: 120, height: 80, animated: true, mediaType: 'image/gif' });
      expect(webp?.json.data).toMatchObject({ width: 120, height: 80, animated: true, mediaType: 'image/webp' });
    });

    it('may be in CMYK', async () => {
      const answer = await upload(await picture(70, 50).toColourspace('cmyk').jpeg().toBuffer());
      expect(answer.status).toBe(201);
      const small = await fetch(`${host.address}${String(answer.json.data.url)}?width=64`);
      expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({
        space: 'srgb',
        width: 64,
      });
    });

    it.each([
      ['an SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['an SVG that claims to be a PNG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ])('is refused when it is %s, with what to do instead', async (_what, text) => {
      const answer = await upload(Buffer.from(text), { 'content-type': 'image/png' });

      expect([answer.status, answer.json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(answer.json.error.message).toMatch(/ PNG, JPEG, GIF, WebP, AVIF\. .* SVG/);
    });

    it.each([
      ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['PDF', Buffer.from('%PDF-1.7\n')],
      ['BMP', Buffer.from('BM\0\0\0\0')],
      ['HEIC', Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0', 'latin1')],
      ['one byte', Buffer.from('x')],
    ])('is refused when it is %s', async (what, bytes) => {
      const answer = await upload(bytes, { 'content-type': 'image/png' });
      expect([answer.status, answer.json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      if (['BMP', 'HEIC'].includes(what)) expect(answer.json.error.message).toContain(`This is a ${what}`);
    });

    it('is refused when it is damaged or cut off, in every format', async () => {
      const whole = await noise(300, 200);
      const cut = await Promise.all([
        whole.clone().png().toBuffer(),
        whole.clone().jpeg().toBuffer(),
        whole.clone().webp().toBuffer(),
      ]);
      const broken = [
        ...cut.map((bytes) => bytes.subarray(0, bytes.length / 2)),
        ...cut.map((bytes) => bytes.subarray(0, 20)),
      ];
      for (const bytes of [...broken, (await onePictureOfEach()).avif.subarray(0, 250)]) {
        const answer = await upload(bytes);
        expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
        expect(answer.json.error.message).toMatch(/ (PNG|JPEG|WebP|AVIF) image is damaged/);
      }
    });

    it('is refused when it unpacks to too many pixels, without being unpacked', async () => {
      const bomb = plainPng(30_000, 30_000);
      expect(bomb.length).toBeLessThan(200_000);
      const answer = await upload(bomb);

      expect([answer.status, answer.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(answer.json.error.message).toMatch(/ 30000 × 30000 .* PNG .* 50000000\./);
    });

    it('is refused when a side is too long, before the image library writes about it to the log', async () => {
      const header = plainPng(1, 1);
      header.writeUInt32BE(50_000_000, 16);
      const answer = await upload(header);

      expect([answer.status, answer.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(answer.json.error.message).toMatch(/ 50000000 × 1 .* side .* 65535\./);
      expect(host.output()).not.toMatch(/GLib/i);
    });

    it('is refused when it has very many frames, and others are taken meanwhile', async () => {
      const moving = gifOfFrames(60_000);
      const [refused, ...others] = await Promise.all([
        upload(moving),
        upload(moving),
        upload(await picture(22, 20).png().toBuffer()),
      ]);

      expect([refused.status, refused.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(others.map(({ status }) => status)).toEqual([413, 201]);
    });

    it('counts the pixels of all frames together', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gantry-media-frames-'));
      try {
        const path = join(folder, 'moving');
        await writeFile(path, await animation('gif'));

        expect(await inspectImage(path, 120 * 80 * 2)).toMatchObject({ animated: true });
        await expect(inspectImage(path, 120 * 80 * 2 - 1)).rejects.toMatchObject({
          code: 'PAYLOAD_TOO_LARGE',
          message: expect.stringMatching(/ 120 × 80 .* 2 frames; .* GIF .* 19199\./),
        });
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('is refused past the limit of bytes, whether the length was announced or not', async () => {
      const bytes = Buffer.alloc(maxBytes + 1);
      const announced = await upload(bytes);
      const chunked = await upload(bytes, { 'content-type': 'image/png', 'transfer-encoding': 'chunked' });

      for (const answer of [announced, chunked]) {
        expect([answer.status, answer.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
        expect(answer.json.error.message).toContain(`${maxBytes} bytes`);
      }
    });

    it('is refused without a body, without a media type, with another one, or packed', async () => {
      const png = await picture(20, 20).png().toBuffer();
      const answers = await Promise.all([
        upload(Buffer.alloc(0), { 'content-type': 'image/png' }),
        upload(png, {}),
        upload(png, { 'content-type': 'text/html' }),
        upload(png, { 'content-type': 'image/png', 'content-encoding': 'gzip' }),
        send(host.address, '/media/images?name=x.png', {
          method: 'POST',
          headers: { 'content-type': 'image/png' },
          body: png,
        }),
        send(host.address, '/media/images', { method: 'PUT', headers: { 'content-type': 'image/png' }, body: png }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 415, 415, 415, 400, 405]);
    });

    it('leaves nothing when the client breaks off half way', async () => {
      const before = filesIn('originals');
      const socket = connect(host.port, '127.0.0.1');
      socket.on('error', () => undefined);
      const head = [
        'POST /media/images HTTP/1.1',
        `Host: 127.0.0.1:${host.port}`,
        'Content-Type: image/png',
        'Content-Length: 1000000',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.write(Buffer.alloc(100_000));
      await eventually(() => filesIn('incoming').length === 1);
      socket.destroy();

      await eventually(() => filesIn('incoming').length === 0);
      expect(filesIn('originals')).toEqual(before);
    });

    it('from a page of another site is refused', async () => {
      const png = await picture(21, 20).png().toBuffer();
      const answer = await upload(png, { 'content-type': 'image/png', 'sec-fetch-site': 'cross-site' });
      expect(answer.status).toBe(403);
    });
  });
}
