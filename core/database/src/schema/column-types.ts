import { quoteIdentifier } from '../identifiers';

/** A type as PostgreSQL spells it (`format_type`), for example `timestamp(3) with time zone` or `numeric(19,4)[]`. */
interface SqlType {
  /** Without its modifiers. */
  readonly name: string;
  readonly modifiers: readonly number[];
  readonly isList: boolean;
}

const texts: readonly string[] = ['character varying', 'character', 'bpchar', 'text', 'citext'];
const wholeNumbers: readonly string[] = ['smallint', 'integer', 'bigint'];
const numbers: readonly string[] = [...wholeNumbers, 'numeric', 'real', 'double precision'];
const instants: readonly string[] = ['date', 'timestamp with time zone', 'timestamp without time zone'];

/**
 * Whether a field of the wanted type can use a column of another one: it reads all values of the column, and what the column cannot hold
 * is refused, not rounded. So it is with another length, and with a column that holds more than the field accepts.
 */
export function canServe(actual: string, wanted: string): boolean {
  const [has, wants] = [parseType(actual), parseType(wanted)];
  if (has.isList !== wants.isList) return false;
  if (texts.includes(has.name) && texts.includes(wants.name)) return !isPadded(has) || isPadded(wants);
  if (numbers.includes(has.name) && numbers.includes(wants.name)) return holdsNumbers(has, wants);
  if (has.name !== wants.name) return false;
  return isTime(has) ? precisionOf(has) >= precisionOf(wants) : true;
}

/** Whether PostgreSQL has a conversion of the values that means the same. The text of a list or of JSON is none of its values. */
export function canCast(actual: string, wanted: string): boolean {
  const [has, wants] = [parseType(actual), parseType(wanted)];
  if (has.isList !== wants.isList || isJson(has) !== isJson(wants)) return false;
  const areOf = (...names: readonly string[]): boolean => names.includes(has.name) && names.includes(wants.name);
  const isText = texts.includes(has.name) || texts.includes(wants.name);
  return isText || has.name === wants.name || areOf(...numbers) || areOf(...instants) || areOf('integer', 'boolean');
}

/**
 * The change of a column to another type, as `ALTER COLUMN` takes it. PostgreSQL refuses it where a value does not fit: a cast that is
 * written out cuts texts, and every cast rounds numbers and instants, so that the values before and after are compared.
 */
export function changeType(column: string, actual: string, wanted: string): string {
  if (texts.includes(parseType(wanted).name)) return `TYPE ${wanted}`;
  const name = quoteIdentifier(column);
  const cast = `${name}::${wanted}`;
  const isKept = comparison(name, actual, wanted);
  if (isKept === undefined) return `TYPE ${wanted} USING ${cast}`;
  const refused = `(${name}::text || ' would be changed')::${wanted}`;
  return `TYPE ${wanted} USING CASE WHEN ${isKept} THEN ${cast} WHEN ${name} IS NOT NULL THEN ${refused} END`;
}

/** The condition under which a value means the same in the other type; undefined where each does, or PostgreSQL refuses the others. */
function comparison(name: string, actual: string, wanted: string): string | undefined {
  const [has, wants] = [parseType(actual), parseType(wanted)];
  const cast = `${name}::${wanted}`;
  if (texts.includes(has.name)) return comparisonOfTexts(name, cast, wants);
  return mayChange(has, wants) ? `${name} = ${cast}::${actual}` : undefined;
}

/** A text may have more digits, a time of day or another zone than the type holds. */
function comparisonOfTexts(name: string, cast: string, wants: SqlType): string | undefined {
  const list = wants.isList ? '[]' : '';
  if (wholeNumbers.includes(wants.name)) return undefined;
  if (numbers.includes(wants.name)) return `${name}::numeric${list} = (${cast})::numeric${list}`;
  const text = wants.isList ? `array_to_string(${name}, ' ')` : name;
  if (instants.includes(wants.name)) {
    // Seven digits of a second are more than any type has.
    return `${text} !~ '[.]\\d{7}' AND ${name}::timestamptz${list} = (${cast})::timestamptz${list}`;
  }
  if (!isTime(wants)) return undefined;
  const time = '\\d{1,2}:\\d{2}(:\\d{2}([.]\\d{1,6})?)?';
  return `${text} ~ '^(${time}( |$))*$' AND ${name}::time${list} = (${cast})::time${list}`;
}

function mayChange(has: SqlType, wants: SqlType): boolean {
  if (wholeNumbers.includes(has.name) && !numbers.includes(wants.name)) return true;
  if (numbers.includes(has.name) && numbers.includes(wants.name)) {
    if (wholeNumbers.includes(has.name)) return !wholeNumbers.includes(wants.name) && wants.name !== 'numeric';
    if (has.name === 'numeric') return wants.name !== 'numeric' || scaleOf(wants) < scaleOf(has);
    return has.name === 'double precision' || wants.name !== 'double precision';
  }
  if (instants.includes(wants.name) && !isTime(wants)) return isTime(has);
  return isTime(has) && isTime(wants) && precisionOf(wants) < precisionOf(has);
}

function isJson({ name }: SqlType): boolean {
  return name === 'json' || name === 'jsonb';
}

function parseType(type: string): SqlType {
  const isList = type.endsWith('[]');
  const [, modifiers = ''] = /\(([\d,-]+)\)/.exec(type) ?? [];
  const name = type
    .replace(/\([^)]*\)/, '')
    .replace(/(\[\])+$/, '')
    .replace(/^"?[a-z]\w*"?\.(?=citext$)/, '');
  return { name, modifiers: modifiers === '' ? [] : modifiers.split(',').map(Number), isList };
}

/** Values have blanks at their end that were not sent. */
function isPadded({ name }: SqlType): boolean {
  return name === 'character' || name === 'bpchar';
}

function holdsNumbers(has: SqlType, wants: SqlType): boolean {
  const isWhole = wholeNumbers.includes(wants.name);
  if (wholeNumbers.includes(has.name)) return isWhole;
  if (has.name === 'numeric') {
    if (isWhole) return scaleOf(has) >= 0;
    return wants.name === 'numeric' ? scaleOf(has) >= scaleOf(wants) : false;
  }
  if (has.name === 'double precision') return wants.name !== 'numeric' && wants.name !== 'bigint';
  return wants.name === 'real' || wants.name === 'smallint';
}

/** Digits after the point. */
function scaleOf({ modifiers: [precision, scale = 0] }: SqlType): number {
  return precision === undefined ? Infinity : scale;
}

function isTime({ name }: SqlType): boolean {
  return name.startsWith('time');
}

const mostPrecise = 6;

function precisionOf({ modifiers: [precision = mostPrecise] }: SqlType): number {
  return precision;
}
