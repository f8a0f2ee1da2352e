/** Whether a text has all words of a search, in any order and case. */
export function hasWords(text: string, search: string): boolean {
  const searched = text.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
