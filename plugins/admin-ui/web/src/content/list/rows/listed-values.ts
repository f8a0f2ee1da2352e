/** The values with what is being entered, which counts as one: it would be lost otherwise. None is there twice, and none is blank. */
export function withEntered(values: readonly string[], entered: string): readonly string[] {
  return entered.trim() === '' || values.includes(entered) ? values : [...values, entered];
}

/** As a criterion has them: the text of a JSON array, empty without any. */
export function listText(values: readonly string[]): string {
  return values.length === 0 ? '' : JSON.stringify(values);
}

/** The first and the last value of a range, as a criterion has them; empty until both are there. */
export function rangeText(first: string, last: string): string {
  return first.trim() === '' || last.trim() === '' ? '' : JSON.stringify([first, last]);
}
