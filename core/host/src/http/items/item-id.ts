import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { ItemTypeDescriptor } from '../../content/compile/descriptor';
import { readId } from '../../content/kinds/reference';

/** The id of an item in a path. @throws GantryError ITEM_NOT_FOUND */
export function parseItemId(type: ItemTypeDescriptor, text: string): string {
  const id = readId(text);
  if (id.ok) return id.value;
  throw new GantryError(
    'ITEM_NOT_FOUND',
    `${type.displayName} not found: ${truncate(text)} is not an id; ids are whole numbers from 1.`,
  );
}
