import { onceFor } from '../../once-for';
import type { FieldDescriptor } from '../descriptor';
import { parsed, refused, sameInModel, type FieldKind, type Parsed } from './field-kind';
import { checkStorable, normalizeSearch, normalizeText, type TextRules } from './text-characters';
import { acceptedPattern } from './text-pattern';

/** STRING: one line of text. */
export const stringKind: FieldKind = {
  ...textKind('string', 'STRING'),
  index: 'text',
};

/** TEXT: text of any length; a trigram index serves CONTAINS, no order index, whose entries are limited in size. */
export const longTextKind: FieldKind = {
  ...textKind('text', 'TEXT'),
  index: 'text',
};

/** IMAGE: the address of an image, either http(s) or a path of this platform. */
export const imageKind: FieldKind = {
  ...textKind('image', 'IMAGE'),
  index: 'none',
  parse(value, field) {
    const text = parseText(value, field);
    if (!text.ok || isImageAddress(text.value)) return text;
    return refused(
      'IMAGE_ADDRESS',
      'must be an address that begins with http:// or https://, or a path that begins with /',
    );
  },
  jsonSchema: (field) => ({
    type: 'string',
    maxLength: field.maxLength,
    format: 'uri-reference',
    pattern: acceptedPattern(rulesOf(field), field.required),
  }),
};

function textKind(name: string, type: 'STRING' | 'TEXT' | 'IMAGE'): Omit<FieldKind, 'index'> {
  return {
    name,
    type,
    exact: false,
    unordered: false,
    parse: parseText,
    convert: (text) => (type === 'IMAGE' ? checkStorable(text) : normalizeSearch(text)),
    parameter: (position) => `$${position}`,
    json: (column) => `to_json(${column})::text`,
    fromModel: sameInModel,
    toModel: sameInModel,
    jsonSchema: (field) => ({
      type: 'string',
      ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
      ...(field.options === undefined ? {} : { enum: field.options }),
      ...(field.options === undefined ? { pattern: patternOf(field) } : {}),
    }),
  };
}

/** The declared one, which an author chose for readers, else that of the characters that are accepted. */
function patternOf(field: FieldDescriptor): string {
  return field.pattern === undefined ? acceptedPattern(rulesOf(field), field.required) : `^(?:${field.pattern})$`;
}

function parseText(value: unknown, field: FieldDescriptor): Parsed<string> {
  if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
  const { maxLength = Infinity } = field;
  const tooLong = refused('TOO_LONG', `must have at most ${maxLength} characters`);
  // Too long in any form: none is shorter than an eighth, and to look closer takes long.
  if (value.length > 8 * maxLength && value.trim().length > 8 * maxLength) return tooLong;
  const checked = readCharacters(value, field);
  if (!checked.ok) return checked;
  const text = checked.value;
  if (isLongerThan(text, maxLength)) return tooLong;
  if (field.options !== undefined && !field.options.includes(text)) {
    return refused('NOT_AN_OPTION', `must be one of ${field.options.join(', ')}`);
  }
  if (field.pattern !== undefined && !expressionOf(field).test(text)) {
    return refused('PATTERN', `must match the pattern ${field.pattern}`);
  }
  return checked;
}

/** Compiled once for each field, whose descriptor never changes. */
const expressionOf = onceFor(({ pattern }: FieldDescriptor) => new RegExp(`^(?:${pattern ?? ''})$`, 'u'));

function readCharacters(value: string, field: FieldDescriptor): Parsed<string> {
  const checked = normalizeText(comparableText(value, field), rulesOf(field));
  // The address of an image is not normalized: another server may have both spellings.
  return checked.ok && field.type === 'IMAGE' ? parsed(value) : checked;
}

function rulesOf({ type, trim }: FieldDescriptor): TextRules {
  if (type === 'TEXT') return 'lines';
  return trim === true ? 'key' : 'line';
}

/** Without the blanks at the ends of a field that is trimmed: what equal values are compared by. */
export function comparableText(text: string, { trim }: FieldDescriptor): string {
  return trim === true ? text.trim() : text;
}

/** Counts code points, and only where the number of code units does not decide. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit || text.length > 2 * limit) return text.length > limit;
  return Array.from(text).length > limit;
}

function isImageAddress(text: string): boolean {
  if (/[\u0000-\u0020\\]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}
