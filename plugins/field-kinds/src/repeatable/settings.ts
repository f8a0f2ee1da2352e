import type { KindField, KindSettings } from '@gantry/plugin-api';
import { maxTextLength, subFieldKinds } from './sub-field-kinds';

/** `settings` of a field of the kind `field-kinds.Repeatable`. */
export interface RepeatableSettings {
  /** The members of each entry by name, in the order of the form. */
  readonly fields: Readonly<Record<string, SubFieldOptions>>;
  /** Entries at least, where there is a value; 0 unless given. */
  readonly minItems?: number;
  /** Entries at most, up to 1,000; 100 unless given. */
  readonly maxItems?: number;
}

/** The declaration of a member of an entry. */
export interface SubFieldOptions {
  readonly displayName: string;
  /** `STRING` unless given. */
  readonly type?:
    | 'STRING'
    | 'TEXT'
    | 'NUMBER'
    | 'BOOLEAN'
    | 'DATE'
    | 'DATETIME'
    | 'TIME'
    | 'ENUM'
    | 'field-kinds.Email'
    | 'field-kinds.Url'
    | 'field-kinds.Color'
    | 'field-kinds.Money'
    | 'field-kinds.Uuid'
    | 'field-kinds.Slug';
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly help?: string;
  /** Only for STRING, which has 255 unless given, and TEXT, which has 10,000. */
  readonly maxLength?: number;
  /** Only for NUMBER. */
  readonly min?: number;
  readonly max?: number;
  /** Only for ENUM, and required there. */
  readonly options?: readonly string[];
  readonly optionLabels?: Readonly<Record<string, string>>;
  readonly optionColors?: Readonly<Record<string, 'blue' | 'gray' | 'green' | 'red' | 'yellow'>>;
}

/** The settings with their defaults. */
export interface EntryShape {
  readonly fields: readonly KindField[];
  readonly minItems: number;
  readonly maxItems: number;
}

const mostItems = 1_000;
const mostFields = 30;

/** Reads settings that {@link settingsProblems} finds nothing wrong with. */
export function entryShape({ settings = {} }: Pick<KindField, 'settings'>): EntryShape {
  const { fields, minItems = 0, maxItems = 100 } = settings as unknown as RepeatableSettings;
  return { fields: Object.entries(fields).map(subField), minItems, maxItems };
}

function subField([name, options]: readonly [string, SubFieldOptions]): KindField {
  const { type = 'STRING', required = false, placeholder = '', ...others } = options;
  return {
    ...others,
    name,
    type,
    required,
    placeholder,
    // Members are in the column of the list.
    column: '',
    columnType: '',
    searchable: false,
    editableOnUpdate: true,
  };
}

/** Problems of the settings; sentences that continue "<field> …". */
export function settingsProblems(settings: KindSettings): readonly string[] {
  const { fields, minItems = 0, maxItems = 100, ...others } = settings;
  const problems = Object.keys(others).map((name) => `has the setting ${name}, which its field kind does not know`);
  if (!isCount(minItems) || !isCount(maxItems) || maxItems < 1 || maxItems > mostItems || minItems > maxItems) {
    problems.push(`needs minItems and maxItems that are whole numbers with 0 <= minItems <= maxItems <= ${mostItems}`);
  }
  if (!isObject(fields) || Object.keys(fields).length === 0) {
    return [...problems, "needs settings: { fields: { label: { displayName: 'Label' }, … } }"];
  }
  if (Object.keys(fields).length > mostFields) problems.push(`has more than ${mostFields} members`);
  return [...problems, ...Object.entries(fields).flatMap(([name, field]) => memberProblems(name, field))];
}

const common = ['displayName', 'type', 'required', 'placeholder', 'help'];

function memberProblems(name: string, field: unknown): readonly string[] {
  // A member with an id is a reference to the pages.
  if (!/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(name) || name === 'id') {
    return [`has the member ${JSON.stringify(name)}, whose name must be letters and digits, and not id`];
  }
  const has = (what: string): readonly string[] => [`has the member ${name} ${what}`];
  if (!isObject(field)) return has('without an object that declares it');
  const { displayName, type = 'STRING' } = field;
  if (typeof displayName !== 'string' || displayName.trim() === '') return has('without displayName');
  if (type === 'REFERENCE') {
    return has(
      'of the type "REFERENCE": entries are JSON, which no foreign key can keep, so that what is referred to could be deleted; use a field of the item, or another type that refers to the item',
    );
  }
  if (typeof type !== 'string' || !Object.hasOwn(subFieldKinds, type)) {
    return has(`of the type ${JSON.stringify(type)}; it must be one of ${Object.keys(subFieldKinds).join(', ')}`);
  }
  const allowed: readonly string[] = [...common, ...(subFieldKinds[type]?.options ?? [])];
  const unknown = Object.keys(field).filter((option) => !allowed.includes(option));
  if (unknown.length > 0) return has(`with ${unknown.join(', ')}, which its type does not have`);
  return [...plainProblems(field), ...rangeProblems(field), ...optionProblems(type, field)].flatMap(has);
}

function plainProblems({ required = false, placeholder = '', help = '' }: KindSettings): readonly string[] {
  return [
    ...(typeof required === 'boolean' ? [] : ['whose required is not true or false']),
    ...(typeof placeholder === 'string' && typeof help === 'string' ? [] : ['whose placeholder or help is not text']),
  ];
}

function rangeProblems({ maxLength, min, max }: KindSettings): readonly string[] {
  const isLength = maxLength === undefined || (isCount(maxLength) && maxLength >= 1 && maxLength <= maxTextLength);
  const areNumbers = [min, max].every((bound) => bound === undefined || Number.isFinite(bound));
  const isOrdered = min === undefined || max === undefined || Number(min) <= Number(max);
  return [
    ...(isLength ? [] : [`whose maxLength is not a whole number from 1 to ${maxTextLength}`]),
    ...(areNumbers && isOrdered ? [] : ['whose min and max are not two numbers in order']),
  ];
}

function optionProblems(type: string, { options, optionLabels = {}, optionColors = {} }: KindSettings) {
  if (type !== 'ENUM') return [];
  const areTexts =
    Array.isArray(options) &&
    options.length > 0 &&
    options.every((option) => typeof option === 'string' && option.trim() !== '') &&
    new Set(options).size === options.length;
  if (!areTexts) return ['without options, which must be different texts'];
  return isObject(optionLabels) && isObject(optionColors) ? [] : ['whose optionLabels or optionColors is no object'];
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isObject(value: unknown): value is KindSettings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
