import sharp from 'sharp';
import { useTestHost } from '../../../test/support/platform';
import { send } from '../../../test/support/rest-client';

const host = useTestHost({ plugins: ['plugins/media'] });

it('stores an image once, by its content, and serves what was sent', async () => {
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const upload = () =>
    send(host.address, '/media', { method: 'POST', headers: { 'content-type': 'image/png' }, body: png });
  const [first, second] = [await upload(), await upload()];
  const served = await fetch(`${host.address}${String(first.json.data.url)}`);

  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.json).toEqual(first.json);
  expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
});
