import type { ModelAttributeColumnOptions } from 'sequelize';
import { onceFor } from '@gantry/core-common';
import { type CompiledItemType, type ItemTypeDescriptor, isLinked } from '../compile/descriptor';
import { authorFields } from '../compile/author-fields';
import { attributeName } from '../compile/link-models';
import type { StoredValues } from '../kinds/field-kind';
import { mayReferTo } from './reference-check';
import type { WriteHooks } from './rows/write-hooks';

/**
 * Whether the model adds nothing to a write: no hook, validator, setter or column in addition to the declared fields.
 * Its items can then be written by one statement, with nothing left out.
 */
export function isPlainModel(type: CompiledItemType, action: keyof typeof hooks = 'create'): boolean {
  return !hasHooks(type, action) && isPlainDeclaration(type);
}

const savingHooks = ['beforeValidate', 'afterValidate', 'beforeSave', 'afterSave'] as const;
const hooks = {
  create: [...savingHooks, 'beforeCreate', 'afterCreate'],
  update: [...savingHooks, 'beforeUpdate', 'afterUpdate'],
} as const;

/** Asked each time: a plugin may add a hook when it starts. */
function hasHooks({ model }: CompiledItemType, action: keyof typeof hooks): boolean {
  const { sequelize } = model;
  return hooks[action].some((hook) => model.hasHook(hook) || (sequelize?.hasHook(hook) ?? false));
}

/** Of all fields, whatever a policy shows of them. */
const isPlainDeclaration = onceFor(({ descriptor, stored = descriptor, model }: CompiledItemType): boolean => {
  const { validate = {}, setterMethods = {} } = model.options;
  if (Object.keys(validate).length > 0 || Object.keys(setterMethods).length > 0) return false;
  const defaults = new Map<string, unknown>(
    stored.fields.map((field) => [attributeName(field), field.default ?? null]),
  );
  const authors = new Set(authorFields(stored).map(({ name }) => name));
  const attributes: Readonly<Record<string, ModelAttributeColumnOptions>> = model.getAttributes();
  return Object.entries(attributes).every(([name, attribute]) => {
    if (attribute.validate !== undefined || attribute.set !== undefined) return false;
    return (
      baseAttributes.has(name) ||
      authors.has(name) ||
      (defaults.has(name) && (attribute.defaultValue ?? null) === defaults.get(name))
    );
  });
});

const baseAttributes: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'version']);

/** Whether neither the model nor a plugin adds something to a write. */
export function isPlainWrite(
  type: CompiledItemType,
  action: keyof typeof hooks,
  added: WriteHooks | undefined,
): boolean {
  return added?.of(type.descriptor.code) === undefined && isPlainModel(type, action);
}

/** Whether a create needs nothing but its own row: no links, and no look at the new id, which a reference may have guessed. */
export function isOneRow(type: ItemTypeDescriptor, values: StoredValues): boolean {
  return type.fields.every(
    (field) => !isLinked(field) && (!mayReferTo(field, type.code) || (values.get(field.name) ?? null) === null),
  );
}
