import { fieldTypes, furtherFieldTypes } from '@gantry/contracts';
import { createFieldTypes, type FieldType, type FieldTypes } from './field-type';

/**
 * The field types of the platform, in the order in which clients see them. Each is a folder here with its name, which only the
 * contracts list: by that line, the declarations of plugins are typed.
 */
export const shippedFieldTypes: FieldTypes = createFieldTypes(
  [...fieldTypes, ...furtherFieldTypes].map(load) as [FieldType, ...FieldType[]],
);

function load(name: string): FieldType {
  // eslint-disable-next-line typescript/no-require-imports -- imports name no folder that is computed
  const { fieldType } = require(`./${name.toLowerCase()}`) as { readonly fieldType: FieldType };
  return fieldType;
}
