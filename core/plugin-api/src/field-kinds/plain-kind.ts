import type { JsonSchema, KindField, StoredValue } from './field-kind';
import { commonOperators } from './kind-operators';

/** Defaults that most kinds share. @public */
export const plainKind = {
  isEmptyTextNone: false,
  isText: false,
  isFileAddress: false,
  isLabel: true,
  isListed: true,
  isSortable: true,
  clientType: 'string',
  operators: commonOperators,
  isSame: (sent: StoredValue, stored: StoredValue) => String(sent) === String(stored),
  fromModel: unchanged,
  toModel: unchanged,
  fromHistory: unchanged,
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

/** Schema of a value in a row that has the JSON type, or null where the field need not have one. @public */
export function rowSchemaOf(field: KindField, type: string): JsonSchema {
  return { title: field.displayName, type: field.required ? type : [type, 'null'] };
}
