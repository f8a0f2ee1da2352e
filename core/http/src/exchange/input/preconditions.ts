import { GantryError } from '@gantry/plugin-api';
import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '@gantry/core-content';

const tag = String.raw`(?:W/)?"[^"]*"`;
const eachTag = /"([^"]*)"/g;
const tags = new RegExp(String.raw`^\s*${tag}(?:\s*,\s*${tag})*\s*$`);

/**
 * Whether a client has the version already: `If-None-Match: "3"`, or several with commas; `*` means any. A weak tag counts as
 * the version in it, and a header that cannot be read is ignored (RFC 9110, section 13.1.2).
 */
export function hasVersion(header: string | undefined, version: number): boolean {
  const versions = header === undefined ? [] : (readIfNoneMatch(header) ?? []);
  return versions.includes('*') || versions.includes(String(version));
}

/** The precondition of a write. @throws GantryError BAD_REQUEST for a header that cannot be read */
export function parsePrecondition(headers: IncomingHttpHeaders): Precondition {
  return { expected: parseIfMatch(headers['if-match']), excluded: parseIfNoneMatch(headers['if-none-match']) };
}

/**
 * The versions of which a request expects one: `If-Match: "3"`, or several with commas; `*` and no header expect none.
 * A weak tag (`W/"3"`) and one that is no version are versions that no item has (RFC 9110, section 13.1.1); an empty one, which
 * no answer has, cannot be read.
 * @throws GantryError BAD_REQUEST for anything else
 */
export function parseIfMatch(header: string | undefined): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  // A version without quotes is accepted.
  if (/^\s*\d+\s*$/.test(header)) return [header.trim()];
  if (!tags.test(header) || /""/.test(header)) {
    throw new GantryError(
      'BAD_REQUEST',
      'If-Match must be the version of the item in quotes, as ETag gives it, for example "3".',
    );
  }
  return [...header.matchAll(new RegExp(tag, 'g'))].map(([found]) =>
    found.startsWith('W/') ? found : found.slice(1, -1),
  );
}

/** A read that ignores the header only answers more than was needed; a write would do what the client wants to prevent. */
function parseIfNoneMatch(header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  const versions = readIfNoneMatch(header);
  if (versions !== undefined) return versions;
  throw new GantryError(
    'BAD_REQUEST',
    'If-None-Match must be * or versions in quotes, as ETag gives them, for example "3".',
  );
}

/** `*` or the versions of the tags; undefined for anything else. */
function readIfNoneMatch(header: string): readonly string[] | undefined {
  if (header.trim() === '*') return ['*'];
  if (!tags.test(header)) return undefined;
  // A tag `"*"` is a version that no item has.
  return [...header.matchAll(eachTag)].map(([, found]) => found ?? '').filter((found) => found !== '*');
}
