export { defineFieldKind, isFieldKind } from './define-field-kind';
export type { DefinedFieldKind, FieldKindDefinition } from './define-field-kind';
export type {
  BoundOperand,
  FieldKind,
  FieldLinks,
  FieldReference,
  ItemLink,
  JsonSchema,
  KindDerivation,
  KindDescription,
  KindField,
  KindFileText,
  KindLinks,
  KindOperator,
  KindSearching,
  KindStorage,
  LinkTarget,
  ParsedValue,
  RefusedValue,
  StoredValue,
  ValueProblem,
} from './field-kind';
export {
  arrayText,
  commonOperators,
  emptyWhere,
  escapePattern,
  orderedOperators,
  readTextList,
  textOperators,
} from './kind-operators';
export type { KindSettings } from './kind-settings';
export { accepted, exactNumberText, refused, refusedWithin } from './parsed-value';
export { plainKind, rowSchemaOf } from './plain-kind';
export { checkStorable, isBlankText, normalizeSearch, normalizeText } from './text-characters';
export type { TextRules } from './text-characters';
