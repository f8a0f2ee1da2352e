import { orderedOperators } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { readTime } from '../calendar';
import { exampleOf, plainKind, refused, rowSchemaOf, type FieldKind } from '../field-kind';
import { plainFieldType } from '../plain-column';

/** A time of day, in whatever zone the item is about. */
export const timeKind: FieldKind = {
  ...plainKind,
  name: 'time',
  type: 'TIME',
  exact: true,
  unordered: false,
  index: 'order',
  isLabel: false,
  isEmptyTextNone: true,
  operators: orderedOperators,
  parse: (value) =>
    typeof value === 'string'
      ? readTime(value)
      : refused('WRONG_TYPE', 'must be a time of day as text, such as "09:30"'),
  isSame: (sent, stored) => sent === withoutZeros(String(stored)),
  convert: (text) => readTime(text.trim()),
  cast: (value) => `${value}::time`,
  arrayType: 'time[]',
  modelType: () => DataType.TIME,
  // PostgreSQL has an hour 24, which plugins' own statements may have stored.
  json: (column) => `'"' || ${column} || '"'`,
  jsonSchema: () => ({ type: 'string', pattern: timePattern }),
  rowSchema: (field) => rowSchemaOf(field, 'string'),
  describe: () => ['A time of day, HH:MM or HH:MM:SS, at most milliseconds.'],
  example: (field) => exampleOf(field, readTime, '09:30'),
};

const timePattern = '^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,3})?)?$';

function withoutZeros(text: string): string {
  return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

export const fieldType = plainFieldType(
  { name: 'TIME', fitsDefault: (value) => typeof value === 'string' },
  {
    usual: () => 'TIME(3)',
    holds: (columnType) => /^time(?:\([3-6]\))?(?: without time zone)?$/i.test(columnType),
    kindOf: () => ({ kind: timeKind }),
  },
);
