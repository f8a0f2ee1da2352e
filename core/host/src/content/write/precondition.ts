import { GantryError, type BaseItem } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { ItemTypeDescriptor } from '../compile/descriptor';

/** What the version of an item has to be for a request to act on it (RFC 9110, section 13.1). */
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
    throw new GantryError(
      'VERSION_MISMATCH',
      `${item} has version ${version}, not ${truncate(expected.join(' or '))}: it was changed in the meantime. Read it again and repeat the change.`,
      { headers },
    );
  }
  if (excluded.includes('*') || excluded.includes(String(version))) {
    throw new GantryError(
      'VERSION_MISMATCH',
      `${item} exists with version ${version}, which If-None-Match excludes. To change this version, send it as If-Match instead.`,
      { headers },
    );
  }
}
