import { useState } from 'react';
import { ImageIcon, OutsideIcon } from '../ui/icons';
import { imageAddress, variantsFor, type ImageAddress } from './image-address';

/** A small picture of an IMAGE value, a link where it lies elsewhere, and the text of the value when it is no image. */
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

/** Nothing is loaded from elsewhere: it would tell others what is looked at here, and when. */
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
  if (failed) {
    return (
      <span
        title={`Cannot be loaded: ${path}`}
        role="img"
        aria-label={`${label}: the image cannot be loaded`}
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
      alt={label}
      title={path}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
    />
  );
}
