import { DataType } from 'sequelize-typescript';
import { parsed, plainKind, refused, rowSchemaOf, type FieldKind } from '../field-kind';
import { plainFieldType } from '../plain-column';

export const booleanKind: FieldKind = {
  ...plainKind,
  name: 'boolean',
  type: 'BOOLEAN',
  exact: true,
  unordered: true,
  index: 'order',
  clientType: 'boolean',
  parse: (value) => (typeof value === 'boolean' ? parsed(value) : refused('WRONG_TYPE', 'must be true or false')),
  convert(text) {
    const value = readWord(text);
    return value === undefined ? refused('WRONG_TYPE', 'must be true or false') : parsed(value);
  },
  cast: (value) => `${value}::boolean`,
  arrayType: 'boolean[]',
  modelType: () => DataType.BOOLEAN,
  json: (column) => `CASE ${column} WHEN true THEN 'true' WHEN false THEN 'false' END`,
  fromCell: (text) => readWord(text) ?? text,
  toFileJson: (text) => text,
  jsonSchema: () => ({ type: 'boolean' }),
  rowSchema: (field) => rowSchemaOf(field, 'boolean'),
  example: () => true,
};

export const fieldType = plainFieldType(
  { name: 'BOOLEAN', fitsDefault: (value) => typeof value === 'boolean' },
  {
    usual: () => 'BOOLEAN',
    holds: (columnType) => /^bool(?:ean)?$/i.test(columnType),
    kindOf: () => ({ kind: booleanKind }),
  },
);

function readWord(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
}
