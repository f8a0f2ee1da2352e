/** An option as a person reads it: `NOT_PAID` is `Not paid`. Options in other than capitals only begin with one. */
export function choiceText(option: string): string {
  const words = option.replaceAll('_', ' ').trim();
  const isShouted = words.length > 1 && words === words.toLocaleUpperCase() && words !== words.toLocaleLowerCase();
  const text = isShouted ? words.toLocaleLowerCase() : words;
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
