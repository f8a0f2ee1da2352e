/** Where an IMAGE value leads. */
export type ImageAddress =
  /** An image that was uploaded; it is offered in smaller variants. */
  | { readonly kind: 'stored'; readonly path: string }
  /** Another path of the platform. */
  | { readonly kind: 'own'; readonly path: string }
  /** An address elsewhere, from which these pages load nothing. */
  | { readonly kind: 'outside'; readonly url: string; readonly host: string };

/** What an IMAGE value may lead to; `javascript:` and its like lead nowhere. */
export function imageAddress(value: unknown): ImageAddress | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (/^\/media\/[0-9a-f]{64}\.[a-z]+$/.test(value)) return { kind: 'stored', path: value };
  if (/^\/(?![/\\])/.test(value)) return { kind: 'own', path: value };
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined;
  const { href, host } = new URL(value);
  return { kind: 'outside', url: href, host };
}

/** The widths that the platform makes variants in. */
const variantWidths: readonly number[] = [64, 160, 320, 640, 1280];

/** Addresses of a stored image that fit a square of so many pixels, for ordinary screens and for dense ones. */
export function variantsFor(path: string, size: number): { readonly src: string; readonly srcSet: string } {
  const [src, dense] = [size, size * 2].map((pixels) => {
    const width = variantWidths.find((known) => known >= pixels);
    return width === undefined ? path : `${path}?width=${width}`;
  });
  return { src: src ?? path, srcSet: `${dense ?? path} 2x` };
}
