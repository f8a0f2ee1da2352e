export { defineFieldKind, isFieldKind } from './define-field-kind';
export type { DefinedFieldKind, FieldKindDefinition } from './define-field-kind';
export { plainKind, rowSchemaOf } from './field-kind';
export type {
  FieldKind,
  FieldReference,
  JsonSchema,
  KindDescription,
  KindField,
  KindFileText,
  KindSearching,
  KindSettings,
  KindStorage,
  ParsedValue,
  RefusedValue,
  StoredValue,
} from './field-kind';
export { arrayText, commonOperators, orderedOperators, readTextList, textOperators } from './kind-operators';
export type { BoundOperand, KindOperator } from './kind-operators';
export { convertTextToDate, convertToFieldKind } from './text-to-date';
export type { TextColumn } from './text-to-date';
export { accepted, exactNumberText, refused } from './parsed-value';
