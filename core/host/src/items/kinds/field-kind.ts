import type { CmsFieldType, DetailCode } from '@gantry/contracts';
import type { FieldDescriptor } from '../descriptor';

/** A value as it is bound to a statement. Long integers and decimals stay text, so that no digit is lost. */
export type StoredValue = string | number | boolean | null | readonly string[];

/** What came of reading one value. `code` is the detail code of a validation error; `message` continues "<field> …". */
export type Parsed<T = StoredValue> = { readonly ok: true; readonly value: T } | Refused;

/** Why a value is not accepted. */
export interface Refused {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
}

/**
 * A kind of field: how it is stored, read from JSON, compared in searches and written as JSON.
 * The six field types of the specification are made of these; a further kind is a further entry of the registry.
 */
export interface FieldKind {
  readonly name: string;
  readonly type: CmsFieldType;
  /** True where CONTAINS behaves as EQUALS (specification 4.4; decisions for BOOLEAN and REFERENCE). */
  readonly exact: boolean;
  /** True where only EQUALS has a meaning, so that MORE_THAN and LESS_THAN behave as EQUALS too. */
  readonly unordered: boolean;
  /** Which indexes a searchable field of this kind gets. */
  readonly index: 'text' | 'order' | 'none';
  /** Reads a non-null JSON value (numbers as {@link parseJson} gives them). */
  parse(value: unknown, field: FieldDescriptor): Parsed;
  /** Reads a criterion's text. */
  convert(text: string, field: FieldDescriptor): Parsed<string | boolean>;
  /** SQL that casts a text parameter for comparison with the field's column, for example `$1::bigint`. */
  parameter(position: number, field: FieldDescriptor): string;
  /** SQL text expression that gives the column's JSON, NULL where the column is NULL. */
  json(column: string): string;
  /** A value of TypeScript code as {@link parse} reads it. */
  fromModel(value: unknown): unknown;
  /** A non-null value of a presented row as TypeScript code has it. */
  toModel(value: unknown): unknown;
  /** JSON Schema of the value, without null. */
  jsonSchema(field: FieldDescriptor): Readonly<Record<string, unknown>>;
}

/** The value of a kind that TypeScript code has as JSON has it. */
export function sameInModel(value: unknown): unknown {
  return value;
}

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refused(code: DetailCode, message: string): Refused {
  return { ok: false, code, message };
}
