import { conditionsIn, type Grant, type ItemCondition, type ShownGrant } from '@gantry/contracts';
import { platformField, type FieldDescriptor, type ItemTypeDescriptor, type Policy } from '@gantry/core-content';

/**
 * Grants of roles as a user sees them: those on types that the policy hides are left out, as are names of hidden fields and conditions
 * that name such a field, or a value of an item that may be hidden.
 */
export function shownGrants(grants: readonly Grant[], policy: Policy): readonly ShownGrant[] {
  return grants.flatMap((grant) => shownGrant(grant, policy) ?? []);
}

function shownGrant(grant: Grant, { types }: Policy): ShownGrant | undefined {
  const { on } = grant;
  if (typeof on === 'string') return grant;
  const isShownPlugin = types.all.some(({ descriptor }) => descriptor.plugin === on.plugin);
  if (on.type === undefined) return isShownPlugin ? grant : undefined;
  const type = types.find(on.type)?.descriptor;
  if (type?.plugin !== on.plugin) return undefined;
  const { readableFields, writableFields, where, ...rest } = grant;
  const conditions = where?.filter((condition) => conditionsIn([condition]).every((one) => showsCondition(type, one)));
  return {
    ...rest,
    ...(readableFields === undefined ? {} : { readableFields: readableFields.filter((name) => hasField(type, name)) }),
    ...(writableFields === undefined ? {} : { writableFields: writableFields.filter((name) => hasField(type, name)) }),
    ...(conditions === undefined || conditions.length === 0 ? {} : { where: conditions }),
    ...(conditions?.length === where?.length ? {} : { hidesConditions: true }),
  };
}

function hasField({ fields }: ItemTypeDescriptor, name: string): boolean {
  return fields.some((field) => field.name === name);
}

/** Whether a user to whom the type is shown so may know a condition on its items. */
export function showsCondition(type: ItemTypeDescriptor, { field: name, value }: ItemCondition): boolean {
  const field: FieldDescriptor | undefined =
    type.fields.find((candidate) => candidate.name === name) ?? platformField(type, name);
  if (field === undefined) return false;
  return value.startsWith('$') || (type.rows?.read === undefined && field.shownOn === undefined);
}
