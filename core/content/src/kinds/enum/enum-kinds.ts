import {
  accepted,
  emptyWhere,
  readTextList,
  arrayText,
  type BoundOperand,
  type KindOperator,
} from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { parsed, plainKind, refused, rowSchemaOf, type FieldKind, type Parsed } from '../field-kind';
import type { FieldRules } from '../field-rules';
import { checkStorable } from '../text-characters';

/** One of the options. */
export const optionKind: FieldKind = {
  ...plainKind,
  name: 'one-option',
  type: 'ENUM',
  exact: true,
  unordered: true,
  index: 'order',
  isLabel: false,
  isEmptyTextNone: true,
  parse: readOption,
  convert: checkStorable,
  cast: (value) => `${value}::text`,
  arrayType: 'text[]',
  modelType: () => DataType.STRING(255),
  json: (column) => `to_json(${column})::text`,
  jsonSchema: (field) => ({ type: 'string', enum: optionsOf(field) }),
  rowSchema: (field) => rowSchemaOf(field, 'string'),
  example: (field) => (field.required ? optionsOf(field)[0] : undefined),
};

const hasOption = (column: string, parameter: string): string => `${column} @> to_jsonb(${parameter}::text)`;

/** An item has the option among others. */
const has: KindOperator = {
  bind(text) {
    const option = checkStorable(text);
    return option.ok ? accepted<BoundOperand>({ value: option.value, condition: hasOption }) : option;
  },
};

const hasNot: KindOperator = {
  bind(text) {
    const option = checkStorable(text);
    if (!option.ok) return option;
    return accepted<BoundOperand>({ value: option.value, condition: hasOption, isNegated: true });
  },
};

/** Whether a list that is stored as JSON has one of the members. */
export function oneOfMembers(members: readonly string[]): BoundOperand {
  return {
    value: arrayText(members),
    condition: (column, parameter) => `${column} @> ANY (${parameter}::jsonb[])`,
  };
}

const hasOneOf: KindOperator = {
  bind(text) {
    const options = readTextList(text);
    if (!options.ok) return options;
    const wrong = options.value.map((option) => checkStorable(option)).find(({ ok }) => !ok);
    if (wrong?.ok === false) return wrong;
    return accepted(oneOfMembers(options.value.map((option) => JSON.stringify(option))));
  },
};

/** No list, or one without members. */
export const hasNoMember = emptyWhere((column) => `(${column} IS NULL OR ${column} = '[]')`);

/** Several of the options, in the order given; stored as a JSON array. */
export const optionsKind: FieldKind = {
  ...optionKind,
  name: 'several-options',
  index: 'members',
  clientType: 'readonly string[]',
  operators: { EQUALS: has, CONTAINS: has, NOT_EQUALS: hasNot, IN: hasOneOf, EMPTY: hasNoMember },
  parse: readOptions,
  isSame: (sent, stored) => listText(sent) === listText(stored),
  cast: (value) => `${value}::jsonb`,
  arrayType: 'jsonb[]',
  // Bound as the text that it is; Sequelize would write a text as a JSON text.
  modelType: () => 'JSONB',
  json: (column) => `${column}::text`,
  toModel: (value) => (Array.isArray(value) ? Object.freeze([...(value as readonly unknown[])]) : value),
  fromCell: (text) => jsonOfCell(text, '[') ?? text.split('|'),
  toCell: (text) => cellOf(JSON.parse(text) as readonly string[]),
  toFileJson: (text) => text,
  jsonSchema: (field) => ({
    type: 'array',
    items: { type: 'string', enum: optionsOf(field) },
    uniqueItems: true,
    ...(field.required ? { minItems: 1 } : {}),
  }),
  rowSchema: (field) => ({ ...rowSchemaOf(field, 'array'), items: { type: 'string' } }),
  example: (field) => (field.required ? optionsOf(field).slice(0, 1) : undefined),
};

function optionsOf({ options = [] }: FieldRules): readonly string[] {
  return options;
}

function readOption(value: unknown, field: FieldRules): Parsed<string> {
  const options = optionsOf(field);
  if (typeof value !== 'string') return refused('WRONG_TYPE', `must be text, one of ${options.join(', ')}`);
  return options.includes(value) ? parsed(value) : refused('NOT_AN_OPTION', `must be one of ${options.join(', ')}`);
}

function readOptions(value: unknown, field: FieldRules): Parsed<string> {
  const options = optionsOf(field);
  if (!Array.isArray(value)) return refused('WRONG_TYPE', `must be an array of ${options.join(', ')}`);
  const found = new Set<unknown>();
  for (const [index, option] of (value as readonly unknown[]).entries()) {
    if (typeof option !== 'string' || !options.includes(option)) {
      return refused(
        'NOT_AN_OPTION',
        `must be an array of ${options.join(', ')}; the entry at position ${index} is none of them`,
      );
    }
    if (found.has(option)) return refused('DUPLICATE', `must list every option once; ${option} is listed again`);
    found.add(option);
  }
  return parsed(JSON.stringify(value));
}

/** PostgreSQL writes a blank after each comma; Sequelize gives the list. */
function listText(value: unknown): string {
  return JSON.stringify(typeof value === 'string' ? JSON.parse(value) : value);
}

/** Options with a vertical line between them, as references have it; JSON where an option has one or looks like JSON. */
function cellOf(options: readonly string[]): string {
  const isPlain = options.length > 0 && options.every((option) => !option.includes('|') && !option.startsWith('['));
  return isPlain ? options.join('|') : JSON.stringify(options);
}

/** The JSON of a cell that begins like it, or the text where it cannot be read; undefined for any other cell. */
export function jsonOfCell(text: string, opening: '[' | '{'): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
