import {
  accepted,
  commonOperators,
  defineFieldKind,
  emptyWhere,
  escapePattern,
  exactNumberText,
  isBlankText,
  normalizeSearch,
  refused,
  refusedWithin,
  type FieldKind,
  type JsonSchema,
  type KindField,
  type KindOperator,
  type ParsedValue,
  type RefusedValue,
  type ValueProblem,
} from '@gantry/plugin-api';
import { isSameJson, jsonText, parseJsonText } from '../json-text';
import { entryShape, settingsProblems, type EntryShape } from './settings';
import { subFieldKind } from './sub-field-kinds';

const wrong = refused(
  'WRONG_TYPE',
  'must be a JSON array of objects, such as [{"label":"Manual"}], in which no member occurs twice',
);

/** Members of entries, and the parts of those that have parts; names of members are none. */
const scalars = 'lax $[*].** ? (@.type() != "object" && @.type() != "array")';

/** A part of a text or number of any entry, whatever its case. */
const contains: KindOperator = {
  bind(text) {
    const normalized = normalizeSearch(text);
    if (!normalized.ok) return normalized;
    return accepted({
      value: `%${escapePattern(normalized.value)}%`,
      condition: (column, parameter) =>
        `EXISTS (SELECT 1 FROM jsonb_path_query(${column}, '${scalars}') AS repeatable_member(value)` +
        ` WHERE repeatable_member.value #>> '{}' ILIKE ${parameter})`,
    });
  },
};

/** No value, or a list without entries. */
const isEmpty = emptyWhere((column) => `(${column} IS NULL OR ${column} = '[]')`);

/** Entries of the same shape, in the order given: links, opening hours, ingredients. */
export const repeatableKind = defineFieldKind({
  name: 'Repeatable',
  column: 'JSONB',
  clientType:
    'readonly Readonly<Record<string, string | number | boolean | { readonly amount: number; readonly currency: string }>>[]',
  rowType: 'array',
  operators: { ...commonOperators, EMPTY: isEmpty, CONTAINS: contains },
  checkSettings: settingsProblems,
  parse: readEntries,
  isSame: isSameJson,
  convert: (text) => {
    const value = parseJsonText(text);
    const read = Array.isArray(value) ? jsonText(value) : wrong;
    // As texts of entries are stored.
    return read.ok ? normalizeSearch(read.value) : read;
  },
  json: (column) => `${column}::text`,
  fromCell: (text) => parseJsonText(text) ?? text,
  toFileJson: (text) => text,
  formMembers(field) {
    const { fields, minItems, maxItems } = entryShape(field);
    return { valueType: 'array', fields: fields.map(formField), minItems, maxItems };
  },
  jsonSchema: entriesSchema,
  rowSchema: ({ displayName, required }) => ({
    title: displayName,
    type: required ? 'array' : ['array', 'null'],
    items: { type: 'object' },
  }),
  describe: (field) => [`A list of at most ${entryShape(field).maxItems} entries, whose order is kept.`],
});

type FormMembers = ReturnType<FieldKind['formMembers']>;

/** The description of a member for forms; absent members are left out. */
function formField(member: KindField): NonNullable<FormMembers['fields']>[number] {
  const { column: _column, columnType: _columnType, searchable: _searchable, reference: _reference, ...shown } = member;
  const { valueType } = subFieldKind(member.type);
  return valueType === undefined ? shown : { ...shown, valueType };
}

function entriesSchema(field: KindField): JsonSchema {
  const { fields, minItems, maxItems } = entryShape(field);
  const required = fields.filter((member) => member.required).map(({ name }) => name);
  return {
    type: 'array',
    minItems: field.required ? Math.max(1, minItems) : minItems,
    maxItems,
    items: {
      type: 'object',
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(
        fields.map((member) => [
          member.name,
          {
            title: member.displayName,
            ...(member.help === undefined ? {} : { description: member.help }),
            ...subFieldKind(member.type).jsonSchema(member),
          },
        ]),
      ),
    },
  };
}

/** More would make an answer many times as long as the request. */
const maxProblems = 50;

function readEntries(value: unknown, field: KindField): ParsedValue<string> {
  if (!Array.isArray(value)) return wrong;
  const shape = entryShape(field);
  const entries = value as readonly unknown[];
  if (entries.length > shape.maxItems) return refused('TOO_MANY', `must have at most ${shape.maxItems} entries`);
  if (entries.length < shape.minItems) return refused('TOO_FEW', `must have at least ${shape.minItems} entries`);
  const texts: string[] = [];
  const problems: ValueProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = readEntry(entry, `[${index}]`, shape);
    if (typeof read === 'string') texts.push(read);
    else problems.push(...read);
    if (problems.length >= maxProblems) break;
  }
  const [first, ...others] = problems;
  if (first !== undefined) return refusedWithin([first, ...others.slice(0, maxProblems - 1)]);
  // Once more as a whole, for its length.
  return jsonText(parseJsonText(`[${texts.join(',')}]`));
}

/** @returns the JSON text of the entry, or what is wrong with it */
function readEntry(entry: unknown, path: string, { fields }: EntryShape): string | readonly ValueProblem[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry) || exactNumberText(entry) !== undefined) {
    return [{ path, code: 'WRONG_TYPE', message: `must be an object with the members ${namesOf(fields)}` }];
  }
  const given = entry as Readonly<Record<string, unknown>>;
  const problems: ValueProblem[] = Object.keys(given)
    .filter((key) => !fields.some(({ name }) => name === key))
    .slice(0, maxProblems)
    .map((key) => unknownMember(path, key, fields));
  const texts: string[] = [];
  for (const member of fields) {
    const sent = Object.hasOwn(given, member.name);
    if (!sent && !member.required) continue;
    const read = readMember(sent ? given[member.name] : undefined, member);
    if (read.ok) texts.push(`${JSON.stringify(member.name)}:${read.value}`);
    else problems.push({ path: `${path}.${member.name}`, code: read.code, message: read.message });
  }
  return problems.length > 0 ? problems : `{${texts.join(',')}}`;
}

const missing: RefusedValue = refused('REQUIRED', 'is required');

/** A member without a value is left out: with null there would be two ways to write the same. */
function readMember(value: unknown, member: KindField): ParsedValue<string> {
  const isBlank = value === undefined || value === null || (typeof value === 'string' && isBlankText(value));
  if (member.required && isBlank) return missing;
  if (value === null) return refused('WRONG_TYPE', 'must not be null; leave out a member that has no value');
  return subFieldKind(member.type).read(value, member);
}

function unknownMember(path: string, key: string, fields: readonly KindField[]): ValueProblem {
  const name = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  const message = `is not a member of an entry; the members are ${namesOf(fields)}`;
  return { path: `${path}.${name}`, code: 'UNKNOWN_FIELD', message };
}

function namesOf(fields: readonly KindField[]): string {
  return fields.map(({ name }) => name).join(', ');
}
