/** How people write standard input or output where a file is expected. */
const dash = '-';

/** The placeholder while the parser works, which turns a lone `-` into an empty text. */
const placeholder = '\u0000-';

/** Before parsing. */
export function protectDashes(words: readonly string[]): readonly string[] {
  return words.map((word) => (word === dash ? placeholder : word));
}

/** After parsing. */
export function restoreDash(word: string): string {
  return word === placeholder ? dash : word;
}
