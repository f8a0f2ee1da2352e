import { orderedOperators } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { dayPattern, instantText, readInstant } from '../calendar';
import { dateLimitProblems, describeLimits, readWithin } from '../date-limits';
import { exampleOf, plainKind, refused, rowSchemaOf, type FieldKind } from '../field-kind';
import { plainFieldType } from '../plain-column';
import { relativeOperators } from '../relative-operators';

/** An instant, in UTC; each reader sees it in a time zone that is named. */
export const dateTimeKind: FieldKind = {
  ...plainKind,
  name: 'datetime',
  type: 'DATETIME',
  exact: true,
  unordered: false,
  index: 'order',
  isLabel: false,
  isEmptyTextNone: true,
  operators: {
    ...orderedOperators,
    ...relativeOperators({ units: 'hdwmy', at: (interval) => `(now() + ${interval})` }),
  },
  parse: (value, field) =>
    typeof value === 'string'
      ? readWithin(readInstant, value, field)
      : refused('WRONG_TYPE', 'must be a date and time as text, such as "2026-03-01T09:30:00Z"'),
  isSame: (sent, stored) => instantText(sent) === instantText(stored),
  convert: (text) => readInstant(text.trim()),
  cast: (value) => `${value}::timestamptz`,
  arrayType: 'timestamptz[]',
  modelType: () => DataType.DATE(3),
  json: (column) =>
    `CASE WHEN ${column} >= '0001-01-01T00:00Z' AND ${column} < '10000-01-01T00:00Z' THEN to_json(${column})::text END`,
  fromModel: (value) => (value instanceof Date ? (instantText(value) ?? String(value)) : value),
  toModel: (value) => new Date(String(value)),
  // Text of a field that was of another type stays: a restore refuses it and does not empty the field.
  fromHistory: (value) => instantText(value)?.replace(/\.?0*Z$/, '+00:00') ?? value,
  toCell: (text) => instantText(text) ?? text,
  toFileJson: (text) => JSON.stringify(instantText(text) ?? text),
  jsonSchema: () => ({ type: 'string', format: 'date-time', pattern: instantPattern }),
  rowSchema: (field) => ({ ...rowSchemaOf(field, 'string'), format: 'date-time' }),
  describe: (field) => [
    'A date and time with its offset from UTC (ISO 8601), at most milliseconds; stored and shown in UTC.',
    ...describeLimits(field),
  ],
  example: (field) =>
    exampleOf(
      field,
      (text) => readWithin(readInstant, text, field),
      String(field.min ?? field.max ?? '2026-03-01T09:30:00Z'),
    ),
};

/** The first and the last day are left out: whether their times are in the years depends on the offset. */
const instantPattern = `^(?!0001-01-01|9999-12-31)${dayPattern}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,3})?)?(?:Z|[+-](?:0\\d|1[0-5]):[0-5]\\d)$`;

export const fieldType = plainFieldType(
  {
    name: 'DATETIME',
    options: ['min', 'max'],
    fitsDefault: (value) => typeof value === 'string',
    problems: dateLimitProblems(readInstant),
  },
  {
    usual: () => 'TIMESTAMPTZ(3)',
    holds: (columnType) => /^(?:timestamptz|timestamp(?:\([3-6]\))? with time zone)(?:\([3-6]\))?$/i.test(columnType),
    kindOf: () => ({ kind: dateTimeKind }),
  },
);
