import { useState } from 'react';
import { ImageIcon } from '../ui/icons';
import { imageAddress } from './image-address';

/** A small picture of an IMAGE value; the address as text when it is no image. */
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
  const [failed, setFailed] = useState<string>();
  if (address === undefined) return typeof value === 'string' ? <span dir="auto">{value}</span> : null;
  if (failed === address) {
    return (
      <span
        title={`Cannot be loaded: ${address}`}
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
      src={address}
      alt={label}
      title={address}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(address)}
    />
  );
}
