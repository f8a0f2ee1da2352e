import type { NumberKind } from '@gantry/contracts';
import { orderedOperators } from '@gantry/plugin-api';
import { isNumber, LosslessNumber } from 'lossless-json';
import { DataType } from 'sequelize-typescript';
import type { FieldRules } from '../field-rules';
import {
  compareDecimals,
  formatDecimal,
  isNumeral,
  maxDigits,
  numberText,
  parseDecimal,
  wholeDigits,
  type Decimal,
} from '@gantry/core-common';
import {
  parsed,
  plainKind,
  refused,
  rowSchemaOf,
  type FieldKind,
  type Parsed,
  type Refused,
  type StoredValue,
} from '../field-kind';

/** INTEGER and SMALLINT columns. */
export const integerKind = numberKind(
  'integer',
  (value) => wholeInRange(value, 2n ** 31n),
  () => 'integer',
);
/** BIGINT columns. */
export const longKind = numberKind(
  'long',
  (value) => wholeInRange(value, 2n ** 63n),
  () => 'bigint',
);
/** NUMERIC columns; every digit is kept. */
export const decimalKind = numberKind('decimal', decimalInRange, () => 'numeric');
/** DOUBLE PRECISION and REAL columns. */
export const doubleKind = numberKind('double', floatInRange, (field) => (isReal(field) ? 'real' : 'double precision'));

type RangeCheck = (value: Decimal, field: FieldRules) => Refused | undefined;

function numberKind(name: NumberKind, outOfRange: RangeCheck, sqlType: (field: FieldRules) => string): FieldKind {
  const read = (text: string, field: FieldRules): Parsed<string> => {
    const value = parseDecimal(text);
    if (value !== undefined) {
      return outOfRange(value, field) ?? outOfBounds(value, field) ?? parsed(formatDecimal(value));
    }
    if (isNumeral(text)) return refused('OUT_OF_RANGE', 'has an exponent or more digits than any field can hold');
    return refused('WRONG_TYPE', expectation(name));
  };
  // A JavaScript number does not hold every digit of these.
  const isText = name === 'long' || name === 'decimal';
  return {
    ...plainKind,
    name,
    type: 'NUMBER',
    exact: true,
    unordered: false,
    index: 'order',
    clientType: isText ? 'number | string' : 'number',
    operators: orderedOperators,
    parse(value, field) {
      const text = numberText(value);
      return text === undefined ? refused('WRONG_TYPE', expectationOf(name, value)) : read(text, field);
    },
    convert: (text, field) => read(text.trim(), forComparison(field)),
    cast: (value, field) => `${value}::${sqlType(field)}`,
    json: (column) => `${finite(name, column)}::text`,
    ...storageOf(name),
    isSame: name === 'double' ? isSameDouble : isSameNumber,
    fromModel: exactNumber,
    fromCell: numberOfCell,
    toFileJson: numberJson,
    toModel: (value) => (isText ? (numberText(value) ?? value) : Number(numberText(value))),
    jsonSchema: (field) => numberSchema(name, field),
    describe: (field) => describeDigits(field),
    rowSchema: (field) => rowSchemaOf(field, isWhole(name) ? 'integer' : 'number'),
    example: (field) => Number(field.placeholder) || Number(field.min ?? 1),
  };
}

function storageOf(name: NumberKind): Pick<FieldKind, 'arrayType' | 'modelType'> {
  switch (name) {
    case 'integer':
      return { arrayType: 'integer[]', modelType: () => DataType.INTEGER };
    case 'long':
      return { arrayType: 'bigint[]', modelType: () => DataType.BIGINT };
    case 'decimal':
      return { arrayType: 'numeric[]', modelType: () => DataType.DECIMAL };
    case 'double':
      return { arrayType: 'double precision[]', modelType: () => DataType.DOUBLE };
  }
}

function isSameNumber(sent: StoredValue, stored: StoredValue): boolean {
  const [left, right] = [parseDecimal(String(sent)), parseDecimal(String(stored))];
  return left !== undefined && right !== undefined && compareDecimals(left, right) === 0;
}

/** PostgreSQL writes other digits than JavaScript: -28381821233779192 is -28381821233779190. */
function isSameDouble(sent: StoredValue, stored: StoredValue): boolean {
  return isNumber(String(sent)) && isNumber(String(stored)) && Number(sent) === Number(stored);
}

/** As criteria read numbers: JSON has no zeros or plus before them. */
function numberOfCell(text: string): unknown {
  const trimmed = text.trim();
  if (isNumber(trimmed)) return new LosslessNumber(trimmed);
  const value = parseDecimal(trimmed);
  return value === undefined ? text : new LosslessNumber(formatDecimal(value));
}

