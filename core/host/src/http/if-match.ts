import { GantryError } from '@gantry/plugin-api';

const tag = String.raw`(?:W/)?"[^"]*"`;
const eachTag = /"([^"]*)"/g;
const tags = new RegExp(String.raw`^\s*${tag}(?:\s*,\s*${tag})*\s*$`);

/**
 * Whether a client has the version already: `If-None-Match: "3"`, or several with commas; `*` means any. A weak tag counts as
 * the version in it, and a header that cannot be read is left aside (RFC 9110, section 13.1.2).
 */
export function hasVersion(header: string | undefined, version: number): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return tags.test(header) && [...header.matchAll(eachTag)].some(([, found]) => found === String(version));
}

/**
 * The versions of which a request expects one: `If-Match: "3"`, or several with commas; `*` and no header expect none.
 * A weak tag (`W/"3"`) and one that is no version are versions that no item has (RFC 9110, section 13.1.1).
 * @throws GantryError BAD_REQUEST for anything else
 */
export function parseIfMatch(header: string | undefined): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  // A forgotten pair of quotes harms nobody.
  if (/^\s*\d+\s*$/.test(header)) return [header.trim()];
  if (!tags.test(header)) {
    throw new GantryError(
      'BAD_REQUEST',
      'If-Match must be the version of the item in quotes, as ETag gives it, for example "3".',
    );
  }
  return [...header.matchAll(new RegExp(tag, 'g'))].map(([found]) =>
    found.startsWith('W/') ? found : found.slice(1, -1),
  );
}
