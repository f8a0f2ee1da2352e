import type { ItemTypeClass } from '@gantry/plugin-api';
import { attributesOf, declaredFields } from './compile-item-type';
import type { FieldTypes } from '../kinds/field-type';
import { shippedFieldTypes } from '../kinds/registry';

/** The patterns of a type's fields, own and inherited ones. Other problems of a field are left to its check. */
export function declaredPatterns(
  model: ItemTypeClass,
  fieldTypes: FieldTypes = shippedFieldTypes,
): readonly { readonly field: string; readonly pattern: string; readonly maxLength: number }[] {
  const attributes = attributesOf(model);
  return declaredFields(model).flatMap(({ name, options }) => {
    const { pattern } = options;
    if (typeof pattern !== 'string') return [];
    try {
      const declaration = { name, options, attribute: attributes?.[name], table: '', resolveTarget };
      const { maxLength = Infinity } = fieldTypes.of(options)?.compile(declaration, () => undefined) ?? {};
      return [{ field: name, pattern, maxLength }];
    } catch {
      return [{ field: name, pattern, maxLength: Infinity }];
    }
  });
}

/** Where a field refers to has nothing to do with its pattern. */
const resolveTarget = () => ({ problem: 'not looked for' });
