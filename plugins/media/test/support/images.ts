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
