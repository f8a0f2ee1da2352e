/**
 * Keys as text, for the cells of a CSV file: the parts of one key are separated by `/`, several keys by `|`; where one of
 * these (or a backslash before one) belongs to a value, a backslash precedes it.
 */

/** Of a key of `count` parts all, or only the first: `P-1/spring/STAGED`, or `P-1`. */
export function formatKey(parts: readonly string[], count: number): string {
  return count === 1 ? parts.join('') : parts.map((part) => escape(part, /[\\/]/g)).join('/');
}

/** Several keys in one cell. */
export function formatKeyList(keys: readonly (readonly string[])[], count: number): string {
  const special = count === 1 ? /[\\|]/g : /[\\|/]/g;
  return keys.map((parts) => parts.map((part) => escape(part, special)).join('/')).join('|');
}

/** The parts of a key of `count` parts: all of them, or only the first. */
export function parseKey(text: string, count: number): readonly string[] {
  if (count === 1) return [text];
  const parts = split(text, '/').map(unescape);
  return parts.length === count ? parts : [unescape(text)];
}

export function parseKeyList(text: string, count: number): readonly (readonly string[])[] {
  return split(text, '|').map((key) => (count === 1 ? [unescape(key)] : parseKey(key, count)));
}

/** Splits at separators with no backslash before them; backslashes stay. */
function split(text: string, separator: '/' | '|'): readonly string[] {
  const parts: string[] = [''];
  for (const piece of text.match(/\\[\\/|]|[^]/g) ?? []) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

function escape(text: string, special: RegExp): string {
  return text.replaceAll(special, String.raw`\$&`);
}

function unescape(text: string): string {
  return text.replaceAll(/\\([\\/|])/g, '$1');
}
