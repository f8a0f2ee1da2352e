import { hasCommonWords, shortened, wordDifference } from '../src/content/history/word-difference';

/** `-removed-`, `+added+`. */
function marked(before: string, after: string): string {
  const marks = { same: '', removed: '-', added: '+' } as const;
  return wordDifference(before, after)
    .map(({ kind, text }) => `${marks[kind]}${text}${marks[kind]}`)
    .join('');
}

describe('the difference of two texts', () => {
  it.each([
    ['a sturdy spade', 'a strong spade', 'a -sturdy-+strong+ spade'],
    ['Ten tools', 'Ten tools for a garden', 'Ten tools+ for a garden+'],
    ['one two', 'three four', '-one two-+three four+'],
    ['same', 'same', 'same'],
    ['', 'new', '+new+'],
    ['24.90 kg', '24.95 kg', '-24.90-+24.95+ kg'],
    ['東京の天気', '京都の天気', '-東-京+都+の天気'],
  ])('of %j and %j is in whole words', (before, after, difference) => {
    expect(marked(before, after)).toBe(difference);
  });

  it('gives both texts back', () => {
    const [before, after] = ['The quick  brown fox.\nIt jumps.', 'The slow brown  fox!\n\nIt sleeps.'];
    const parts = wordDifference(before, after);
    const textOf = (other: string) =>
      parts
        .filter(({ kind }) => kind !== other)
        .map(({ text }) => text)
        .join('');

    expect(textOf('added')).toBe(before);
    expect(textOf('removed')).toBe(after);
  });

  it('of texts that have almost nothing in common is found soon', () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 20_000 }, (_, index) => `${letter}${index}`).join(' '),
    );
    const parts = wordDifference(before ?? '', after ?? '');

    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
    expect(hasCommonWords(parts)).toBe(false);
  });

  it('is shortened to what is next to the changes, at whole words', () => {
    const long = 'word '.repeat(100);
    const parts = shortened(wordDifference(`${long}old ${long}`, `${long}new ${long}`), 12);

    expect(parts).toEqual([
      { kind: 'same', text: '… word word ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' word word …' },
    ]);
  });
});
