import {
  accepted,
  exactNumberText,
  refused,
  type DefinedFieldKind,
  type JsonSchema,
  type KindField,
  type ParsedValue,
} from '@gantry/plugin-api';
import { colorKind } from '../color';
import { emailKind } from '../email';
import { isStorable, jsonText } from '../json-text';
import { slugKind } from '../slug';
import { urlKind } from '../url';
import { uuidKind } from '../uuid';

/** How the values of a member of an entry are read and described. */
export interface SubFieldKind {
  /** What a member of the kind can declare in addition to what every one can. */
  readonly options: readonly ('maxLength' | 'min' | 'max' | 'options' | 'optionLabels' | 'optionColors')[];
  /** Gives the JSON text of the value. */
  read(value: unknown, field: KindField): ParsedValue<string>;
  jsonSchema(field: KindField): JsonSchema;
}

/** More would not fit into a row of the form. */
export const maxTextLength = 10_000;

const string = textOf(255);

/** By the type that a member declares. */
export const subFieldKinds: Readonly<Record<string, SubFieldKind>> = {
  STRING: string,
  TEXT: textOf(maxTextLength),
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
  ENUM: {
    options: ['options', 'optionLabels', 'optionColors'],
    read: readOption,
    jsonSchema: ({ options = [] }) => ({ type: 'string', enum: options }),
  },
  ...Object.fromEntries(
    [emailKind, urlKind, colorKind, uuidKind, slugKind].map((kind) => [`field-kinds.${kind.name}`, ofKind(kind)]),
  ),
};

/** The kind of a type that was checked. */
export function subFieldKind(type: string): SubFieldKind {
  return Object.hasOwn(subFieldKinds, type) ? (subFieldKinds[type] ?? string) : string;
}

function textOf(usualLength: number): SubFieldKind {
  return {
    options: ['maxLength'],
    read(value, { maxLength = usualLength }) {
      if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
      if (!isStorable(value)) {
        return refused('CHARACTER', 'must not contain characters that cannot be stored, such as U+0000');
      }
      return Array.from(value.slice(0, 2 * maxLength + 1)).length > maxLength
        ? refused('TOO_LONG', `must have at most ${maxLength} characters`)
        : accepted(JSON.stringify(value));
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

function readOption(value: unknown, { options = [] }: KindField): ParsedValue<string> {
  return typeof value === 'string' && options.includes(value)
    ? accepted(JSON.stringify(value))
    : refused('NOT_AN_OPTION', `must be one of ${options.join(', ')}`);
}
