import { GantryError, type BaseItem } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { ItemTypeDescriptor } from '../compile/descriptor';

/** The versions of an item on which a request may act (RFC 9110, section 13.1). */
export interface Precondition {
  /** From If-Match: versions of which the item must have one; absent where any will do. */
  readonly expected?: readonly string[] | undefined;
  /** From If-None-Match: versions of which the item must have none; `*` is any version. */
  readonly excluded?: readonly string[] | undefined;
}

/** @throws GantryError VERSION_MISMATCH */
export function assertPrecondition(
  type: ItemTypeDescriptor,
  { id, version }: Pick<BaseItem, 'id' | 'version'>,
  { expected, excluded = [] }: Precondition,
): void {
  const item = `${type.displayName} ${id}`;
  const headers = { ETag: `"${version}"` };
  if (expected !== undefined && !expected.includes(String(version))) {
    throw new GantryError('VERSION_MISMATCH', unexpected(item, version, expected), { headers });
  }
  if (excluded.includes('*') || excluded.includes(String(version))) {
    throw new GantryError(
      'VERSION_MISMATCH',
      `${item} exists with version ${version}, which If-None-Match excludes. To change this version, send it as If-Match instead.`,
      { headers },
    );
  }
}

/** A tag that is no version names none that the item ever had: to read the item again would not help. */
function unexpected(item: string, version: number, expected: readonly string[]): string {
  const tags = truncate(expected.join(' or '));
  if (expected.some((tag) => /^[1-9]\d*$/.test(tag))) {
    return `${item} has version ${version}, not ${tags}: it was changed in the meantime. Read it again and repeat the change.`;
  }
  const reason = expected.every((tag) => tag.startsWith('W/'))
    ? 'a weak tag, which never matches'
    : 'no version of an item';
  return `${item} has version ${version}. If-Match has ${tags}, ${reason}: send the version that you have read in quotes and without W/, for example "${version}".`;
}
