import { parsed, refused, type Parsed } from './field-kind';

/** Which characters a text may have: one line of text, text of many lines, or one line that people tell items apart by. */
export type TextRules = 'line' | 'lines' | 'key';

/**
 * The text in the form in which it is stored: Unicode NFC, so that two texts that look the same are the same.
 * Refuses what nobody sees, because it would let texts differ that look the same, or show a text in another order.
 */
export function normalizeText(text: string, rules: TextRules): Parsed<string> {
  if (printableAscii.test(text)) return parsed(text);
  const storable = checkStorable(text);
  if (!storable.ok) return storable;
  if (tooManyMarks.test(text)) {
    return refused('CHARACTER', 'must not contain more than 30 combining marks in a row');
  }
  const refusedCharacter = findRefused(text, rules);
  if (refusedCharacter !== undefined) return refusedCharacter;
  return parsed(text.normalize('NFC'));
}

/** Text of a search: as it would be stored, but with all characters, because rows of earlier versions may have them. */
export function normalizeSearch(text: string): Parsed<string> {
  const storable = checkStorable(text);
  if (!storable.ok || tooManyMarks.test(text)) return storable;
  return parsed(text.normalize('NFC'));
}

/** PostgreSQL cannot store U+0000, and a lone surrogate would silently become U+FFFD. */
export function checkStorable(text: string): Parsed<string> {
  if (text.includes('\u0000')) return refused('CHARACTER', 'must not contain the character U+0000');
  if (!text.isWellFormed()) return refused('CHARACTER', 'must not contain half of a surrogate pair');
  return parsed(text);
}

/** Such text is in NFC and has nothing to refuse. */
const printableAscii = /^[ -~]*$/;

/** More than the Stream-Safe Text Format of UAX #15 has; the time to normalize them grows with the square of their number. */
const tooManyMarks = /(?:^|\P{M})\p{M}{31}/u;

/** Control characters but tab and line break; format characters have their place in longer texts. */
const refusedInLines = /[^\P{Cc}\t\n\r]/u;

/** Control, bidirectional and invisible characters, and separators of lines; variation selectors choose a glyph. */
const refusedInLine = /(?!\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const refusedInKey = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function findRefused(text: string, rules: TextRules): Parsed<string> | undefined {
  if (rules === 'lines') return describe(refusedInLines.exec(text)?.[0]);
  if (rules === 'key') return describe(refusedInKey.exec(text)?.[0]);
  for (const { 0: character, index } of text.matchAll(refusedInLine)) {
    if (!isJoined(text, character, index)) return describe(character);
  }
  return undefined;
}

function describe(character: string | undefined): Parsed<string> | undefined {
  if (character === undefined) return undefined;
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return refused('CHARACTER', `must not contain the character U+${code}, which cannot be seen. Remove it`);
}

/** Joiners belong to the spelling between emoji, and after letters of scripts that join their letters. */
function isJoined(text: string, character: string, index: number): boolean {
  if (character !== zeroWidthJoiner && character !== zeroWidthNonJoiner) return false;
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + 1, index + 3);
  if (joiningLetter.test(before)) return true;
  return character === zeroWidthJoiner && emojiAtEnd.test(before) && emojiAtStart.test(after);
}

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
