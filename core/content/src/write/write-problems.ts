import type { ErrorDetail } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { ItemTypes, Referrer } from '../compile/item-types';
import { describeProblems } from './values/payload';
import type { RunQuery } from '@gantry/core-database';
import { findReferrers } from '../sql/find-referrers';

/** The 404 of an item that does not exist. */
export function itemNotFound(type: ItemTypeDescriptor, id: string): GantryError {
  return new GantryError('ITEM_NOT_FOUND', `${type.displayName} not found: ${id}`);
}

/** @throws GantryError ITEM_NOT_FOUND for an item that a hook has deleted */
export function foundRow<R>(type: ItemTypeDescriptor, id: string, row: R | undefined): R {
  if (row === undefined) throw itemNotFound(type, id);
  return row;
}

/** `Failed to create <display name>: <every problem>`, and the same for the other actions. */
export function validationFailed(
  type: ItemTypeDescriptor,
  action: 'create' | 'update' | 'restore',
  problems: readonly ErrorDetail[],
): GantryError {
  const cause = problems.length > 0 ? describeProblems(problems) : 'an item that it refers to does not exist';
  return new GantryError('VALIDATION_FAILED', `Failed to ${action} ${type.displayName}: ${cause}`, {
    details: problems,
  });
}

/** Names the types that still refer to an item, and how many items of each do. */
export async function referencedProblem(
  parts: { readonly types: ItemTypes; readonly query: RunQuery },
  type: ItemTypeDescriptor,
  id: string,
): Promise<GantryError> {
  const isMeant = ({ field }: Referrer): boolean => field.reference?.onDelete === undefined;
  const found = await findReferrers(type, id, { ...parts, isMeant });
  const described = found.map(({ typeName, fieldName, count }) => `${count} ${typeName} (${fieldName})`);
  const who = described.length > 0 ? described.join(', ') : 'items that are not shown here';
  return new GantryError(
    'ITEM_REFERENCED',
    `Failed to delete ${type.displayName}: ${id} is referred to by ${who}. Change or delete these items first.`,
    {
      details: found.map(({ typeCode, fieldName, count, items }) => ({
        path: `${typeCode}.${fieldName}`,
        code: 'REFERENCED_BY',
        message: `${count} ${count === 1 ? 'item refers' : 'items refer'} to it`,
        items,
      })),
    },
  );
}
