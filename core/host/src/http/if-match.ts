import { GantryError } from '@gantry/plugin-api';

/**
 * The version a request expects: `If-Match: "3"`; `*` and no header expect none.
 * @throws GantryError BAD_REQUEST for anything else
 */
export function parseIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^\s*"?(\d{1,9})"?\s*$/.exec(header)?.[1];
  if (version !== undefined) return Number(version);
  throw new GantryError(
    'BAD_REQUEST',
    'If-Match must be the version of the item in quotes, as ETag gives it, for example "3".',
  );
}
