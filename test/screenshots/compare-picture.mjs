import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';
import { project } from './platform.mjs';

/** The share of pixels that may differ. */
const tolerance = 0.001;
const reports = join(project, 'reports', 'screenshots');

/** Where the picture of a name is kept. */
export const fileOf = (name) => join(project, 'docs/screenshots', `${name}.png`);

/**
 * The same picture in fewer bytes: an interface has few colours. Where that many pixels would differ to the eye, as those of images do,
 * it keeps them all.
 */
export async function reduceColours(picture) {
  const reduced = await sharp(picture).png({ palette: true, quality: 100, effort: 10, dither: 0 }).toBuffer();
  const [before, after] = await Promise.all([readPixels(picture), readPixels(reduced)]);
  const others = before.data.reduce((sum, value, index) => sum + (Math.abs(value - after.data[index]) > 8 ? 1 : 0), 0);
  return others <= 100 ? reduced : sharp(picture).png({ compressionLevel: 9 }).toBuffer();
}

/**
 * Compares a picture with the one that is kept. When they differ, both and their difference are left in `reports/screenshots`.
 * @returns undefined for the same picture, else how it differs
 */
export async function differenceTo(name, picture) {
  const [kept, actual] = await Promise.all([readPixels(await readFile(fileOf(name))), readPixels(picture)]);
  const { width, height } = kept;
  if (width !== actual.width || height !== actual.height) {
    return `${name} has ${actual.width} × ${actual.height} pixels instead of ${width} × ${height}`;
  }
  const difference = Buffer.alloc(kept.data.length);
  const count = pixelmatch(kept.data, actual.data, difference, width, height);
  if (count <= tolerance * width * height) return undefined;
  await mkdir(reports, { recursive: true });
  await writeFile(join(reports, `${name}.kept.png`), await readFile(fileOf(name)));
  await writeFile(join(reports, `${name}.actual.png`), picture);
  await sharp(difference, { raw: { width, height, channels: 4 } }).toFile(join(reports, `${name}.difference.png`));
  return `${name} differs in ${count} of ${width * height} pixels: see reports/screenshots. Renew the pictures with npm run screenshots.`;
}

async function readPixels(png) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
