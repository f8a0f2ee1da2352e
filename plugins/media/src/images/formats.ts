/**
 * The formats that are stored: what every browser shows, and what cannot carry a script. `pixelCost` is how much more
 * memory a pixel takes while it is unpacked: measured, some 5 bytes at most, and some 20 where the library unpacks all at
 * once.
 */
export const formats = {
  png: { title: 'PNG', mediaType: 'image/png', pixelCost: 1 },
  jpg: { title: 'JPEG', mediaType: 'image/jpeg', pixelCost: 1 },
  gif: { title: 'GIF', mediaType: 'image/gif', pixelCost: 1 },
  webp: { title: 'WebP', mediaType: 'image/webp', pixelCost: 1 },
  avif: { title: 'AVIF', mediaType: 'image/avif', pixelCost: 4 },
} as const;

/** A key of {@link formats}, and the ending of the image's name. */
export type ImageFormat = keyof typeof formats;

/** Bytes from the beginning of a file that {@link recogniseFormat} looks at. */
export const headLength = 1024;

/** Detects the format from the first bytes; names and header fields are only claims. */
export function recogniseFormat(head: Buffer): ImageFormat | undefined {
  const text = (start: number, end: number): string => head.toString('latin1', start, end);
  if (text(0, 8) === '\u0089PNG\r\n\u001a\n') return 'png';
  if (text(0, 3) === '\u00ff\u00d8\u00ff') return 'jpg';
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (text(4, 8) === 'ftyp' && (text(8, 12) === 'avif' || text(8, 12) === 'avis')) return 'avif';
  return undefined;
}

/** Whether unsupported content looks like an SVG, which gets a separate message. */
export function looksLikeSvg(head: Buffer): boolean {
  return /<svg[\s>]/i.test(head.toString('latin1'));
}

/** Names of formats that people have and browsers do not show. */
export function otherFormat(head: Buffer): string | undefined {
  const text = (start: number, end: number): string => head.toString('latin1', start, end);
  const isHeic = text(4, 8) === 'ftyp' && /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(text(8, 12));
  if (isHeic) return 'HEIC image, as phones take';
  if (text(0, 4) === 'II*\0' || text(0, 4) === 'MM\0*') return 'TIFF image';
  return text(0, 2) === 'BM' ? 'BMP image' : undefined;
}
