/** Control characters, half of a surrogate pair, separators of lines and paragraphs, and those that change the direction of text. */
const refused = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Characters without ink only. */
const blank = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Checks whether an input value is one line of readable text, for example the reason of an operation. @public */
export function isTextLine(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && !blank.test(value) && !refused.test(value);
}

/** The rule of {@link isTextLine}, after the name of the value: `reason must be …`. @public */
export function textLineRule(maxLength: number): string {
  return `must be text of 1 to ${maxLength} characters, not only blanks, without control characters and characters that change the direction of text`;
}
