import { accepted, arrayText, orderedOperators, type BoundOperand, type KindOperator } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { dayPattern, daysOf, readDay } from '../calendar';
import { dateLimitProblems, describeLimits, readWithin } from '../date-limits';
import { exampleOf, plainKind, refused, rowSchemaOf, type FieldKind, type Parsed } from '../field-kind';
import type { FieldRules } from '../field-rules';
import { plainFieldType } from '../plain-column';
import { relativeOperators } from '../relative-operators';

/** A year or a month is a part of the text of its days, as it was when such fields were text. */
const contains: KindOperator = {
  bind(text, field, kind) {
    const [, year = '', month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(text.trim()) ?? [];
    if (year === '' || year === '0000') {
      const day = kind.convert(text, field);
      if (!day.ok) return { ...day, message: `${day.message}, or a month or year of it, such as 2026-03` };
      return accepted<BoundOperand>({
        value: String(day.value),
        condition: (column, parameter) => `${column} = ${parameter}::date`,
      });
    }
    const last = month === undefined ? '12-31' : `${month}-${daysOf(Number(year), Number(month))}`;
    return accepted<BoundOperand>({
      value: arrayText([`${year}-${month ?? '01'}-01`, `${year}-${last}`]),
      variant: 'period',
      condition: (column, parameter) => `${column} BETWEEN (${parameter}::date[])[1] AND (${parameter}::date[])[2]`,
    });
  },
};

/** A calendar day. No time zone ever counts: what was typed is what is stored and shown. */
export const dateKind: FieldKind = {
  ...plainKind,
  name: 'date',
  type: 'DATE',
  exact: true,
  unordered: false,
  index: 'order',
  isLabel: false,
  isEmptyTextNone: true,
  operators: {
    ...orderedOperators,
    ...relativeOperators({
      units: 'dwmy',
      // The day in UTC: the database does not know the zone of the reader.
      at: (interval) => `((now() AT TIME ZONE 'UTC') + ${interval})::date`,
    }),
    CONTAINS: contains,
  },
  parse: readValue,
  convert: (text) => readDay(text.trim()),
  cast: (value) => `${value}::date`,
  arrayType: 'date[]',
  modelType: () => DataType.DATEONLY,
  // Dates without a form in JSON, which a plugin's own statement may have stored, are shown as null.
  json: (column) => `CASE WHEN ${column} BETWEEN '0001-01-01' AND '9999-12-31' THEN '"' || ${column} || '"' END`,
  jsonSchema: () => ({ type: 'string', format: 'date', pattern: `^${dayPattern}$` }),
  rowSchema: (field) => ({ ...rowSchemaOf(field, 'string'), format: 'date' }),
  describe: (field) => ['A calendar day.', ...describeLimits(field)],
  example: (field) =>
    exampleOf(field, (text) => readWithin(readDay, text, field), String(field.min ?? field.max ?? '2026-03-01')),
};

function readValue(value: unknown, field: FieldRules): Parsed<string> {
  return typeof value === 'string'
    ? readWithin(readDay, value, field)
    : refused('WRONG_TYPE', 'must be a calendar day as text, such as "2026-03-01"');
}

export const fieldType = plainFieldType(
  {
    name: 'DATE',
    options: ['min', 'max'],
    fitsDefault: (value) => typeof value === 'string',
    problems: dateLimitProblems(readDay),
  },
  {
    usual: () => 'DATE',
    holds: (columnType) => /^date$/i.test(columnType),
    kindOf: () => ({ kind: dateKind }),
  },
);
