import type { DeclaredField, ItemTypeOptions } from '@gantry/plugin-api';
import { typeCode } from '../naming';
import { findRepeated } from '@gantry/core-common';
import type { Declaration, FieldType } from '../kinds/field-type';
import type { FieldDescriptor } from './descriptor';

/** The names in `renamedFrom` of a field or a type. */
export function earlierNames({ renamedFrom = [] }: Pick<ItemTypeOptions, 'renamedFrom'>): readonly string[] {
  return typeof renamedFrom === 'string' ? [renamedFrom] : [...renamedFrom];
}

/** Problems of `renamedFrom` of a type and its fields, which are of the right shape. */
export function earlierNameProblems(
  className: string,
  fields: readonly DeclaredField[],
  options: ItemTypeOptions,
): readonly string[] {
  const own = fields.flatMap(({ options: field }) => earlierNames(field));
  return [
    ...earlierNames(options).flatMap((code) => codeProblems(code, className)),
    ...findRepeated(earlierNames(options)).map((code) => `renamedFrom of @ItemType names ${code} more than once`),
    ...fields.flatMap(({ name, options: field }) =>
      earlierNames(field).flatMap((earlier) => fieldNameProblems(name, earlier, fields)),
    ),
    ...findRepeated(own).map((name) => `renamedFrom names the field ${name} more than once`),
  ];
}

function codeProblems(code: string, className: string): readonly string[] {
  if (!/^[a-z][a-z0-9]{0,62}$/.test(code)) {
    return [
      `renamedFrom of @ItemType names ${code}, which is not a type code; write the earlier class name in lower case`,
    ];
  }
  return code === typeCode(className) ? [`renamedFrom of @ItemType names ${code}, which is its own code`] : [];
}

function fieldNameProblems(name: string, earlier: string, fields: readonly DeclaredField[]): readonly string[] {
  const isName = /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(earlier);
  if (!isName) return [`renamedFrom of ${name} names ${earlier}, which is not a field name`];
  const isField = fields.some((field) => field.name === earlier);
  return isField ? [`renamedFrom of ${name} names ${earlier}, which is a field of the type`] : [];
}

/** A name of the same column gives the history, grants and views of the field its name of today. */
export function compileEarlier(declaration: Declaration, type: FieldType): Pick<FieldDescriptor, 'earlier'> {
  const names = earlierNames(declaration.options);
  if (names.length === 0) return {};
  const earlier = names.map((name) => ({
    name,
    column: type.compile({ ...declaration, name }, () => undefined).column,
  }));
  return { earlier };
}
