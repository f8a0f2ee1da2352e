import type { NumberKind } from '@gantry/contracts';
import type { FieldOptions } from '@gantry/plugin-api';
import { isNumeral } from '@gantry/core-common';
import type { CompiledField } from '../field-type';
import { plainFieldType } from '../plain-column';
import { decimalKind, doubleKind, integerKind, longKind } from './number-kinds';

export { exactNumber, longKind } from './number-kinds';

/** The kinds of numbers that clients distinguish. */
export const numberKinds: readonly NumberKind[] = ['integer', 'long', 'decimal', 'double'];

/** NUMBER: what kind of number is decided by its column. */
export const fieldType = plainFieldType(
  { name: 'NUMBER', options: ['min', 'max'], fitsDefault, problems: limitProblems },
  {
    usual: () => 'DOUBLE PRECISION',
    holds: (columnType) => holdsNumbers.test(columnType),
    kindOf: (columnType, { options }) => kindOf(columnType, options),
  },
);

const holdsNumbers =
  /^(?:smallint|int2|integer|int4?|bigint|int8|decimal|numeric|real|float[48]?|double precision)\b(?!.*\[)/i;

function fitsDefault(value: string | number | boolean): boolean {
  return Number.isFinite(value) || (typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value));
}

function limitProblems({ min, max }: FieldOptions): readonly string[] {
  const problems = Object.entries({ min, max }).flatMap(([option, limit]) =>
    limit === undefined || isNumeral(String(limit)) ? [] : [`has a ${option} that is not a number`],
  );
  return min !== undefined && max !== undefined && Number(min) > Number(max)
    ? [...problems, 'has a min above its max']
    : problems;
}

function kindOf(columnType: string, { min, max }: FieldOptions): Omit<CompiledField, 'column' | 'columnType'> {
  if (/^(?:bigint|int8)/i.test(columnType)) return { kind: longKind, numberKind: 'long' };
  if (/^(?:smallint|int2)/i.test(columnType)) {
    return {
      kind: integerKind,
      numberKind: 'integer',
      min: narrower(min, -32_768, Math.max),
      max: narrower(max, 32_767, Math.min),
    };
  }
  if (/^int/i.test(columnType)) return { kind: integerKind, numberKind: 'integer' };
  const decimal = /^(?:decimal|numeric)(?:\((\d+)(?:,\s*(\d+))?\))?/i.exec(columnType);
  if (decimal === null) return { kind: doubleKind, numberKind: 'double' };
  const [, precision, scale = '0'] = decimal;
  if (precision === undefined) return { kind: decimalKind, numberKind: 'decimal' };
  return { kind: decimalKind, numberKind: 'decimal', precision: Number(precision), scale: Number(scale) };
}

function narrower(
  declared: number | string | undefined,
  ofColumn: number,
  choose: (first: number, second: number) => number,
): number {
  return declared === undefined ? ofColumn : choose(Number(declared), ofColumn);
}
