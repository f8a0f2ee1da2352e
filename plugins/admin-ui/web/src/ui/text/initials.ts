/** The first letters of the first and the last word of a name, or of an email address: `Maja Lindqvist` is `ML`. */
export function initialsOf(name: string): string {
  const words =
    name
      .split('@')[0]
      ?.split(/[\s._-]+/)
      .filter(Boolean) ?? [];
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => /^./u.exec(word ?? '')?.[0] ?? '',
  );
  return letters.join('').toLocaleUpperCase();
}
