import {
  BaseItem,
  Field,
  ItemType,
  type FieldOptions,
  type ItemTypeClass,
  type ItemTypeOptions,
} from '@gantry/plugin-api';
import {
  CompileError,
  compileItemType,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  type FieldTypes,
  type ResolveTarget,
  shippedFieldTypes,
} from '@gantry/core-content';

export type Declarations = Readonly<Record<string, Partial<FieldOptions>>>;

/** A class with the given name and fields, as an author would write it. */
export function declareType(
  className: string,
  fields: Declarations,
  options: ItemTypeOptions = {},
  base: ItemTypeClass = BaseItem as ItemTypeClass,
): ItemTypeClass {
  const model = { [className]: class extends base {} }[className] as unknown as ItemTypeClass;
  for (const [name, field] of Object.entries(fields)) {
    Field({ displayName: name, ...field } as FieldOptions)(model.prototype as object, name);
  }
  ItemType(options)(model);
  return model;
}

/** Compiles it as a type of the plugin `workshop`, which may refer to its own classes and to `other.Thing`. */
export function compile(
  model: ItemTypeClass,
  plugin = 'workshop',
  fieldTypes: FieldTypes = shippedFieldTypes,
): ItemTypeDescriptor {
  const resolve: ResolveTarget = (target) => {
    if (typeof target !== 'string') return { plugin, className: target().name };
    return target === 'other.Thing'
      ? { plugin: 'other', className: 'Thing' }
      : { problem: `${target}, which is nowhere` };
  };
  return compileItemType(plugin, model, resolve, plugin, fieldTypes);
}

export function compileFields(fields: Declarations, options: ItemTypeOptions = {}): ItemTypeDescriptor {
  return compile(declareType('Sample', fields, options));
}

/** The one field of a type. */
export function compileField(options: Partial<FieldOptions>): FieldDescriptor {
  const [field] = compileFields({ value: options }).fields;
  if (field === undefined) throw new Error('The type has no field.');
  return field;
}

/** Problems of a type; empty when it compiles. */
export function problemsOfType(model: ItemTypeClass, fieldTypes?: FieldTypes): readonly string[] {
  try {
    compile(model, 'workshop', fieldTypes);
    return [];
  } catch (error) {
    if (error instanceof CompileError) return error.problems;
    throw error;
  }
}

export function problemsOfFields(
  fields: Declarations,
  options: ItemTypeOptions = {},
  fieldTypes?: FieldTypes,
): readonly string[] {
  return problemsOfType(declareType('Sample', fields, options), fieldTypes);
}
