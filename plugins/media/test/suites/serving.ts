import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { eventually } from '../../../../test/support/eventually';
import { send } from '../../../../test/support/rest-client';
import { animation, onePictureOfEach, picture } from '../support/images';
import type { MediaHost } from '../support/media-host';

/** Images and their smaller variants. */
export function describeServing(media: MediaHost): void {
  const { host, upload, filesIn, pathOf } = media;

  /** Stores an image and gives its address. */
  async function stored(bytes: Buffer): Promise<string> {
    return String((await upload(bytes)).json.data.url);
  }

  async function read(path: string): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
    const response = await fetch(`${host.address}${path}`);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  describe('an image', () => {
    it('is served as it was sent, to be cached for ever, and can run nothing', async () => {
      for (const [format, sent] of Object.entries(await onePictureOfEach())) {
        const { response, bytes } = await read(await stored(sent));

        expect(bytes.equals(sent)).toBe(true);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'content-type': format === 'jpg' ? 'image/jpeg' : `image/${format}`,
          'content-length': String(sent.length),
          'cache-control': 'private, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
        });
      }
    });

    it('that is also a page is served as the image that it is', async () => {
      const gif = await picture(30, 30).gif().toBuffer();
      const { response } = await read(await stored(Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')])));

      expect(response.headers.get('content-type')).toBe('image/gif');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toContain('sandbox');
    });

    it('is not sent again to who has it, and its head alone is sent to who asks for that', async () => {
      const url = await stored(await picture(31, 30).png().toBuffer());
      for (const path of [url, `${url}?width=64`]) {
        const { response } = await read(path);
        const etag = response.headers.get('etag') ?? '';
        const [known, weak, other, head] = await Promise.all([
          send(host.address, path, { headers: { 'if-none-match': etag } }),
          send(host.address, path, { headers: { 'if-none-match': `"x", W/${etag}` } }),
          send(host.address, path, { headers: { 'if-none-match': '"x"' } }),
          send(host.address, path, { method: 'HEAD' }),
        ]);

        expect([known.status, known.text, weak.status, other.status]).toEqual([304, '', 304, 200]);
        expect([head.status, head.text, head.headers['content-length']]).toEqual([
          200,
          '',
          response.headers.get('content-length'),
        ]);
      }
    });

    it.each([
      ['/media/', 404],
      ['/media/x.png', 404],
      [`/media/${'0'.repeat(64)}.png`, 404],
      [`/media/${'0'.repeat(64)}.png?width=64`, 404],
      [`/media/${'0'.repeat(64)}.constructor`, 404],
      ['/media/../plugins.json', 404],
      ['/media/%2e%2e%2fplugins.json', 404],
      ['/media//[x', 404],
      ['/media//x:99999999?width=64', 404],
      [`/media/${'0'.repeat(64)}.png?width=65`, 400],
      [`/media/${'0'.repeat(64)}.png?width=`, 400],
      [`/media/${'0'.repeat(64)}.png?width=64&width=160`, 400],
      [`/media/${'0'.repeat(64)}.png?height=64`, 400],
    ])('is not at %s', async (path, status) => {
      const answer = await send(host.address, path);
      expect([answer.status, typeof answer.json.error.message]).toEqual([status, 'string']);
    });

    it('is not found by its content with the ending of another format', async () => {
      const url = await stored(await picture(32, 30).png().toBuffer());
      expect((await send(host.address, url.replace(/png$/, 'gif'))).status).toBe(404);
    });
  });

  describe('a smaller variant', () => {
    it('is a WebP of that width, with the sides of the original in proportion', async () => {
      for (const sent of Object.values(await onePictureOfEach())) {
        const { response, bytes } = await read(`${await stored(sent)}?width=160`);
        expect(response.headers.get('content-type')).toBe('image/webp');
        expect(response.headers.get('cache-control')).toContain('immutable');
        expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 160 });
      }
    });

    it('is never larger than the original, and never endlessly high', async () => {
      const small = await read(`${await stored(await picture(40, 20).png().toBuffer())}?width=1280`);
      expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 40, height: 20 });

      const tower = await read(`${await stored(await picture(100, 20_000).png().toBuffer())}?width=64`);
      expect(await sharp(tower.bytes).metadata()).toMatchObject({ height: 256 });
    });

    it('is upright and has lost what the camera wrote into the original', async () => {
      const sent = await picture(60, 30)
        .jpeg()
        .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
        .withMetadata({ orientation: 6 })
        .toBuffer();
      expect((await sharp(sent).metadata()).exif).toBeDefined();
      const { bytes } = await read(`${await stored(sent)}?width=64`);
      const metadata = await sharp(bytes).metadata();

      expect(metadata).toMatchObject({ width: 30, height: 60 });
      expect([metadata.exif, metadata.xmp, metadata.orientation]).toEqual([undefined, undefined, undefined]);
    });

    it('of an animation is a still image', async () => {
      for (const format of ['gif', 'webp'] as const) {
        const { bytes } = await read(`${await stored(await animation(format))}?width=64`);
        expect(await sharp(bytes).metadata()).toMatchObject({ width: 64 });
        expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
      }
    });

    it('is made once for all who ask for it at the same time, and kept', async () => {
      const url = await stored(await picture(900, 700).png().toBuffer());
      const before = filesIn('variants').length;
      const answers = await Promise.all(Array.from({ length: 20 }, () => read(`${url}?width=320`)));

      expect(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
      expect(filesIn('variants')).toHaveLength(before + 1);
      expect(filesIn('incoming')).toEqual([]);
    });

    it('is made again when it was removed, and cannot be made without the original', async () => {
      const url = await stored(await picture(910, 700).png().toBuffer());
      const first = await read(`${url}?width=320`);
      rmSync(pathOf('variants'), { recursive: true });
      const second = await read(`${url}?width=320`);

      expect(second.bytes.equals(first.bytes)).toBe(true);
      rmSync(pathOf('originals'), { recursive: true });
      expect((await read(`${url}?width=640`)).response.status).toBe(404);
    });

    it('of an original that has been damaged on the disk is unavailable, and the log says why', async () => {
      const bytes = await picture(920, 700).png().toBuffer();
      const url = await stored(bytes);
      const name = url.split('/').at(-1) ?? '';
      const path = join(pathOf('originals'), name.slice(0, 2), name);
      writeFileSync(path, readFileSync(path).subarray(0, 60));

      const { response } = await read(`${url}?width=160`);
      expect(response.status).toBe(503);
      await eventually(() => host.output().includes('cannot be shown 160 pixels wide'));
    });
  });
}
