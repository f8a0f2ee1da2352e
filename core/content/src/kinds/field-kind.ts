import type { DetailCode } from '@gantry/contracts';
import { refused as refusedValue, type ParsedValue, type RefusedValue, type StoredValue } from '@gantry/plugin-api';

import type { FieldRules } from './field-rules';

export { accepted as parsed, plainKind, rowSchemaOf } from '@gantry/plugin-api';
export type { FieldKind, JsonSchema, StoredValue } from '@gantry/plugin-api';

/** The result of reading one value. `code` is the detail code of a validation error; `message` continues "<field> …". */
export type Parsed<T = StoredValue> = ParsedValue<T>;

/** Why a value is not accepted. */
export type Refused = RefusedValue;

/** The values of a payload by field name, as they are stored; only fields that were sent (and defaults, in create mode). */
export type StoredValues = ReadonlyMap<string, StoredValue>;

/** An example: the placeholder if it is accepted, else the given one where a value is required. */
export function exampleOf(
  { placeholder, required }: FieldRules,
  read: (text: string) => Parsed,
  other: string,
): string | undefined {
  if (read(placeholder).ok) return placeholder;
  return required ? other : undefined;
}

export const refused: (code: DetailCode, message: string) => Refused = refusedValue;
