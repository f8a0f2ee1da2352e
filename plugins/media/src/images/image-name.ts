import { formats, type ImageFormat } from './formats';
import type { StoredName } from '../storage/image-storage';

/** An image by its content: the same bytes always have the same name. */
export interface ImageName {
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly hash: string;
  readonly format: ImageFormat;
}

/** `<hash>.<format>`: the last part of its address, and of its key in a bucket. */
export function fileNameOf({ hash, format }: StoredName): string {
  return `${hash}.${format}`;
}

/** Before the file name in the address of an image. */
export const addressPrefix = '/media/';

/** The value of an IMAGE field for the image. */
export function addressOf(name: ImageName): string {
  return `${addressPrefix}${fileNameOf(name)}`;
}

/** @returns undefined for what no image is called */
export function parseFileName(text: string): ImageName | undefined {
  const [, hash, format] = /^([0-9a-f]{64})\.([a-z]+)$/.exec(text) ?? [];
  return hash !== undefined && isFormat(format) ? { hash, format } : undefined;
}

/** The media type that a bucket reports. */
export function storedMediaType({ format }: StoredName): string {
  return isFormat(format) ? formats[format].mediaType : 'application/octet-stream';
}

function isFormat(text: string | undefined): text is ImageFormat {
  return text !== undefined && Object.hasOwn(formats, text);
}
