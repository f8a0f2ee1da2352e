import { useState } from 'react';
import { ImageIcon, OutsideIcon } from '../ui/icons';
import { useImageDescription } from './image/use-image-description';

/** A small picture of an IMAGE value, a link if it is elsewhere, and the text of the value when it is no image. */
export function Thumbnail({
  value,
  label,
  size = 36,
}: {
  readonly value: unknown;
  readonly label: string;
  readonly size?: number;
}) {
  const address = imageAddress(value);
  if (address === undefined) return typeof value === 'string' ? <span dir="auto">{value}</span> : null;
  if (address.kind === 'outside') return <OutsideImage address={address} label={label} />;
  return <OwnImage key={address.path} address={address} label={label} size={size} />;
}

/** Images of other sites are not loaded: that would show others what is opened here, and when. */
function OutsideImage({
  address: { url, host },
  label,
}: {
  readonly address: Extract<ImageAddress, { kind: 'outside' }>;
  readonly label: string;
}) {
  return (
    <a className="outside-image" href={url} target="_blank" rel="noopener noreferrer" title={url}>
      <OutsideIcon size={16} />
      <span className="visually-hidden">{label}: open at </span>
      <span className="clipped">{host}</span>
    </a>
  );
}

function OwnImage({
  address,
  label,
  size,
}: {
  readonly address: Exclude<ImageAddress, { kind: 'outside' }>;
  readonly label: string;
  readonly size: number;
}) {
  const [failed, setFailed] = useState(false);
  const { kind, path } = address;
  const { alternativeText, focalPoint } = useImageDescription(kind === 'stored' ? path : undefined);
  if (failed) {
    return (
      <span
        title={`Cannot be loaded: ${path}`}
        {...(label === '' ? {} : { role: 'img', 'aria-label': `${label}: the image cannot be loaded` })}
        className="no-image"
      >
        <ImageIcon size={Math.min(size, 24)} />
      </span>
    );
  }
  return (
    <img
      className="thumbnail"
      {...(kind === 'stored' ? variantsFor(path, size) : { src: path })}
      // Beside the label of its item, it is decorative.
      alt={label === '' ? '' : (alternativeText ?? label)}
      title={label === '' ? undefined : path}
      style={focalPoint === undefined ? undefined : { objectPosition: `${focalPoint.x * 100}% ${focalPoint.y * 100}%` }}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
    />
  );
}

/** Where an IMAGE value leads. */
type ImageAddress =
  /** An image that was uploaded; it is offered in smaller variants. */
  | { readonly kind: 'stored'; readonly path: string }
  /** Another path of the platform. */
  | { readonly kind: 'own'; readonly path: string }
  /** An address elsewhere, from which these pages load nothing. */
  | { readonly kind: 'outside'; readonly url: string; readonly host: string };

/** The picture beside the label of an item; decorative, as the label says what it shows. Nothing for an image elsewhere. */
export function LabelThumbnail({ value, size = 32 }: { readonly value: unknown; readonly size?: number }) {
  const address = imageAddress(value);
  return address === undefined || address.kind === 'outside' ? (
    <span className="thumbnail blank" style={{ width: size, height: size }}>
      <ImageIcon size={16} />
    </span>
  ) : (
    <OwnImage key={address.path} address={address} label="" size={size} />
  );
}

/** Whether a value is the path of an uploaded image. */
export function isStoredImage(value: string): boolean {
  return /^\/media\/[0-9a-f]{64}\.[a-z]+$/.test(value);
}

/** Address of an IMAGE value; undefined for `javascript:` and similar. */
function imageAddress(value: unknown): ImageAddress | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (isStoredImage(value)) return { kind: 'stored', path: value };
  if (/^\/(?![/\\])/.test(value)) return { kind: 'own', path: value };
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined;
  const { href, host } = new URL(value);
  return { kind: 'outside', url: href, host };
}

/** The widths that the platform makes variants in. */
const variantWidths: readonly number[] = [64, 160, 320, 640, 1280];

/** Addresses of a stored image that fit a square of so many pixels, for ordinary screens and for dense ones. */
function variantsFor(path: string, size: number): { readonly src: string; readonly srcSet: string } {
  const [src, dense] = [size, size * 2].map((pixels) => {
    const width = variantWidths.find((known) => known >= pixels);
    return width === undefined ? path : `${path}?width=${width}`;
  });
  return { src: src ?? path, srcSet: `${dense ?? path} 2x` };
}
