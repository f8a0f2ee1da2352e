import type { NumberKind } from '@gantry/contracts';
import { isLosslessNumber } from 'lossless-json';
import type { FieldDescriptor } from '../descriptor';
import { compareDecimals, formatDecimal, parseDecimal, wholeDigits, type Decimal } from './decimal-text';
import { parsed, refused, type FieldKind, type Parsed } from './field-kind';

/** INTEGER and SMALLINT columns. */
export const integerKind = numberKind('integer', 'integer', (value) => wholeInRange(value, 2n ** 31n));
/** BIGINT columns. */
export const longKind = numberKind('long', 'bigint', (value) => wholeInRange(value, 2n ** 63n));
/** NUMERIC columns; every digit is kept. */
export const decimalKind = numberKind('decimal', 'numeric', decimalInRange);
/** DOUBLE PRECISION and REAL columns. */
export const doubleKind = numberKind('double', 'double precision', doubleInRange);

type RangeCheck = (value: Decimal, field: FieldDescriptor) => string | undefined;

function numberKind(name: NumberKind, sqlType: string, outOfRange: RangeCheck): FieldKind {
  const read = (text: string, field: FieldDescriptor): Parsed<string> => {
    const value = parseDecimal(text);
    if (value === undefined) return refused('WRONG_TYPE', expectation(name));
    const problem = outOfRange(value, field) ?? outOfBounds(value, field);
    if (problem !== undefined) return refused('OUT_OF_RANGE', problem);
    return parsed(formatDecimal(value));
  };
  return {
    name,
    type: 'NUMBER',
    exact: true,
    unordered: false,
    index: 'order',
    parse: (value, field) => (isLosslessNumber(value) ? read(value.value, field) : refused('WRONG_TYPE', expectation(name))),
    convert: (text, field) => read(text.trim(), withoutBounds(field)),
    parameter: (position) => `$${position}::${sqlType}`,
    json: (column) => `${column}::text`,
    jsonSchema: (field) => numberSchema(name, field),
  };
}

function expectation(name: NumberKind): string {
  return name === 'integer' || name === 'long' ? 'must be a whole number' : 'must be a number';
}

function wholeInRange(value: Decimal, bound: bigint): string | undefined {
  if (value.scale > 0) return 'must be a whole number';
  if (value.units >= bound || value.units < -bound) return `must lie between ${-bound} and ${bound - 1n}`;
  return undefined;
}

function decimalInRange(value: Decimal, field: FieldDescriptor): string | undefined {
  if (field.precision === undefined) return undefined;
  const scale = field.scale ?? 0;
  const whole = field.precision - scale;
  if (wholeDigits(value) > whole) return `must have at most ${whole} digits before the decimal point`;
  if (value.scale > scale) return `must have at most ${scale} digits after the decimal point`;
  return undefined;
}

function doubleInRange(value: Decimal): string | undefined {
  const number = Number(formatDecimal(value));
  const lost = number === 0 && value.units !== 0n;
  return Number.isFinite(number) && !lost ? undefined : 'must lie within the range of a double-precision number';
}

function outOfBounds(value: Decimal, field: FieldDescriptor): string | undefined {
  const [least, most] = [bound(field.min), bound(field.max)];
  if (least !== undefined && compareDecimals(value, least) < 0) return `must be at least ${field.min}`;
  if (most !== undefined && compareDecimals(value, most) > 0) return `must be at most ${field.max}`;
  return undefined;
}

function bound(value: number | string | undefined): Decimal | undefined {
  return value === undefined ? undefined : parseDecimal(String(value));
}

/** A search may compare with any number the column could hold, whatever the field accepts on input. */
function withoutBounds(field: FieldDescriptor): FieldDescriptor {
  const { min: _min, max: _max, scale: _scale, precision: _precision, ...rest } = field;
  return rest;
}

function numberSchema(name: NumberKind, field: FieldDescriptor): Readonly<Record<string, unknown>> {
  const bounds = {
    ...(field.min === undefined ? {} : { minimum: Number(field.min) }),
    ...(field.max === undefined ? {} : { maximum: Number(field.max) }),
  };
  if (name === 'integer') return { type: 'integer', format: 'int32', ...bounds };
  if (name === 'long') return { type: 'integer', format: 'int64', ...bounds };
  if (name === 'double') return { type: 'number', format: 'double', ...bounds };
  return { type: 'number', ...bounds, ...(field.scale === undefined ? {} : { multipleOf: Number(`1e-${field.scale}`) }) };
}
