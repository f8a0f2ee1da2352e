import sharp, { type Sharp } from 'sharp';

const teal = { r: 0, g: 128, b: 128 };

/** A picture of one colour. */
export function picture(width: number, height: number, background = teal): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** Every format that is stored, each in its own size so that no two are taken for one another. */
export async function onePictureOfEach(): Promise<Readonly<Record<'png' | 'jpg' | 'gif' | 'webp' | 'avif', Buffer>>> {
  const [png, jpg, gif, webp, avif] = await Promise.all([
    picture(400, 300).png().toBuffer(),
    picture(401, 300).jpeg().toBuffer(),
    picture(402, 300).gif().toBuffer(),
    picture(403, 300).webp().toBuffer(),
    picture(404, 300).avif({ effort: 0 }).toBuffer(),
  ]);
  return { png, jpg, gif, webp, avif };
}

/** Pixels that cannot be compressed, so that half of the file is really half of the picture. */
export async function noise(width: number, height: number): Promise<Sharp> {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: teal,
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
}

/** Two frames of different colours, one above the other as the library wants them. */
export async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    [teal, { r: 200, g: 0, b: 0 }].map((colour) => picture(120, 80, colour).png().toBuffer()),
  );
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { loop: 0, delay: [100, 100] })
    .toBuffer();
}

/** A GIF of very small frames, each with an extension before it and every other one with colours of its own. */
export function gifOfFrames(count: number): Buffer {
  const colours = Buffer.from([0, 128, 128, 200, 0, 0]);
  const screen = Buffer.concat([Buffer.from('GIF89a\u0001\0\u0001\0\u0080\0\0', 'latin1'), colours]);
  const delay = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]);
  const pixel = Buffer.from([2, 2, 0x44, 1, 0]);
  const frame = (flags: number): Buffer => Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, flags]);
  const plain = Buffer.concat([delay, frame(0), pixel]);
  const coloured = Buffer.concat([delay, frame(0x80), colours, pixel]);
  const frames = Array.from({ length: count }, (_frame, index) => (index % 2 === 0 ? plain : coloured));
  return Buffer.concat([screen, ...frames, Buffer.from([0x3b])]);
}
