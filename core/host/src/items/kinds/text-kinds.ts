import type { FieldDescriptor } from '../descriptor';
import { parsed, refused, type FieldKind, type Parsed } from './field-kind';

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
  jsonSchema: (field) => ({ type: 'string', maxLength: field.maxLength, format: 'uri-reference' }),
};

function textKind(name: string, type: 'STRING' | 'TEXT' | 'IMAGE'): Omit<FieldKind, 'index'> {
  return {
    name,
    type,
    exact: false,
    unordered: false,
    parse: parseText,
    convert: (text) => checkCharacters(text),
    parameter: (position) => `$${position}`,
    json: (column) => `to_json(${column})::text`,
    jsonSchema: (field) => ({
      type: 'string',
      ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
      ...(field.options === undefined ? {} : { enum: field.options }),
      ...(field.pattern === undefined ? {} : { pattern: `^(?:${field.pattern})$` }),
    }),
  };
}

function parseText(value: unknown, field: FieldDescriptor): Parsed<string> {
  if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
  const checked = checkCharacters(value);
  if (!checked.ok) return checked;
  if (field.maxLength !== undefined && lengthInCodePoints(value, field.maxLength) > field.maxLength) {
    return refused('TOO_LONG', `must have at most ${field.maxLength} characters`);
  }
  if (field.options !== undefined && !field.options.includes(value)) {
    return refused('NOT_AN_OPTION', `must be one of ${field.options.join(', ')}`);
  }
  if (field.pattern !== undefined && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value)) {
    return refused('PATTERN', `must match the pattern ${field.pattern}`);
  }
  return parsed(value);
}

/** PostgreSQL cannot store U+0000, and a lone surrogate would silently become U+FFFD. */
export function checkCharacters(text: string): Parsed<string> {
  if (text.includes('\u0000')) return refused('CHARACTER', 'must not contain the character U+0000');
  if (!text.isWellFormed()) return refused('CHARACTER', 'must not contain half of a surrogate pair');
  return parsed(text);
}

function lengthInCodePoints(text: string, limit: number): number {
  return text.length <= limit ? text.length : Array.from(text).length;
}

function isImageAddress(text: string): boolean {
  if (/[\u0000-\u0020\\]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}
