/**
 * Which rows of a list are in sight, such as `51–100`.
 * @param before how many rows are before them; undefined where that is not known
 */
export function rangeText(before: number | undefined, shown: number): string {
  if (before === undefined) return `${shown} shown`;
  const [first, last] = [before + 1, before + shown].map((position) => position.toLocaleString());
  return first === last ? `${first}` : `${first}–${last}`;
}
