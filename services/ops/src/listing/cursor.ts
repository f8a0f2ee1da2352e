import { createHash } from 'node:crypto';

/**
 * The cursor of the next page: where it begins, and a short checksum. The checksum distinguishes cursors from other text, and
 * from cursors of something else, because Temporal reports an invalid token as an internal failure.
 * @param scope what is read by page
 */
export function cursorOf(scope: string, position: Uint8Array): string {
  return `${Buffer.from(position).toString('base64url')}.${sumOf(scope, position)}`;
}

/** Where a page begins; undefined for text that is no cursor of the scope. */
export function parseCursor(scope: string, cursor: string): Buffer | undefined {
  const [text = '', sum, ...more] = cursor.split('.');
  const position = Buffer.from(text, 'base64url');
  return position.length > 0 && sum === sumOf(scope, position) && more.length === 0 ? position : undefined;
}

function sumOf(scope: string, position: Uint8Array): string {
  return createHash('sha256').update(`${scope}\n`).update(position).digest('base64url').slice(0, 8);
}
