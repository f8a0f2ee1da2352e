/** Values that are there more than once, each once, in the order of their second place. */
export function findRepeated<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
