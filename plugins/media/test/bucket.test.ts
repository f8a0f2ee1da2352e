import sharp from 'sharp';
import { eventually } from '../../../test/support/eventually';
import { startTestHost, type TestHost } from '../../../test/support/platform';
import { send, type Answer } from '../../../test/support/rest-client';
import { picture } from './support/images';
import { createS3Server } from './support/s3-server';

const server = createS3Server('pictures');
let host: TestHost;

function settings(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    GANTRY_MEDIA_S3_BUCKET: 'pictures',
    GANTRY_MEDIA_S3_ENDPOINT: server.endpoint(),
    GANTRY_MEDIA_S3_PREFIX: 'gantry/',
    GANTRY_MEDIA_S3_ACCESS_KEY_ID: server.keys.id,
    GANTRY_MEDIA_S3_SECRET_ACCESS_KEY: server.keys.secret,
    ...more,
  };
}

beforeAll(async () => {
  await server.start();
  host = await startTestHost({ plugins: ['plugins/media'], environment: settings() });
});

afterAll(async () => {
  await host?.stop();
  await server.stop();
  server.remove();
});

function upload(body: Buffer, address = host.address): Promise<Answer> {
  return send(address, '/media/images', { method: 'POST', headers: { 'content-type': 'image/png' }, body });
}

describe('images in a bucket of an S3-compatible service', () => {
  it('are stored there once, under their names and the prefix', async () => {
    const bytes = await picture(500, 400).png().toBuffer();
    const [first, second] = [await upload(bytes), await upload(bytes)];

    expect([first.status, second.status]).toEqual([201, 200]);
    const name = String(first.json.data.url).replace('/media/', '');
    expect(server.objects()).toEqual(['gantry', `gantry/${name}`]);
  });

  it('are served from there, whole and smaller', async () => {
    const bytes = await picture(500, 401).png().toBuffer();
    const url = `${host.address}${String((await upload(bytes)).json.data.url)}`;
    const [whole, small] = await Promise.all([fetch(url), fetch(`${url}?width=64`)]);

    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({ format: 'webp', width: 64 });
  });

  it('are there with files, which are served from there as they were sent', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = await send(host.address, '/media/files?name=a.txt', { method: 'POST', headers, body: 'some text' });
    const url = String(sent.json.data.url);
    const part = await fetch(new URL(url, host.address), { headers: { range: 'bytes=5-8' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 5-8/9', 'text']);
    expect(server.objects()).toContain(`gantry/${url.split('/')[3]}.file`);
    expect((await send(host.address, url)).text).toBe('some text');
  });

  it('are not found when they are not there', async () => {
    const url = `/media/${'0'.repeat(64)}.png`;
    expect((await send(host.address, url)).status).toBe(404);
    expect((await send(host.address, `${url}?width=64`)).status).toBe(404);
  });

  it('cannot be had while the service is unavailable, but for the variants that are there, and then can again', async () => {
    const bytes = await picture(500, 402).png().toBuffer();
    const url = String((await upload(bytes)).json.data.url);
    await send(host.address, `${url}?width=64`);
    await server.stop();
    const away = await Promise.all([
      upload(await picture(500, 403).png().toBuffer()),
      send(host.address, url),
      send(host.address, `${url}?width=160`),
      send(host.address, `${url}?width=64`),
    ]);

    expect(away.map(({ status }) => status)).toEqual([503, 503, 503, 200]);
    expect(away[0]?.json.error).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('bucket pictures'),
    });
    await eventually(() => host.output().includes('ECONNREFUSED'));
    const { json } = await send(host.address, '/readyz');
    expect(json.data.parts).toContainEqual({
      name: 'plugin media',
      status: 'degraded',
      message: expect.stringContaining('bucket pictures'),
    });

    await server.start();
    expect((await upload(bytes)).status).toBe(200);
    expect((await send(host.address, `${url}?width=160`)).status).toBe(200);
  });

  it('are refused by a service that does not know the keys; the platform starts all the same and says so', async () => {
    const environment = settings({ GANTRY_MEDIA_S3_SECRET_ACCESS_KEY: 'another' });
    const other = await startTestHost({ plugins: ['plugins/media'], environment });
    try {
      await eventually(() => other.output().includes('the bucket pictures does not answer'));
      expect((await upload(await picture(500, 404).png().toBuffer(), other.address)).status).toBe(503);
      expect(other.output()).not.toContain('another');
    } finally {
      await other.stop();
    }
  });
});
