import type { CmsFieldType } from '@gantry/contracts';
import type { FieldOptions } from '@gantry/plugin-api';
import { sqlTypeOf } from './column-type';
import type { FieldDescriptor } from './descriptor';

/** What the column decides of a field: its kind, and limits that values must keep to. */
type ColumnKind = Pick<FieldDescriptor, 'kind' | 'maxLength' | 'min' | 'max' | 'numberKind' | 'precision' | 'scale'>;

/** The SQL type of a field's column: the author's choice, or the usual one of the field type. */
export function columnTypeOf(type: CmsFieldType, options: FieldOptions, attributeType: unknown): string {
  const chosen = attributeType ?? options.column;
  if (chosen !== undefined) return sqlTypeOf(chosen as Parameters<typeof sqlTypeOf>[0]);
  switch (type) {
    case 'STRING':
      return `VARCHAR(${options.maxLength ?? 255})`;
    case 'IMAGE':
      return `VARCHAR(${options.maxLength ?? 2048})`;
    case 'NUMBER':
      return 'DOUBLE PRECISION';
    case 'BOOLEAN':
      return 'BOOLEAN';
    case 'TEXT':
    case 'REFERENCE':
      return 'TEXT';
  }
}

const text = /^(?:varchar|character varying|char|character|bpchar|text|citext)\b(?!.*\[)/i;
const number =
  /^(?:smallint|int2|integer|int4?|bigint|int8|decimal|numeric|real|float[48]?|double precision)\b(?!.*\[)/i;
const boolean = /^bool(?:ean)?$/i;

/** Whether a column of the type can hold the values of a field, and be searched as such a field is. */
export function holdsValuesOf(type: CmsFieldType, columnType: string): boolean {
  switch (type) {
    case 'STRING':
    case 'TEXT':
    case 'IMAGE':
      return text.test(columnType);
    case 'NUMBER':
      return number.test(columnType);
    case 'BOOLEAN':
      return boolean.test(columnType);
    case 'REFERENCE':
      return true;
  }
}

const longestText = 1_000_000;

/** The kind of a field in a column of the type, with the narrower of the author's limits and those of the column. */
export function kindOfColumn(type: CmsFieldType, columnType: string, options: FieldOptions): ColumnKind {
  switch (type) {
    case 'STRING':
      return { kind: 'string', maxLength: longest(columnType, options, 255) };
    case 'IMAGE':
      return { kind: 'image', maxLength: longest(columnType, options, 2048) };
    case 'TEXT':
      return { kind: 'text', maxLength: longest(columnType, options, longestText) };
    case 'BOOLEAN':
      return { kind: 'boolean' };
    case 'REFERENCE':
      return { kind: 'reference' };
    case 'NUMBER':
      return numberKindOf(columnType, options);
  }
}

function longest(columnType: string, { maxLength }: FieldOptions, usual: number): number {
  const column = /\((\d+)\)/.exec(columnType)?.[1];
  if (column === undefined) return maxLength ?? usual;
  return Math.min(Number(column), maxLength ?? Number(column));
}

function numberKindOf(columnType: string, { min, max }: FieldOptions): ColumnKind {
  if (/^(?:bigint|int8)/i.test(columnType)) return { kind: 'long', numberKind: 'long' };
  if (/^(?:smallint|int2)/i.test(columnType)) {
    return {
      kind: 'integer',
      numberKind: 'integer',
      min: narrower(min, -32_768, Math.max),
      max: narrower(max, 32_767, Math.min),
    };
  }
  if (/^int/i.test(columnType)) return { kind: 'integer', numberKind: 'integer' };
  const decimal = /^(?:decimal|numeric)(?:\((\d+)(?:,\s*(\d+))?\))?/i.exec(columnType);
  if (decimal === null) return { kind: 'double', numberKind: 'double' };
  const [, precision, scale = '0'] = decimal;
  if (precision === undefined) return { kind: 'decimal', numberKind: 'decimal' };
  return { kind: 'decimal', numberKind: 'decimal', precision: Number(precision), scale: Number(scale) };
}

function narrower(
  declared: number | string | undefined,
  ofColumn: number,
  choose: (first: number, second: number) => number,
): number {
  return declared === undefined ? ofColumn : choose(Number(declared), ofColumn);
}
