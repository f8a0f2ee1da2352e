import { open } from 'node:fs/promises';
import { GantryError } from '@gantry/plugin-api';
import sharp, { type Metadata } from 'sharp';
import { countFrames } from './count-frames';
import { formats, headLength, looksLikeSvg, otherFormat, recogniseFormat, type ImageFormat } from './formats';
import { decodeSeconds, isTimeout } from './decoding';

/** The format of a file, from its content alone. */
export interface InspectedImage {
  readonly format: ImageFormat;
  /** Pixels as it is shown, that is after turning it as its metadata say. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}

/**
 * Unpacks an image whole, so that nothing damaged or dangerous is stored.
 * @throws GantryError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE (pixels, frames), BAD_REQUEST (damaged), UNAVAILABLE (took too long)
 */
export async function inspectImage(path: string, maxPixels: number): Promise<InspectedImage> {
  const head = await readHead(path);
  const format = formatOf(head);
  // Before the image library looks at it: it takes long for very many frames, and writes to the log about very long sides.
  assertSides(format === 'png' ? pngSize(head) : undefined);
  await assertFrames(path, format);
  const metadata = await readMetadata(path, format);
  assertSides(metadata);
  const { width, height, pages = 1 } = metadata;
  const most = Math.floor(maxPixels / formats[format].pixelCost);
  if (width * height * pages > most) throw tooManyPixels(metadata, format, most);
  await assertWhole(path, format, maxPixels);
  const shown = metadata.autoOrient;
  return { format, width: shown.width, height: shown.height, animated: pages > 1 };
}

function formatOf(head: Buffer): ImageFormat {
  if (head.length === 0) throw new GantryError('BAD_REQUEST', 'The body is empty. Send the bytes of an image.');
  const format = recogniseFormat(head);
  if (format !== undefined) return format;
  const accepted = Object.values(formats).map(({ title }) => title);
  throw new GantryError('UNSUPPORTED_MEDIA_TYPE', `An image must be ${accepted.join(', ')}. ${describeOther(head)}`);
}

function describeOther(head: Buffer): string {
  if (looksLikeSvg(head)) return 'This is an SVG, which can carry scripts and is not accepted. Save it as PNG.';
  const other = otherFormat(head);
  return other === undefined ? 'The format of the content is not supported.' : `This is a ${other}. Save it as JPEG.`;
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Pixels of a side at most: as many as a JPEG can have, and more than browsers show. */
const maxSide = 65_535;

/** Frames of a moving image at most. */
const maxFrames = 1000;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in the header of a PNG; undefined where the file ends before. */
function pngSize(head: Buffer): Size | undefined {
  return head.length < 24 ? undefined : { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function assertSides(size: Size | undefined): void {
  if (size === undefined || Math.max(size.width, size.height) <= maxSide) return;
  throw new GantryError(
    'PAYLOAD_TOO_LARGE',
    `The image has ${size.width} × ${size.height} pixels; a side may have ${maxSide}. Make it smaller.`,
  );
}

async function assertFrames(path: string, format: ImageFormat): Promise<void> {
  if ((await countFrames(path, format, maxFrames)) <= maxFrames) return;
  throw new GantryError(
    'PAYLOAD_TOO_LARGE',
    `The image has more than ${maxFrames} frames. Make it shorter, or store it as a video elsewhere.`,
  );
}

async function readMetadata(path: string, format: ImageFormat): Promise<Metadata> {
  // The limit on pixels is checked by the caller, with a sentence that names them.
  const metadata = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw damaged(format, error);
    });
  if (metadata.format !== libraryNames[format]) throw damaged(format, new Error(`It was read as ${metadata.format}.`));
  return metadata;
}

const libraryNames: Readonly<Record<ImageFormat, string>> = {
  png: 'png',
  jpg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  avif: 'heif',
};

/** Every frame is read to its end; the result is small, and not used. */
async function assertWhole(path: string, format: ImageFormat, maxPixels: number): Promise<void> {
  try {
    await sharp(path, { animated: true, limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds: decodeSeconds })
      .resize({ width: 16, height: 16, fit: 'inside' })
      .raw()
      .toBuffer();
  } catch (error) {
    if (isTimeout(error)) {
      throw new GantryError('UNAVAILABLE', `The image could not be read within ${decodeSeconds} seconds.`, {
        cause: error,
      });
    }
    throw damaged(format, error);
  }
}

function damaged(format: ImageFormat, cause: unknown): GantryError {
  return new GantryError('BAD_REQUEST', `The ${formats[format].title} image is damaged or incomplete.`, { cause });
}

function tooManyPixels({ width, height, pages = 1 }: Metadata, format: ImageFormat, most: number): GantryError {
  const frames = pages > 1 ? ` in ${pages} frames` : '';
  return new GantryError(
    'PAYLOAD_TOO_LARGE',
    `The image has ${width} × ${height} pixels${frames}; the maximum for ${formats[format].title} is ${most}. Make it smaller.`,
  );
}
