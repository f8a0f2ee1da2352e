import type { CmsFieldType } from '@gantry/contracts';
import { DataType } from 'sequelize-typescript';
import {
  parsed,
  plainKind,
  refused,
  rowSchemaOf,
  type FieldKind,
  type Parsed,
  plainFieldType,
} from '@gantry/core-content';

/** The name is that of no field type of the platform. */
export const durationName = 'DURATION' as CmsFieldType;

/** Hours and minutes, `1:30`, stored as minutes: a kind that no file of the platform knows of. */
const durationKind: FieldKind = {
  ...plainKind,
  name: 'duration',
  type: durationName,
  exact: true,
  unordered: false,
  index: 'order',
  isLabel: false,
  parse: (value) => readDuration(String(value)),
  convert: (text) => readDuration(text.trim()),
  cast: (value) => `${value}::integer`,
  arrayType: 'integer[]',
  modelType: () => DataType.INTEGER,
  json: (column) => `to_json(${column} / 60 || ':' || lpad((${column} % 60)::text, 2, '0'))::text`,
  toCell: formatDuration,
  toFileJson: (text) => JSON.stringify(formatDuration(text)),
  jsonSchema: () => ({ type: 'string', pattern }),
  rowSchema: (field) => rowSchemaOf(field, 'string'),
  describe: () => ['Hours and minutes.'],
  example: () => '1:30',
};

export const durationType = plainFieldType(
  { name: durationName, fitsDefault: () => false },
  { usual: () => 'INTEGER', holds: (columnType) => columnType === 'INTEGER', kindOf: () => ({ kind: durationKind }) },
);

const pattern = '^\\d{1,4}:[0-5]\\d$';

function readDuration(text: string): Parsed<string> {
  if (!new RegExp(pattern).test(text)) return refused('WRONG_TYPE', 'must be hours and minutes, such as 1:30');
  const [hours, minutes] = text.split(':').map(Number);
  return parsed(String((hours ?? 0) * 60 + (minutes ?? 0)));
}

function formatDuration(minutes: string): string {
  return `${Math.floor(Number(minutes) / 60)}:${String(Number(minutes) % 60).padStart(2, '0')}`;
}
