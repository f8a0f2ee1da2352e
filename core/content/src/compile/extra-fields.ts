import type { FieldCondition } from '@gantry/contracts';
import { deepFreeze, describeError, findRepeated, numberText } from '@gantry/core-common';
import { extraSeparator, type LeftField } from '@gantry/core-database';
import type { DeclaredField, ExtraFields } from '@gantry/plugin-api';
import { parsed, type FieldKind } from '../kinds/field-kind';
import { longTextKind } from '../kinds/text';
import type { FieldTypes, ResolveTarget } from '../kinds/field-type';
import { typeCode } from '../naming';
import { checkFields } from './declaration/check-declaration';
import { attributesOf, CompileError, clashingColumns, compileField, declaredFields } from './compile-item-type';
import { comparisonProblems } from './field-conditions';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from './descriptor';
import { earlierNames } from './earlier-names';
import type { TypeSource } from './resolve-target';

/** The name of an extra field outside of its class. */
function extraName(plugin: string, name: string): string {
  return plugin + extraSeparator + name;
}

interface ExtraContext {
  readonly resolveTarget: ResolveTarget;
  readonly fieldTypes: FieldTypes;
  /** Whether a plugin is there. */
  readonly hasPlugin: (id: string) => boolean;
}

/**
 * Adds the extra fields of a plugin to the types, each of which becomes another object.
 * @returns problems of the declarations, with which no type is changed
 */
export function addExtraFields(
  { manifest, definition: { extraFields = [] } }: TypeSource,
  types: CompiledItemType[],
  context: ExtraContext,
): readonly string[] {
  const problems: string[] = [];
  const extended = new Map<string, CompiledItemType>();
  for (const extra of extraFields) {
    try {
      const code = targetOf(extra, manifest, context);
      const type = extended.get(code ?? '') ?? types.find(({ descriptor }) => descriptor.code === code);
      if (type === undefined) continue;
      extended.set(type.descriptor.code, { ...type, descriptor: extend(type.descriptor, extra, manifest, context) });
    } catch (error) {
      const reason = error instanceof CompileError ? error.problems.join('; ') : describeError(error);
      problems.push(`Extra fields ${extra.fields.name}: ${reason}`);
    }
  }
  if (problems.length > 0) return problems;
  types.splice(0, types.length, ...types.map((type) => extended.get(type.descriptor.code) ?? type));
  return [];
}

/** The code of the type. @returns undefined for one that is not there and need not be @throws CompileError */
function targetOf(extra: ExtraFields, manifest: TypeSource['manifest'], context: ExtraContext): string | undefined {
  const target = context.resolveTarget(extra.type);
  if (!('problem' in target)) return typeCode(target.className);
  if (isAbsent(extra, manifest, context)) return undefined;
  throw new CompileError(extra.fields.name, [`the type is ${target.problem}`]);
}

/** A type of an optional dependency that is not there. */
function isAbsent(
  { type }: ExtraFields,
  { optionalDependsOn }: TypeSource['manifest'],
  { hasPlugin }: ExtraContext,
): boolean {
  const [, plugin = ''] = (typeof type === 'string' && /^([a-z][a-z0-9-]*)\.\w+$/.exec(type)) || [];
  return Object.hasOwn(optionalDependsOn, plugin) && !hasPlugin(plugin);
}

/** @throws CompileError */
function extend(
  type: ItemTypeDescriptor,
  { fields: declaring, unique = [] }: ExtraFields,
  { id, displayName }: TypeSource['manifest'],
  { resolveTarget, fieldTypes }: ExtraContext,
): ItemTypeDescriptor {
  const declared = declaredFields(declaring);
  const own = new Set(declared.map(({ name }) => name));
  const nameOf = (name: string): string => (own.has(name) ? extraName(id, name) : name);
  const problems = [
    ...(type.plugin === id ? [`${type.className} is a type of the plugin itself; declare the fields there`] : []),
    ...checkFields(declaring, declared, fieldTypes),
    ...declared.flatMap(({ name, options }) =>
      options.computed === undefined ? [] : [`${name} is computed, which an extra field cannot be`],
    ),
    ...declared.flatMap(({ name, options: { maintained, required, cardinality, linkTargets } }) =>
      maintained === true && (required === true || cardinality === 'MULTIPLE' || linkTargets !== undefined)
        ? [`${name} is maintained by the plugin, so that it can neither be required nor have links`]
        : [],
    ),
    ...Object.keys(attributesOf(declaring) ?? {}).map(
      (name) => `${name} has @Column; name its type in column of @Field`,
    ),
    ...uniqueProblems(unique, own, type),
  ];
  if (problems.length > 0) throw new CompileError(declaring.name, problems);
  const outside = unique.map((names) => names.map(nameOf));
  const context = { table: type.table, model: declaring, unique: outside, resolveTarget, problems, fieldTypes };
  const fields = declared
    .map((field) => compileField({ name: nameOf(field.name), options: outsideOptions(field, id, nameOf) }, context))
    .map((field): FieldDescriptor => ({ section: displayName, ...field, plugin: id }));
  const all = [...type.fields, ...fields];
  problems.push(...clashingColumns(all), ...comparisonProblems(all));
  if (problems.length > 0) throw new CompileError(declaring.name, problems);
  return deepFreeze({ ...type, fields: all, unique: [...type.unique, ...outside] });
}

