import type { CmsFieldType, DetailCode, FormField, SearchField } from '@gantry/contracts';
import type { ModelAttributeColumnOptions } from 'sequelize';
import type { FieldRules } from './field-rules';

/** A value as it is bound to a statement. Long integers and decimals stay text, so that no digit is lost. */
export type StoredValue = string | number | boolean | null | readonly string[];

/** The values of a payload by field name, as they are stored; only fields that were sent (and defaults, in create mode). */
export type StoredValues = ReadonlyMap<string, StoredValue>;

/** What came of reading one value. `code` is the detail code of a validation error; `message` continues "<field> …". */
export type Parsed<T = StoredValue> = { readonly ok: true; readonly value: T } | Refused;

/** Why a value is not accepted. */
export interface Refused {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
}

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A kind of field: how its values are stored, read from JSON, compared in searches, written as JSON and in files, and
 * described to clients. A field type of the declarations (see FieldType) chooses the kind of a field when it is compiled;
 * from then on the descriptor of the field holds it, so that no request looks a kind up.
 */
export interface FieldKind extends Searching, Storage, FileText, Description {
  /** Unique among all kinds, for people who look at a descriptor. */
  readonly name: string;
  /** The field type that clients see. */
  readonly type: CmsFieldType;
  /** True where the empty text, which forms send for nothing, is no value. */
  readonly isEmptyTextNone: boolean;
  /** Reads a non-null JSON value (numbers as {@link parseJson} gives them). */
  parse(value: unknown, field: FieldRules): Parsed;
  /** Whether two values that are neither null nor identical are the same, such as 12.5 and 12.5000. */
  isSame(sent: StoredValue, stored: StoredValue): boolean;
  /** A value of TypeScript code as {@link parse} reads it. */
  fromModel(value: unknown): unknown;
  /** A non-null value of a presented row as TypeScript code has it. */
  toModel(value: unknown): unknown;
}

interface Searching {
  /** True where CONTAINS behaves as EQUALS (specification 4.4; decisions for BOOLEAN and REFERENCE). */
  readonly exact: boolean;
  /** True where only EQUALS has a meaning, so that MORE_THAN and LESS_THAN behave as EQUALS too. */
  readonly unordered: boolean;
  /** Which indexes a searchable field of this kind gets. */
  readonly index: 'trigram' | 'order' | 'none';
  /** Whether its values are free text, of any length: cut in cursors, and made safe for programs that calculate. */
  readonly isText: boolean;
  /** Whether its values are addresses of files: who reads an item with an address may read the file. An index finds the items. */
  readonly isFileAddress: boolean;
  /** How PostgreSQL's statistics of the column are compared with a value; `none` for long values, which are not read. */
  readonly statistics: 'number' | 'text' | 'none';
  /** Reads a criterion's text. */
  convert(text: string, field: FieldRules): Parsed<string | boolean>;
  /** SQL that casts a parameter or text constant for comparison with the column of the field, for example `$1::bigint`. */
  cast(value: string, field: FieldRules): string;
}

interface Storage {
  /** SQL type of many values as one array parameter, for example `bigint[]`; PostgreSQL casts to the column's own type. */
  readonly arrayType: string;
  /** The type of the model's attribute, for a column that the author did not declare. */
  modelType(field: FieldRules): ModelAttributeColumnOptions['type'];
  /** SQL text expression that gives the column's JSON, NULL where the column is NULL. */
  json(column: string): string;
}

/** The form of a value in files that are imported and exported. References are named by keys, which transfer knows. */
interface FileText {
  /** A non-empty cell of a CSV file as {@link FieldKind.parse} reads it; what it cannot read is left to that. */
  fromCell(text: string): unknown;
  /** A non-null value of a JSON file as {@link FieldKind.parse} reads it. */
  fromFileJson(value: unknown): unknown;
  /** The cell of a CSV file for what PostgreSQL gives as the text of the column. */
  toCell(text: string): string;
  /** The JSON of that text. */
  toFileJson(text: string): string;
}

interface Description {
  /** Whether a value can be part of the picker label, depending on the field's name (specification 4.5). */
  readonly isLabel: boolean;
  /** Whether lists show the field unless the type declares its columns. */
  readonly isListed: boolean;
  /** Members of the metadata beyond those of every field. */
  formMembers(field: FieldRules): Partial<FormField>;
  searchMembers(field: FieldRules): Partial<SearchField>;
  /** JSON Schema of the value as {@link FieldKind.parse} accepts it, without null. */
  jsonSchema(field: FieldRules): JsonSchema;
  /** JSON Schema of the value in a row. Nothing is promised about its length or range: a row may be older than a rule. */
  rowSchema(field: FieldRules): JsonSchema;
  /** Sentences about the value in a payload. */
  describe(field: FieldRules): readonly string[];
  /** A value that is known to be accepted, for a field without options and default; undefined where none is needed. */
  example(field: FieldRules): unknown;
}

/** What most kinds have in common. */
export const plainKind = {
  isEmptyTextNone: false,
  isText: false,
  isFileAddress: false,
  isLabel: true,
  isListed: true,
  isSame: (sent: StoredValue, stored: StoredValue) => String(sent) === String(stored),
  fromModel: unchanged,
  toModel: unchanged,
  fromCell: unchanged,
  fromFileJson: unchanged,
  toCell: (text: string) => text,
  toFileJson: (text: string) => JSON.stringify(text),
  formMembers: () => ({}),
  searchMembers: () => ({}),
  describe: () => [],
} as const;

function unchanged(value: unknown): unknown {
  return value;
}

/** Schema of a value in a row that has the JSON type, or null where the field need not have one. */
export function rowSchemaOf(field: FieldRules, type: string): JsonSchema {
  return { title: field.displayName, type: field.required ? type : [type, 'null'] };
}

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refused(code: DetailCode, message: string): Refused {
  return { ok: false, code, message };
}
