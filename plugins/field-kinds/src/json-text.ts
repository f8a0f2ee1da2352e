import { accepted, exactNumberText, refused, type ParsedValue, type RefusedValue } from '@gantry/plugin-api';

/** UTF-16 units of the text of a value. */
const maxLength = 256 * 1024;

/** PostgreSQL holds these digits in a number of JSON. */
const maxDigits = 1_000;

/** As deep as the body of a request may be. PostgreSQL fails where it runs out of stack. */
const maxDepth = 64;

/**
 * The text of a JSON value that JSONB keeps: every digit of its numbers, no character that cannot be stored. Keys come back in
 * another order.
 */
export function jsonText(value: unknown): ParsedValue<string> {
  const written = write(value, { depth: 0, rest: { length: maxLength } });
  if (typeof written !== 'string') return written;
  return written.length <= maxLength ? accepted(written) : tooLong;
}

/** Where in a value a part is, and the characters that are left for all others. */
interface Place {
  readonly depth: number;
  readonly rest: { length: number };
}

function write(value: unknown, place: Place): string | RefusedValue {
  const written = isParent(value) ? writeMembers(value, place) : writeScalar(value);
  if (typeof written !== 'string' || isParent(value)) return written;
  // Before all is written: numbers are long in full.
  place.rest.length -= written.length;
  return place.rest.length < 0 ? tooLong : written;
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null && exactNumberText(value) === undefined;
}

function writeScalar(value: unknown): string | RefusedValue {
  const digits = exactNumberText(value);
  if (digits !== undefined) return writeNumber(digits);
  if (typeof value === 'string') return isStorable(value) ? JSON.stringify(value) : notStorable;
  return value === null || typeof value === 'boolean' ? String(value) : refused('WRONG_TYPE', 'must be JSON');
}

function writeMembers(value: object, { depth, rest }: Place): string | RefusedValue {
  if (depth >= maxDepth) return refused('OUT_OF_RANGE', `must be nested at most ${maxDepth} levels deep`);
  const parts: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key)) return notStorable;
    const part = write(member, { depth: depth + 1, rest });
    if (typeof part !== 'string') return part;
    parts.push(Array.isArray(value) ? part : `${JSON.stringify(key)}:${part}`);
  }
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

const tooLong = refused('TOO_LONG', `must be JSON of at most ${maxLength} characters`);

const notStorable = refused('CHARACTER', 'must not contain characters that cannot be stored, such as U+0000');

/** Whether PostgreSQL can keep the text. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && Buffer.from(text, 'utf8').toString('utf8') === text;
}

/** In full, as PostgreSQL shows it: `1e999`, many times, is short to send and long to read. */
function writeNumber(digits: string): string | RefusedValue {
  const exponent = Number(/e([+-]?\d+)$/i.exec(digits)?.[1] ?? 0);
  if (digits.length > maxDigits || Math.abs(exponent) > maxDigits) {
    return refused('OUT_OF_RANGE', 'must not contain numbers of more than 1000 digits');
  }
  if (exponent === 0) return digits;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?/.exec(digits) ?? [];
  const all = `${'0'.repeat(Math.max(0, -exponent))}${whole}${fraction}${'0'.repeat(Math.max(0, exponent))}`;
  const point = whole.length + Math.max(0, -exponent) + exponent;
  const [before, after] = [all.slice(0, point).replace(/^0+(?=\d)/, ''), withoutZerosAtEnd(all.slice(point))];
  return `${sign}${before === '' ? '0' : before}${after === '' ? '' : `.${after}`}`;
}

/** Not by an expression, whose time grows with the square of the zeros. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Text that has it cannot be stored, so that a text that begins with it is a number. */
const numberMark = '\u0000';

/**
 * A JSON text, its numbers as objects with all their digits.
 * @returns undefined for what is no JSON, what cannot be stored, and an object with a key twice, of which one value would be lost
 */
export function parseJsonText(text: string): unknown {
  try {
    // The text itself is what is checked: with numbers as texts, more would be JSON.
    if (countKeys(JSON.parse(text)) !== countWrittenKeys(text)) return undefined;
    if (text.includes(String.raw`\u0000`) && hasMark(text)) return undefined;
    const marked = text.replaceAll(tokens, (token) =>
      token.startsWith('"') ? token : JSON.stringify(numberMark + token),
    );
    return JSON.parse(marked, (_key, value: unknown) =>
      typeof value === 'string' && value.startsWith(numberMark) ? exactNumber(value.slice(1)) : value,
    );
  } catch {
    return undefined;
  }
}

/** Every text, with the colon behind it where it is a key. */
const textsAndKeys = /"[^"\\]*(?:\\[^][^"\\]*)*"(?:\s*:)?/g;

function countWrittenKeys(text: string): number {
  return (text.match(textsAndKeys) ?? []).filter((found) => found.endsWith(':')).length;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce<number>((count, part) => count + countKeys(part), own);
}

function hasMark(text: string): boolean {
  const texts = (text.match(tokens) ?? []).filter((token) => token.startsWith('"'));
  return texts.some((token) => String(JSON.parse(token)).includes(numberMark));
}

/** A number as the platform reads it from JSON. */
export function exactNumber(digits: string): unknown {
  return { isLosslessNumber: true, toString: () => digits };
}

/** Texts of the same JSON, whatever the order of keys. @param stored also the value, as Sequelize reads it */
export function isSameJson(sent: unknown, stored: unknown): boolean {
  return canonical(parsed(sent)) === canonical(parsed(stored));
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' ? parseJsonText(value) : value;
}

/** The same text for the same JSON, whatever the order of keys. */
export function canonical(value: unknown): string {
  const digits = exactNumberText(value);
  if (digits !== undefined) return canonicalNumber(digits);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** `1.50`, `15e-1` and `1.5` are the same. */
function canonicalNumber(digits: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(digits) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = withoutZerosAtEnd(all);
  return kept === '' ? '0' : `${sign}${kept}e${Number(exponent) - fraction.length + all.length - kept.length}`;
}
