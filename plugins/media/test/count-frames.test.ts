import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { countFrames } from '../src/images/count-frames';
import { inspectImage } from '../src/images/inspect-image';
import { animation, gifOfFrames, picture } from './support/images';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-media-frames-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stored(bytes: Buffer): Promise<string> {
  const path = join(folder, 'image');
  await writeFile(path, bytes);
  return path;
}

describe('the frames of an image', () => {
  it.each(['gif', 'webp'] as const)(
    'are counted as the image library does, in a moving and a still %s',
    async (format) => {
      for (const bytes of [await animation(format), await picture(20, 10).toFormat(format).toBuffer()]) {
        const { pages = 1 } = await sharp(bytes).metadata();
        const frames = await countFrames(await stored(bytes), format, 1000);

        expect(Math.max(frames, 1)).toBe(pages);
      }
    },
  );

  it('are counted with extensions and colour tables between them', async () => {
    const bytes = gifOfFrames(70);

    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(70);
    expect(await countFrames(await stored(bytes), 'gif', 1000)).toBe(70);
  });

  it('are counted no further than necessary', async () => {
    expect(await countFrames(await stored(gifOfFrames(100_000)), 'gif', 1000)).toBeLessThan(10_000);
  });

  it('end where the file does, or where it has no known block', async () => {
    const bytes = gifOfFrames(10);
    expect(await countFrames(await stored(bytes.subarray(0, bytes.length / 2)), 'gif', 1000)).toBe(5);
    expect(await countFrames(await stored(bytes.subarray(0, 5)), 'gif', 1000)).toBe(0);
    expect(await countFrames(await stored(Buffer.from('GIF89a\0\0\0\0\0\0\0junk')), 'gif', 1000)).toBe(0);
    expect(await countFrames(await stored(Buffer.alloc(0)), 'webp', 1000)).toBe(0);
  });

  it('are at most a thousand', async () => {
    expect(await inspectImage(await stored(gifOfFrames(1000)), 1_000_000)).toMatchObject({ animated: true });
    await expect(inspectImage(await stored(gifOfFrames(1001)), 1_000_000)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining(' 1000 frames'),
    });
  });
});
