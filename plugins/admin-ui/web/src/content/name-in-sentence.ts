/**
 * The name of a type within a sentence: "Products" becomes "products". A name that begins with more than one capital letter, such
 * as "URLs", stays as it is.
 */
export function nameInSentence(name: string): string {
  const [first = '', second = ''] = name;
  const isAbbreviation = second !== second.toLocaleLowerCase();
  return isAbbreviation ? name : `${first.toLocaleLowerCase()}${name.slice(first.length)}`;
}
