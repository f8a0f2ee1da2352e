/** Of the field `reason`. */
const maxLength = 1_000;
/** Combining marks in a row that a field takes. */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu;
const lineBreaks = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Invisible characters: noncharacters, annotations, halves of surrogate pairs, and characters that are ignored or turn the text round. */
const invisible = /[\p{Noncharacter_Code_Point}\p{Cs}\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A reason in the form of the row of an order: one line of text. Failures of activities say whatever their author or a
 * library wrote, and a reason that the row refused would keep the end of the order from being stored.
 */
export function reasonLine(text: string): string {
  const line = text.slice(0, maxLength).replace(invisible, '').replace(lineBreaks, ' ').normalize('NFC');
  return line.replace(tooManyMarks, '$1').slice(0, maxLength).replace(invisible, '');
}
