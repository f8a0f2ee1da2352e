import { send } from '../../../../test/support/rest-client';
import { noise, picture } from '../support/images';
import { maxBytes, type MediaHost } from '../support/media-host';

/** The store for other plugins. */
export function describeImageStore(media: MediaHost): void {
  const { host } = media;

  const headers = { 'content-type': 'application/octet-stream' };
  const scan = (body: Buffer) => send(host.address, '/scans', { method: 'POST', headers, body });
  const read = (url: string) => send(host.address, `/scans?url=${encodeURIComponent(url)}`);

  describe('the image store that other plugins use', () => {
    it('stores an image once, whoever stores it, and describes it as an upload does', async () => {
      const bytes = await picture(40, 30).png().toBuffer();
      const first = await scan(bytes);
      const again = await scan(bytes);
      const uploaded = await send(host.address, '/media/images', { method: 'POST', headers, body: bytes });

      expect(uploaded.status).toBe(200);
      expect(first.json.data).toEqual({ image: uploaded.json.data, created: true });
      expect(again.json.data).toEqual({ image: uploaded.json.data, created: false });
    });

    it('opens an image by the value of its field', async () => {
      const bytes = await picture(41, 30).webp().toBuffer();
      const { url } = (await scan(bytes)).json.data.image;

      expect((await read(url)).json.data).toEqual({
        mediaType: 'image/webp',
        bytes: bytes.length,
        content: bytes.toString('base64'),
      });
    });

    it('has none for an address elsewhere, an unknown name and a path', async () => {
      const urls = ['https://example.org/a.png', `/media/${'0'.repeat(64)}.png`, '/media/../../package.json', ''];
      const answers = await Promise.all(urls.map(read));

      expect(answers.map(({ json }) => json.data)).toEqual([null, null, null, null]);
    });

    it('refuses what an upload refuses, and more bytes than the limit also when the route takes more', async () => {
      const large = await (await noise(1000, 1000)).png().toBuffer();
      const answers = await Promise.all([scan(Buffer.from('no image')), scan(large)]);

      expect(large.length).toBeGreaterThan(maxBytes);
      expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
        [415, 'UNSUPPORTED_MEDIA_TYPE'],
        [413, 'PAYLOAD_TOO_LARGE'],
      ]);
    });
  });
}
