import {
  accepted,
  exactNumberText,
  normalizeText,
  refused,
  type DefinedFieldKind,
  type JsonSchema,
  type KindField,
  type ParsedValue,
  type TextRules,
} from '@gantry/plugin-api';
import { colorKind } from '../color';
import { emailKind } from '../email';
import { jsonText } from '../json-text';
import { moneyKind } from '../money';
import { slugKind } from '../slug';
import { urlKind } from '../url';
import { uuidKind } from '../uuid';

/** How the values of a member of an entry are read and described. */
export interface SubFieldKind {
  /** Further options of a member of the kind. */
  readonly options: readonly ('maxLength' | 'min' | 'max' | 'options' | 'optionLabels' | 'optionColors')[];
  /** Set where a value is no scalar. */
  readonly valueType?: 'object';
  /** Gives the JSON text of the value. */
  read(value: unknown, field: KindField): ParsedValue<string>;
  jsonSchema(field: KindField): JsonSchema;
}

/** More would not fit into a row of the form. */
export const maxTextLength = 10_000;

const string = textOf(255, 'line');
const money = moneyKind.of('field-kinds');

/** By the type that a member declares. */
export const subFieldKinds: Readonly<Record<string, SubFieldKind>> = {
  STRING: string,
  TEXT: textOf(maxTextLength, 'lines'),
  NUMBER: { options: ['min', 'max'], read: readNumber, jsonSchema: numberSchema },
  BOOLEAN: {
    options: [],
    read: (value) =>
      typeof value === 'boolean' ? accepted(String(value)) : refused('WRONG_TYPE', 'must be true or false'),
    jsonSchema: () => ({ type: 'boolean' }),
  },
  DATE: {
    options: [],
    read: readDay,
    jsonSchema: () => ({ type: 'string', format: 'date', pattern: dayPattern.source }),
  },
  DATETIME: {
    options: [],
    read: readInstant,
    jsonSchema: () => ({ type: 'string', format: 'date-time' }),
  },
  TIME: {
    options: [],
    read: readTime,
    jsonSchema: () => ({ type: 'string', pattern: timePattern.source }),
  },
  ENUM: {
    options: ['options', 'optionLabels', 'optionColors'],
    read: readOption,
    jsonSchema: ({ options = [] }) => ({ type: 'string', enum: options }),
  },
  'field-kinds.Money': {
    options: [],
    valueType: 'object',
    read: readMoney,
    jsonSchema: (field) => money.jsonSchema(field),
  },
  ...Object.fromEntries(
    [emailKind, urlKind, colorKind, uuidKind, slugKind].map((kind) => [`field-kinds.${kind.name}`, ofKind(kind)]),
  ),
};

/** The kind of a type that was checked. */
export function subFieldKind(type: string): SubFieldKind {
  return Object.hasOwn(subFieldKinds, type) ? (subFieldKinds[type] ?? string) : string;
}

/** With the characters that a field of the type takes, in the form in which it stores them. */
function textOf(usualLength: number, rules: TextRules): SubFieldKind {
  return {
    options: ['maxLength'],
    read(value, { maxLength = usualLength }) {
      if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
      const tooLong = refused('TOO_LONG', `must have at most ${maxLength} characters`);
      // Too long in any form: none is shorter than an eighth, and to look closer takes long.
      if (value.length > 8 * maxLength) return tooLong;
      const text = normalizeText(value, rules);
      if (!text.ok) return text;
      return Array.from(text.value.slice(0, 2 * maxLength + 1)).length > maxLength
        ? tooLong
        : accepted(JSON.stringify(text.value));
    },
    jsonSchema: ({ maxLength = usualLength, required }) => ({
      type: 'string',
      maxLength,
      ...(required ? { minLength: 1 } : {}),
    }),
  };
}