function uniqueProblems(
  unique: readonly (readonly string[])[],
  own: ReadonlySet<string>,
  { fields, className }: ItemTypeDescriptor,
): readonly string[] {
  const owners = new Set(fields.filter(({ plugin }) => plugin === undefined).map(({ name }) => name));
  return unique.flatMap((set) => [
    ...(set.some((name) => own.has(name))
      ? []
      : [`unique names ${set.join(', ') || 'nothing'}, and no field of the class`]),
    ...set
      .filter((name) => !own.has(name) && !owners.has(name))
      .map((name) => `unique names ${name}, which is no field of the class or of ${className}`),
    ...findRepeated(set).map((name) => `unique names ${name} more than once`),
  ]);
}

/** The options with the names by which other fields know those of the class. */
function outsideOptions(
  { options }: DeclaredField,
  plugin: string,
  nameOf: (name: string) => string,
): DeclaredField['options'] {
  const { visibleIf, requiredIf, renamedFrom: _renamedFrom, ...rest } = options;
  const earlier = earlierNames(options).map((name) => extraName(plugin, name));
  return {
    ...rest,
    ...(visibleIf === undefined ? {} : { visibleIf: renameIn(visibleIf, nameOf) }),
    ...(requiredIf === undefined ? {} : { requiredIf: renameIn(requiredIf, nameOf) }),
    ...(earlier.length === 0 ? {} : { renamedFrom: earlier }),
  };
}

function renameIn(condition: FieldCondition, nameOf: (name: string) => string): FieldCondition {
  if ('all' in condition) return { all: condition.all.map((one) => renameIn(one, nameOf)) };
  if ('any' in condition) return { any: condition.any.map((one) => renameIn(one, nameOf)) };
  return { ...condition, field: nameOf(condition.field) };
}

/** The type without the extra fields of plugins that are not in use; the same object where it has none of them. */
export function withoutExtras(type: CompiledItemType, isInUse: (plugin: string) => boolean): CompiledItemType {
  const { descriptor } = type;
  const fields = descriptor.fields.filter(({ plugin }) => plugin === undefined || isInUse(plugin));
  if (fields.length === descriptor.fields.length) return type;
  const names = new Set(fields.map(({ name }) => name));
  const unique = descriptor.unique.filter((set) => set.every((name) => names.has(name)));
  return { ...type, descriptor: deepFreeze({ ...descriptor, fields, unique }) };
}

/** The type with the fields of plugins that are not in use, whose values only restores write. */
export function withLeftFields(
  type: CompiledItemType,
  left: readonly LeftField[],
  isInUse: (plugin: string) => boolean,
): CompiledItemType {
  const { descriptor } = type;
  const own = left.filter(({ table, name }) => table === descriptor.table && !isInUse(pluginOfExtra(name)));
  const fields = own.map(leftField);
  return fields.length === 0
    ? type
    : { ...type, descriptor: deepFreeze({ ...descriptor, fields: [...descriptor.fields, ...fields] }) };
}

/** Its values are texts, as which PostgreSQL reads those of every type. */
function leftField({ name, column, type }: LeftField): FieldDescriptor {
  const kind: FieldKind = {
    ...longTextKind,
    cast: (value) => `${value}::${type}`,
    parse: (value) => parsed(typeof value === 'string' ? value : (numberText(value) ?? JSON.stringify(value))),
  };
  return {
    ...{ name, column, kind, displayName: name, type: kind.type, columnType: type, plugin: pluginOfExtra(name) },
    ...{ required: false, searchable: false, editableOnUpdate: false, placeholder: '' },
  };
}

function pluginOfExtra(name: string): string {
  return name.slice(0, name.indexOf(extraSeparator));
}
