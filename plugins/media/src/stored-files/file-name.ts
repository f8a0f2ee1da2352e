/** Characters of a name at most, and bytes of it in UTF-8: what file systems take. */
const maxCharacters = 200;
const maxBytes = 240;

/** Controls, separators of lines, bidirectional and other invisible characters, noncharacters and private ones, halves of pairs. */
const invisible = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The name of a file as people see it: the last part of a path, without characters that are invisible or turn the direction of
 * text, by which `exe.fdp` could look like another name. Empty where nothing is left.
 */
export function cleanFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const visible = last.normalize('NFC').replace(invisible, '').replace(/\s+/g, ' ');
  return shortened(withoutEnds(visible));
}

/** Not by an expression, whose time grows with the square of the dots. */
function withoutEnds(name: string): string {
  let [start, end] = [0, name.length];
  while (isBlankOrDot(name[start])) start += 1;
  while (end > start && isBlankOrDot(name[end - 1])) end -= 1;
  return name.slice(start, end);
}

function isBlankOrDot(character: string | undefined): boolean {
  return character === ' ' || character === '.';
}

/** The ending stays, as it says what the file is. */
function shortened(name: string): string {
  if (isShort(name)) return name;
  const ending = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? '';
  const characters = Array.from(name.slice(0, name.length - ending.length)).slice(0, maxCharacters);
  while (characters.length > 0 && !isShort(characters.join('') + ending)) characters.pop();
  return characters.join('').trimEnd() + ending;
}

function isShort(name: string): boolean {
  return Array.from(name).length <= maxCharacters && Buffer.byteLength(name) <= maxBytes;
}
