/** Before a word that the parser must take as it is; no word of a command line has this character. */
const mark = '\u0000';

/**
 * The words for the parser, which would turn a lone `-` into an empty text, and leaves out what follows `--`: arguments, also those that
 * begin with a hyphen, such as the order `-1`.
 */
export function protectWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  const [options, rest] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  return [
    ...options.map((word) => (word === '-' ? `${mark}${word}` : word)),
    ...rest.map((word) => (word.startsWith('-') ? `${mark}${word}` : word)),
  ];
}

/** The parsed words, as they were written. */
export function restoreWords(args: object): object {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, restore(value)]));
}

function restore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restore);
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(1) : value;
}

/** A text of the parser about the words, which it may not have. */
export function restoreText(text: string | null): string | null {
  return text?.replaceAll(mark, '') ?? null;
}
