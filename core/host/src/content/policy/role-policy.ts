import { itemActions, type Grant, type ItemAction } from '@gantry/contracts';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';
import type { Policy } from './policy';
import { restrictTypes, type TypeRights } from './restrict-types';

/** The policy of a user with these grants: what one of them allows is allowed. */
export function createRolePolicy(types: ItemTypes, grants: readonly Grant[]): Policy {
  return Object.freeze({
    types: restrictTypes(types, (type) => rightsOn(type, grants)),
    may: (action: ItemAction, { actions = itemActions }: ItemTypeDescriptor) => actions.includes(action),
  });
}

/** The fields of a grant belong to its actions: two grants never combine the actions of one with the fields of the other. */
function rightsOn(type: ItemTypeDescriptor, grants: readonly Grant[]): TypeRights {
  const own = grants.filter(({ on }) => concerns(on, type));
  const isIn = (action: ItemAction, field: FieldDescriptor): boolean =>
    own.some((grant) => grant.actions.includes(action) && hasField(grant, action, field));
  const isReadable = (field: FieldDescriptor): boolean => isIn('read', field);
  return {
    actions: itemActions.filter((action) => own.some(({ actions }) => actions.includes(action))),
    showsField: isReadable,
    isCreatable: (field) => isReadable(field) && isIn('create', field),
    isUpdatable: (field) => isReadable(field) && isIn('update', field),
  };
}

/** Those of the grants that allow the action, for the field if one is given. */
export function explainGrants(
  type: ItemTypeDescriptor,
  grants: readonly Grant[],
  action: ItemAction,
  field: FieldDescriptor | undefined,
): readonly Grant[] {
  return grants.filter(
    (grant) =>
      concerns(grant.on, type) &&
      grant.actions.includes(action) &&
      (field === undefined || hasField(grant, action, field)),
  );
}

/** An import writes what may be created and updated; an export has what is readable. */
function hasField(
  { readableFields, writableFields = readableFields }: Grant,
  action: ItemAction,
  { name }: FieldDescriptor,
): boolean {
  const names = action === 'create' || action === 'update' ? writableFields : readableFields;
  return names === undefined || names.includes(name);
}

function concerns(on: Grant['on'], type: ItemTypeDescriptor): boolean {
  if (on === 'content') return !type.readOnly;
  if (on === 'records') return type.readOnly;
  return on.plugin === type.plugin && (on.type === undefined || on.type === type.code);
}
