/** A text that names accounts, without their ids: `ann@example.com (user:1)` is `ann@example.com`. */
export function loginsIn(text: string): string {
  return text.replaceAll(/ \(user:\d+\)/g, '');
}
