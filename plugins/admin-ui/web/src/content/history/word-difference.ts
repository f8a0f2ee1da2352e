import { diffArrays } from 'diff';

/** A part of two texts: in both, or in one of them only. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Texts that differ in more words than these are shown one after the other. */
const maxDifferences = 400;

/**
 * A sign of a script that is written without spaces, a word or number with what is within it, spaces, or any other character.
 * Not Intl.Segmenter: browsers copy the whole text for each word that it finds.
 */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+(?:[.,'’_-][\p{L}\p{N}\p{M}]+)*|\s+|./gsu;

/**
 * How two texts differ, word by word, in the order in which a person reads it: what was removed comes before what was added
 * in its stead. Spaces alone do not divide a change in two.
 */
export function wordDifference(before: string, after: string): readonly TextPart[] {
  const found = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxDifferences });
  const parts: readonly TextPart[] =
    found === undefined
      ? [
          { kind: 'removed', text: before },
          { kind: 'added', text: after },
        ]
      : found.map(({ added, removed, value }) => ({
          kind: added ? 'added' : removed ? 'removed' : 'same',
          text: value.join(''),
        }));
  return joined(parts);
}

/** Whether the texts have a word in common, so that it helps to see them as one. */
export function hasCommonWords(parts: readonly TextPart[]): boolean {
  return parts.some(({ kind, text }) => kind === 'same' && /[\p{L}\p{N}]/u.test(text));
}

/** The same with long stretches that did not change shortened: what is next to a change stays. */
export function shortened(parts: readonly TextPart[], kept = 60): readonly TextPart[] {
  return parts.map((part, index) => {
    if (part.kind !== 'same' || part.text.length <= 2 * kept + 20) return part;
    const head = index === 0 ? '' : part.text.slice(0, kept).replace(/\S*$/, '');
    const tail = index === parts.length - 1 ? '' : part.text.slice(-kept).replace(/^\S*/, '');
    return { kind: 'same', text: `${head}…${tail}` };
  });
}

function wordsOf(text: string): string[] {
  return text.match(words) ?? [];
}

/** Each run of changes as one removal and one addition; spaces between two changes belong to both. */
function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const result: TextPart[] = [];
  let [removed, added] = ['', ''];
  const finish = (): void => {
    if (removed !== '') result.push({ kind: 'removed', text: removed });
    if (added !== '') result.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const [index, { kind, text }] of parts.entries()) {
    const isBetween = (removed !== '' || added !== '') && index < parts.length - 1;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (isBetween && /^\s+$/.test(text)) [removed, added] = [removed + text, added + text];
    else {
      finish();
      result.push({ kind, text });
    }
  }
  finish();
  return result;
}
