import type { ParsedValue } from './field-kind';
import { accepted, refused } from './parsed-value';

/** Which characters a text may have: one line of text, text of many lines, or one line that identifies an item. @public */
export type TextRules = 'line' | 'lines' | 'key';

/**
 * The text in the form in which it is stored: Unicode NFC, so that two texts that look the same are the same.
 * Rejects invisible characters, because texts that look the same would differ, or a text would be shown in another order.
 * @param rules `line` as a field of the type STRING has it, `key` as one that is trimmed, `lines` as one of the type TEXT
 * @returns the text, or why it is refused, with the code `CHARACTER`
 * @public
 */
export function normalizeText(text: string, rules: TextRules): ParsedValue<string> {
  if (printableAscii.test(text)) return accepted(text);
  const storable = checkStorable(text);
  if (!storable.ok) return storable;
  if (hasTooManyMarks(text)) {
    return refused('CHARACTER', `must not contain more than ${maxMarks} combining marks in a row`);
  }
  const refusedCharacter = findRefused(text, rules);
  if (refusedCharacter !== undefined) return refusedCharacter;
  return accepted(text.normalize('NFC'));
}

/** Text of a search: as it would be stored, but with all characters, because rows of earlier versions may have them. @public */
export function normalizeSearch(text: string): ParsedValue<string> {
  const storable = checkStorable(text);
  if (!storable.ok || hasTooManyMarks(text)) return storable;
  return accepted(text.normalize('NFC'));
}

/** Whether there is nothing to see in the text, which is no value then. @public */
export function isBlankText(text: string): boolean {
  return blank.test(text);
}

/** PostgreSQL cannot store U+0000, and a lone surrogate would silently become U+FFFD. @internal */
export function checkStorable(text: string): ParsedValue<string> {
  if (text.includes('\u0000')) return refused('CHARACTER', 'must not contain the character U+0000');
  if (!text.isWellFormed()) return refused('CHARACTER', 'must not contain half of a surrogate pair');
  return accepted(text);
}

/** Such text is in NFC and has nothing to refuse. */
const printableAscii = /^[ -~]*$/;

/** As many as the Stream-Safe Text Format of UAX #15 has; the time to normalize them grows with the square of their number. */
const maxMarks = 30;

/**
 * A longer run of marks covers one of the places that are looked at, so that most characters never are: the regular
 * expression takes thirty times as long.
 */
function hasTooManyMarks(text: string): boolean {
  for (let index = maxMarks; index < text.length; index += maxMarks + 1) {
    if (isMark(text, index) && isLongRun(text, index)) return true;
  }
  return false;
}

function isLongRun(text: string, index: number): boolean {
  // A mark has one code unit or two.
  const maxUnits = 2 * maxMarks;
  let start = index;
  while (start > 0 && index - start <= maxUnits && isMark(text, start - 1)) start -= 1;
  let end = index + 1;
  while (end < text.length && end - start <= maxUnits && isMark(text, end)) end += 1;
  return end - start > maxMarks && Array.from(text.slice(start, end)).length > maxMarks;
}

/** Whether the code unit is a combining mark or a half of one. */
function isMark(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < firstMark) return false;
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  const codePoint = text.codePointAt(isLowSurrogate ? index - 1 : index) ?? 0;
  if (codePoint > 0xffff) return mark.test(String.fromCodePoint(codePoint));
  if (markCache[codePoint] === 0) markCache[codePoint] = mark.test(String.fromCodePoint(codePoint)) ? 1 : 2;
  return markCache[codePoint] === 1;
}

const firstMark = 0x300;
const mark = /\p{M}/u;

/** By code unit: 0 before the expression was asked, which is slow for single characters, then 1 for a mark and 2 for others. */
const markCache = new Uint8Array(0x1_0000);

/** Characters that every text refuses: control characters but tab and line break, noncharacters, and annotations between programs. */
const refusedInLines = /(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/u;

/** Also tab, separators of lines, and bidirectional and invisible characters; variation selectors choose a glyph. */
const refusedInLine =
  /(?!\p{Variation_Selector})[\p{Cc}\p{Noncharacter_Code_Point}\ufff9-\ufffb\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Also variation selectors and symbols without ink: the blank Braille pattern and the null notehead. */
const refusedInKey =
  /[\p{Cc}\p{Noncharacter_Code_Point}\ufff9-\ufffb\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Two keys that differ by it look the same. */
const otherSpace = /(?! )\p{Zs}/u;

/** Characters without ink only. */
const blank = /^[\s\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]*$/u;

function findRefused(text: string, rules: TextRules): ParsedValue<string> | undefined {
  switch (rules) {
    case 'lines':
      return describe(refusedInLines.exec(text)?.[0]);
    case 'key':
      return (
        describe(refusedInKey.exec(text)?.[0]) ??
        describe(otherSpace.exec(text)?.[0], 'which looks like a space. Use a space')
      );
    case 'line':
      return describe(findInLine(text.replace(regionalFlag, blackFlag)));
  }
}

function findInLine(text: string): string | undefined {
  for (const { 0: character, index } of text.matchAll(refusedInLine)) {
    if (!isJoined(text, character, index)) return character;
  }
  return undefined;
}

function describe(
  character: string | undefined,
  problemAndFix = 'which is invisible. Remove it',
): ParsedValue<string> | undefined {
  if (character === undefined) return undefined;
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return refused('CHARACTER', `must not contain the character U+${code}, ${problemAndFix}`);
}

/** Joiners belong to the spelling between emoji, and after letters of scripts that join their letters. */
function isJoined(text: string, character: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + 1, index + 3);
  if (character === mongolianVowelSeparator) return mongolianLetter.test(before);
  if (character !== zeroWidthJoiner && character !== zeroWidthNonJoiner) return false;
  if (joiningLetter.test(before)) return true;
  return character === zeroWidthJoiner && emojiAtEnd.test(before) && emojiAtStart.test(after);
}

/** The flag of a part of a country: a black flag with its code in tags and the end of tags (UTS #51). */
const regionalFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;
const blackFlag = '\u{1f3f4}';

const mongolianVowelSeparator = '\u180e';
const mongolianLetter = /\p{Script=Mongolian}$/u;
const zeroWidthNonJoiner = '\u200c';
const zeroWidthJoiner = '\u200d';
const emojiAtEnd = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;
const emojiAtStart = /^\p{Extended_Pictographic}/u;
const joiningLetter = new RegExp(
  `[${['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu']
    .concat(['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Tibetan', 'Myanmar'])
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]$`,
  'u',
);
