/** How people write standard input or output where a file is expected. */
const dash = '-';

/** What stands in its place while the parser works, which makes an empty text of a lone `-`. */
const placeholder = '\u0000-';

/** Before parsing. */
export function protectDashes(words: readonly string[]): readonly string[] {
  return words.map((word) => (word === dash ? placeholder : word));
}

/** After parsing. */
export function restoreDash(word: string): string {
  return word === placeholder ? dash : word;
}
