import { fieldTypes } from '@gantry/contracts';
import type { DeclaredField, ItemTypeClass, ItemTypeOptions } from '@gantry/plugin-api';
import { snakeCase } from './naming';

/** Names that stand for something else in rows, queries or on every object. */
const reservedNames: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'version',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
]);

/** Everything wrong with a type's declarations that needs no other type to see. */
export function checkDeclaration(
  model: ItemTypeClass,
  fields: readonly DeclaredField[],
  options: ItemTypeOptions,
): string[] {
  const names = new Set(fields.map((field) => field.name));
  return [
    ...(/^[A-Z][A-Za-z0-9]{0,62}$/.test(model.name)
      ? []
      : [`the class name ${model.name} must begin with a capital and have letters and digits only`]),
    ...(fields.length === 0 ? ['declares no @Field'] : []),
    ...fields.flatMap(checkField),
    ...duplicateColumns(fields),
    ...unknownNames('columns', options.columns ?? [], names),
    ...(options.unique ?? []).flatMap((set) => unknownNames('unique', set, names)),
    ...checkSearchResult(options, names),
  ];
}

function checkField(field: DeclaredField): readonly string[] {
  return [...nameProblems(field), ...typeProblems(field), ...valueProblems(field)];
}

function nameProblems({ name, options }: DeclaredField): readonly string[] {
  const problems: string[] = [];
  if (!/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(name))
    problems.push(`the field name ${name} must begin with a letter and have letters, digits and _ only`);
  if (reservedNames.has(name)) problems.push(`the field name ${name} is reserved`);
  if (typeof options.displayName !== 'string' || options.displayName === '')
    problems.push(`${name} has no displayName`);
  return problems;
}

function typeProblems({ name, options }: DeclaredField): readonly string[] {
  const problems: string[] = [];
  const type = options.type ?? 'STRING';
  if (!fieldTypes.includes(type))
    problems.push(`${name} has the unknown type ${type}; known are ${fieldTypes.join(', ')}`);
  if (type === 'REFERENCE' && options.targetEntity === undefined)
    problems.push(`${name} is a REFERENCE without targetEntity`);
  if (type !== 'REFERENCE' && options.targetEntity !== undefined)
    problems.push(`${name} has a targetEntity but is no REFERENCE`);
  if (options.options !== undefined && type !== 'STRING') problems.push(`${name} has options but is no STRING`);
  return problems;
}

function valueProblems({ name, options }: DeclaredField): readonly string[] {
  const problems: string[] = [];
  const type = options.type ?? 'STRING';
  if (options.options?.length === 0) problems.push(`${name} has an empty list of options`);
  if (options.pattern !== undefined && !isPattern(options.pattern))
    problems.push(`${name} has a pattern that is no regular expression`);
  if (options.default !== undefined && !fitsDefault(type, options.default))
    problems.push(`${name} has a default of another type than the field`);
  if (typeof options.default === 'string' && options.options?.includes(options.default) === false)
    problems.push(`${name} has a default that is none of its options`);
  return problems;
}

function isPattern(source: string): boolean {
  try {
    new RegExp(`^(?:${source})$`, 'u');
    return true;
  } catch {
    return false;
  }
}

function fitsDefault(type: string, value: string | number | boolean): boolean {
  if (type === 'BOOLEAN') return typeof value === 'boolean';
  if (type === 'NUMBER')
    return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  return type !== 'REFERENCE' && typeof value === 'string';
}

function duplicateColumns(fields: readonly DeclaredField[]): readonly string[] {
  const names = fields.map((field) => snakeCase(field.name));
  return fields
    .filter((field, index) => names.indexOf(snakeCase(field.name)) !== index)
    .map((field) => `${field.name} has the same column as another field`);
}

function unknownNames(option: string, wanted: readonly string[], names: ReadonlySet<string>): readonly string[] {
  return wanted.filter((name) => !names.has(name)).map((name) => `${option} names ${name}, which is no field`);
}

function checkSearchResult(options: ItemTypeOptions, names: ReadonlySet<string>): readonly string[] {
  const mapping = options.searchResult;
  if (mapping === undefined || typeof mapping === 'function') return [];
  return unknownNames(
    'searchResult',
    [mapping.label, mapping.subLabel].filter((name) => name !== undefined),
    names,
  );
}
