/** Characters that are read: a slug is far shorter. */
const maxRead = 2_000;

const maxLength = 200;

/** Latin letters that are no letter with a mark. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};

/** The text as words of a-z and 0-9 with hyphens between them; empty where it has no such letter or digit. */
export function slugOf(text: string): string {
  return text
    .slice(0, maxRead)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðłþħıŋŧ]/g, (letter) => letters[letter] ?? '')
    .replace(/(?<=[a-z])['’](?=[a-z])/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, maxLength)
    .replace(/-+$/, '');
}
