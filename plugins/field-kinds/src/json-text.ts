import { accepted, exactNumberText, refused, type ParsedValue } from '@gantry/plugin-api';

/** UTF-16 units of the text of a value. */
const maxLength = 256 * 1024;

/** PostgreSQL holds these digits in a number of JSON. */
const maxDigits = 1_000;

/**
 * The text of a JSON value that JSONB keeps: every digit of its numbers, no character that cannot be stored. Keys come back in
 * another order.
 */
export function jsonText(value: unknown): ParsedValue<string> {
  const written = write(value);
  if (typeof written !== 'string') return written;
  return written.length <= maxLength
    ? accepted(written)
    : refused('TOO_LONG', `must be JSON of at most ${maxLength} characters`);
}

function write(value: unknown): string | Exclude<ParsedValue<never>, { readonly ok: true }> {
  const digits = exactNumberText(value);
  if (digits !== undefined) return writeNumber(digits);
  if (typeof value === 'string') return isStorable(value) ? JSON.stringify(value) : notStorable;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return refused('WRONG_TYPE', 'must be JSON');
  const parts: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key)) return notStorable;
    const part = write(member);
    if (typeof part !== 'string') return part;
    parts.push(Array.isArray(value) ? part : `${JSON.stringify(key)}:${part}`);
  }
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

const notStorable = refused('CHARACTER', 'must not contain characters that cannot be stored, such as U+0000');

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && Buffer.from(text, 'utf8').toString('utf8') === text;
}

function writeNumber(digits: string) {
  const exponent = Number(/e([+-]?\d+)$/i.exec(digits)?.[1] ?? 0);
  if (digits.length <= maxDigits && Math.abs(exponent) <= maxDigits) return digits;
  return refused('OUT_OF_RANGE', 'must not contain numbers of more than 1000 digits');
}

/** Texts of the same JSON, whatever the order of keys. @param stored also the value, as Sequelize reads it */
export function isSameJson(sent: unknown, stored: unknown): boolean {
  return canonical(parsed(sent)) === canonical(parsed(stored));
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
