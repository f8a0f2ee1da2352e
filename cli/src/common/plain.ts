/** Text from elsewhere on one line, without what would steer the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** The same for text of several lines, which stay. */
export function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '))
    .join('\n');
}