/** Values without a number in JSON, such as NaN, are text. */
function numberJson(text: string): string {
  return isNumber(text) ? text : JSON.stringify(text);
}

function isWhole(name: NumberKind): boolean {
  return name === 'integer' || name === 'long';
}

/** Numbers with more digits than a JavaScript number holds are text or bigint in code. */
export function exactNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return new LosslessNumber(String(value));
  return typeof value === 'string' && isNumber(value) ? new LosslessNumber(value) : value;
}

/** A plugin's own statements may have stored what JSON has no number for; it is shown as null. */
function finite(name: NumberKind, column: string): string {
  if (name === 'double') return `(CASE WHEN ${column} < 'Infinity' AND ${column} > '-Infinity' THEN ${column} END)`;
  return name === 'decimal' ? `nullif(${column}, 'NaN')` : column;
}

function expectation(name: NumberKind): string {
  return isWhole(name) ? 'must be a whole number' : 'must be a number';
}

/** Of a number in quotes, as only JSON can have: cells become numbers before. */
function expectationOf(name: NumberKind, value: unknown): string {
  const isQuoted = typeof value === 'string' && isNumber(value.trim());
  return isQuoted ? `${expectation(name)} in JSON, without quotes` : expectation(name);
}

function wholeInRange(value: Decimal, bound: bigint): Refused | undefined {
  if (value.scale > 0) return refused('WRONG_TYPE', 'must be a whole number');
  if (value.units < bound && value.units >= -bound) return undefined;
  return refused('OUT_OF_RANGE', `must be between ${-bound} and ${bound - 1n}`);
}

function decimalInRange(value: Decimal, field: FieldRules): Refused | undefined {
  if (field.precision === undefined) return undefined;
  const scale = field.scale ?? 0;
  const whole = field.precision - scale;
  if (wholeDigits(value) > whole) {
    return refused('OUT_OF_RANGE', `must have at most ${whole} digits before the decimal point`);
  }
  if (value.scale > scale) return refused('OUT_OF_RANGE', `must have at most ${scale} digits after the decimal point`);
  return undefined;
}

function floatInRange(value: Decimal, field: FieldRules): Refused | undefined {
  const exact = Number(formatDecimal(value));
  const stored = isReal(field) ? Math.fround(exact) : exact;
  const isLost = stored === 0 && value.units !== 0n;
  if (Number.isFinite(stored) && !isLost) return undefined;
  return refused(
    'OUT_OF_RANGE',
    `must be within the range of a ${isReal(field) ? 'single' : 'double'}-precision number`,
  );
}

/** Four bytes; a float of at most 24 binary digits is one as well. */
function isReal({ columnType }: FieldRules): boolean {
  return /^(?:real|float4|float\((?:\d|1\d|2[0-4])\))/i.test(columnType);
}

function outOfBounds(value: Decimal, field: FieldRules): Refused | undefined {
  const [min, max] = [bound(field.min), bound(field.max)];
  if (min !== undefined && compareDecimals(value, min) < 0) {
    return refused('OUT_OF_RANGE', `must be at least ${field.min}`);
  }
  if (max !== undefined && compareDecimals(value, max) > 0) {
    return refused('OUT_OF_RANGE', `must be at most ${field.max}`);
  }
  return undefined;
}

function bound(value: number | string | undefined): Decimal | undefined {
  return value === undefined ? undefined : parseDecimal(String(value));
}

/**
 * A search may compare with any number in the range of the column, whatever the field accepts on input, and with more
 * digits after the point than are stored.
 */
function forComparison(field: FieldRules): FieldRules {
  const { min: _min, max: _max, ...rest } = field;
  if (field.precision === undefined) return rest;
  const whole = field.precision - (field.scale ?? 0);
  return { ...rest, precision: whole + maxDigits, scale: maxDigits };
}

function describeDigits({ scale }: FieldRules): readonly string[] {
  if (scale === undefined) return [];
  return [scale === 0 ? 'A whole number.' : `At most ${scale} digits after the decimal point.`];
}

function numberSchema(name: NumberKind, field: FieldRules): Readonly<Record<string, unknown>> {
  const bounds = {
    ...(field.min === undefined ? {} : { minimum: Number(field.min) }),
    ...(field.max === undefined ? {} : { maximum: Number(field.max) }),
  };
  if (name === 'integer') return { type: 'integer', format: 'int32', ...bounds };
  if (name === 'long') return { type: 'integer', format: 'int64', ...bounds };
  if (name === 'double') return { type: 'number', format: 'double', ...bounds };
  // No `multipleOf`: validators divide binary fractions, and refuse 12.34 as a multiple of 0.0001.
  return { type: 'number', ...bounds, ...(field.scale === undefined ? {} : { 'x-decimal-places': field.scale }) };
}
