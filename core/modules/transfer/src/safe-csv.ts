/** The beginning of a formula to a spreadsheet, behind apostrophes that were already there. */
const formula = /^'*[=+\-@\t\r]/;

/** An apostrophe before what a spreadsheet would run as a formula; {@link fromSafeText} takes exactly these away again. */
export function toSafeText(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

export function fromSafeText(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
