/**
 * A text from elsewhere, as a message shows it: an answer must not grow with what it refuses.
 * @param mark ends a text that was cut
 */
export function truncate(text: string, maxLength = 80, mark = '…'): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}${mark}` : text;
}
