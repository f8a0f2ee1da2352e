import { parsed, refused, sameInModel, type FieldKind } from './field-kind';

export const booleanKind: FieldKind = {
  name: 'boolean',
  type: 'BOOLEAN',
  exact: true,
  unordered: true,
  index: 'order',
  parse: (value) => (typeof value === 'boolean' ? parsed(value) : refused('WRONG_TYPE', 'must be true or false')),
  convert(text) {
    const word = text.trim().toLowerCase();
    return word === 'true' || word === 'false'
      ? parsed(word === 'true')
      : refused('WRONG_TYPE', 'must be true or false');
  },
  parameter: (position) => `$${position}::boolean`,
  json: (column) => `CASE ${column} WHEN true THEN 'true' WHEN false THEN 'false' END`,
  fromModel: sameInModel,
  toModel: sameInModel,
  jsonSchema: () => ({ type: 'boolean' }),
};
