import { Anchor } from '@mantine/core';
import { sizeText, type StoredFile } from './stored-file';

/** The name of a file, which opens or downloads it, and its size. A name can be written in any direction. */
export function FileLink({ file: { url, name, bytes } }: { readonly file: StoredFile }) {
  return (
    <span className="file-link">
      <Anchor inherit href={url} target="_blank" rel="noopener noreferrer" title={name}>
        <bdi>{name}</bdi>
      </Anchor>{' '}
      <span className="file-size">{sizeText(bytes)}</span>
    </span>
  );
}