/** A kind of short texts of this package. */
function ofKind(defined: DefinedFieldKind): SubFieldKind {
  const kind = defined.of('field-kinds');
  return {
    options: [],
    read(value, field) {
      const parsed = kind.parse(value, field);
      return parsed.ok ? accepted(JSON.stringify(parsed.value)) : parsed;
    },
    jsonSchema: (field) => kind.jsonSchema(field),
  };
}

/** Fifteen digits are what pages and programs keep without effort, and they can be compared as JavaScript numbers. */
const maxDigits = 15;

function readNumber(value: unknown, { min, max }: KindField): ParsedValue<string> {
  if (exactNumberText(value) === undefined) return refused('WRONG_TYPE', 'must be a number');
  const written = jsonText(value);
  if (!written.ok) return refused('OUT_OF_RANGE', `must have at most ${maxDigits} digits`);
  const digits = written.value.replace(/^-?0*\.?0*/, '').replace('.', '');
  if (digits.length > maxDigits || written.value.length > 2 * maxDigits + 3) {
    return refused('OUT_OF_RANGE', `must have at most ${maxDigits} digits`);
  }
  const number = Number(written.value);
  if (min !== undefined && number < Number(min)) return refused('OUT_OF_RANGE', `must be at least ${min}`);
  if (max !== undefined && number > Number(max)) return refused('OUT_OF_RANGE', `must be at most ${max}`);
  return written;
}

/** As a field of the kind Money has it, with no more digits than a number. */
function readMoney(value: unknown, field: KindField): ParsedValue<string> {
  const parsed = money.parse(value, field);
  if (!parsed.ok) return parsed;
  const text = money.toFileJson(String(parsed.value));
  return text.replaceAll(/\D/g, '').length > maxDigits
    ? refused('OUT_OF_RANGE', `must have an amount of at most ${maxDigits} digits`)
    : accepted(text);
}

function numberSchema({ min, max }: KindField): JsonSchema {
  return {
    type: 'number',
    ...(min === undefined ? {} : { minimum: Number(min) }),
    ...(max === undefined ? {} : { maximum: Number(max) }),
  };
}

const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

function readDay(value: unknown): ParsedValue<string> {
  const wrong = refused('WRONG_TYPE', 'must be a calendar day such as 2026-03-01');
  if (typeof value !== 'string' || !dayPattern.test(value) || value.startsWith('0000')) return wrong;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) ? accepted(JSON.stringify(value)) : wrong;
}

const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/;

/** With seconds, and without zeros at its end, as a field of the type TIME has it. */
function readTime(value: unknown): ParsedValue<string> {
  if (typeof value !== 'string' || !timePattern.test(value)) {
    return refused('WRONG_TYPE', 'must be a time of day such as 09:30 or 09:30:15, without an offset');
  }
  const [hours, minutes, seconds = '00'] = value.split(':');
  return accepted(JSON.stringify(`${hours}:${minutes}:${seconds.replace(/\.(\d*?)0+$/, '.$1').replace(/\.$/, '')}`));
}

const instantPattern =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/;

/** The same instant in UTC, as a field of the type DATETIME has it. */
function readInstant(value: unknown): ParsedValue<string> {
  const [, day] = typeof value === 'string' ? (instantPattern.exec(value) ?? []) : [];
  if (typeof value !== 'string' || day === undefined || !readDay(day).ok) {
    return refused(
      'WRONG_TYPE',
      'must be a date and time with its offset from UTC, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00',
    );
  }
  const instant = new Date(value);
  const text = Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
  return /^(?!0000)\d{4}-/.test(text)
    ? accepted(JSON.stringify(text))
    : refused('OUT_OF_RANGE', 'must be from the year 0001 to the year 9999');
}

function readOption(value: unknown, { options = [] }: KindField): ParsedValue<string> {
  return typeof value === 'string' && options.includes(value)
    ? accepted(JSON.stringify(value))
    : refused('NOT_AN_OPTION', `must be one of ${options.join(', ')}`);
}
