import type { IncomingMessage } from 'node:http';
import { GantryError, invalidParameter, type RawHandler } from '@gantry/plugin-api';
import { formats } from './formats';
import { addressOf, parseFileName, type ImageName } from './image-name';
import { isKnown, sendContent, sendNotModified, writeHead } from '../send-content';
import type { ImageStorage } from '../storage/image-storage';
import type { RecentUploads } from '../uploads/recent-uploads';
import { uploadPermission } from '../uploads/upload-permission';
import { variantWidths, type Variants } from './variants';

/** Serves `/<name>` as it was uploaded, and `/<name>?width=<one of a few>` smaller. */
export function createImageHandler(
  parts: () => { readonly storage: ImageStorage; readonly variants: Variants },
  uploads: Pick<RecentUploads, 'has'>,
): RawHandler {
  return async (request, response, path, { caller, mayRead }) => {
    const width = readWidth(request);
    const name = parseFileName(path.slice(1));
    if (name === undefined) throw notFound();
    const addresses = addressesOf(name);
    const isShown = uploads.has(caller, addressOf(name)) || (await mayRead(addresses));
    if (!isShown && !(await mayRead(addresses, { unusedWith: uploadPermission }))) throw notFound();
    const etag = width === undefined ? `"${name.hash}"` : `"${name.hash}-${width}"`;
    // The content of a name never changes, so that it can be cached for ever.
    const isCurrent = isKnown(request, etag);
    if (isCurrent && isShown) return sendNotModified(response, etag);
    const { storage, variants } = parts();
    const found = await (width === undefined ? storage.open(name) : variants.open(name, width));
    if (found === undefined) throw notFound();
    if (isCurrent) {
      found.content.destroy();
      return sendNotModified(response, etag);
    }
    writeHead(response, etag);
    response.setHeader('Content-Type', mediaTypeOf(name, width));
    await sendContent(request, response, found);
  };
}

function readWidth(request: IncomingMessage): number | undefined {
  // The path is left out: a client may send one that is no part of a URL.
  const parameters = new URLSearchParams(/\?(.*)$/s.exec(request.url ?? '')?.[1]);
  const [text, ...more] = parameters.getAll('width');
  const width = variantWidths.find((known) => String(known) === text);
  const unknown = [...parameters.keys()].find((key) => key !== 'width');
  if (unknown !== undefined) throw refused(unknown.slice(0, 100), 'UNKNOWN_FIELD');
  if (more.length > 0) throw refused('width', 'DUPLICATE');
  if (text !== undefined && width === undefined) throw refused('width', 'NOT_AN_OPTION');
  return width;
}

function refused(parameter: string, code: 'UNKNOWN_FIELD' | 'DUPLICATE' | 'NOT_AN_OPTION'): GantryError {
  const message = `The only query parameter of an image is width, and its value must be one of ${variantWidths.join(', ')}`;
  return invalidParameter(parameter, message, code);
}

/** Addresses that an IMAGE field can have for the image: it gives the right to all sizes. */
function addressesOf(name: ImageName): readonly string[] {
  const address = addressOf(name);
  return [address, ...variantWidths.map((width) => `${address}?width=${width}`)];
}

function notFound(): GantryError {
  return new GantryError('NOT_FOUND', 'Not found: no image has this path.');
}

function mediaTypeOf({ format }: ImageName, width: number | undefined): string {
  return width === undefined ? formats[format].mediaType : formats.webp.mediaType;
}
