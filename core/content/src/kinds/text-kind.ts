import type { CmsFieldType } from '@gantry/contracts';
import { textOperators } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { onceFor } from '@gantry/core-common';
import type { FieldRules } from './field-rules';
import { parsed, plainKind, refused, rowSchemaOf, type FieldKind, type Parsed } from './field-kind';
import type { PlainColumn } from './plain-column';
import { normalizeSearch, normalizeText, type TextRules } from './text-characters';
import { acceptedPattern } from './text-pattern';

type RulesOf = (field: FieldRules) => TextRules;

/** The common part of the kinds of text. */
export function textKind(name: string, type: CmsFieldType, rulesOf: RulesOf): Omit<FieldKind, 'index' | 'example'> {
  return {
    ...plainKind,
    name,
    type,
    exact: false,
    unordered: false,
    isText: true,
    operators: textOperators,
    parse: (value, field) => parseText(value, field, rulesOf(field)),
    convert: normalizeSearch,
    cast: (value) => value,
    arrayType: 'text[]',
    modelType: (field) => DataType.STRING(field.maxLength),
    json: (column) => `to_json(${column})::text`,
    jsonSchema: (field) => ({
      type: 'string',
      ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
      ...(field.options === undefined ? {} : { enum: field.options }),
      ...(field.options === undefined ? { pattern: patternOf(field, rulesOf) } : {}),
    }),
    rowSchema: (field) => rowSchemaOf(field, 'string'),
  };
}

/** A column of text, of at most so many characters unless the author says otherwise. */
export function textColumn(
  kind: FieldKind,
  usualLength: number,
  columnType: (maxLength: number) => string,
): PlainColumn {
  return {
    usual: ({ options }) => columnType(options.maxLength ?? usualLength),
    holds: (type) => /^(?:varchar|character varying|char|character|bpchar|text|citext)\b(?!.*\[)/i.test(type),
    kindOf: (type, { options }) => ({ kind, maxLength: longest(type, options.maxLength, usualLength) }),
  };
}

function longest(columnType: string, declared: number | undefined, usual: number): number {
  const column = /\((\d+)\)/.exec(columnType)?.[1];
  if (column === undefined) return declared ?? usual;
  return Math.min(Number(column), declared ?? Number(column));
}

/** The declared one, which an author chose for readers, else that of the characters that are accepted. */
function patternOf(field: FieldRules, rulesOf: RulesOf): string {
  return field.pattern === undefined ? acceptedPattern(rulesOf(field), field.required) : `^(?:${field.pattern})$`;
}

/** @param isNormalized whether the text is stored in NFC, or as it was sent */
export function parseText(value: unknown, field: FieldRules, rules: TextRules, isNormalized = true): Parsed<string> {
  if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
  const { maxLength = Infinity } = field;
  const tooLong = refused('TOO_LONG', `must have at most ${maxLength} characters`);
  // Too long in any form: none is shorter than an eighth, and to look closer takes long.
  if (value.length > 8 * maxLength && value.trim().length > 8 * maxLength) return tooLong;
  const normalized = normalizeText(comparableText(value, field), rules);
  if (!normalized.ok) return normalized;
  const text = isNormalized ? normalized.value : value;
  if (isLongerThan(text, maxLength)) return tooLong;
  if (field.options !== undefined && !field.options.includes(text)) {
    return refused('NOT_AN_OPTION', `must be one of ${field.options.join(', ')}`);
  }
  if (field.pattern !== undefined && !expressionOf(field).test(text)) {
    return refused('PATTERN', `must match the pattern ${field.pattern}`);
  }
  return parsed(text);
}

/** Compiled once for each field, whose descriptor never changes. */
const expressionOf = onceFor(({ pattern }: FieldRules) => new RegExp(`^(?:${pattern ?? ''})$`, 'u'));

/** Without the blanks at the ends of a field that is trimmed: what equal values are compared by. */
export function comparableText(text: string, { trim }: FieldRules): string {
  return trim === true ? text.trim() : text;
}

/** Counts code points, and only where the number of code units does not decide. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit || text.length > 2 * limit) return text.length > limit;
  return Array.from(text).length > limit;
}
