import fc from 'fast-check';
import { normalizeText } from '../../src/kinds/text-characters';

/** Combining marks of one code unit and of two, and characters that are none. */
const characters = ['\u0301', '\u0316', '\u20d0', '\ufe20', '\u{1d165}', '\u{1e8d0}', '\u{11f00}'].concat(
  'a',
  '漢',
  '😀',
);

describe('combining marks in a row', () => {
  it('are accepted up to 30 and refused from 31, wherever they are', () => {
    const run = fc.tuple(fc.constantFrom(...characters), fc.integer({ min: 1, max: 34 }));
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 12 }), (runs) => {
        const text = runs.map(([character, count]) => character.repeat(count)).join('');
        expect(normalizeText(text, 'lines').ok).toBe(!/\p{M}{31}/u.test(text));
      }),
      { numRuns: 1_000, seed: 7 },
    );
  });

  it.each([
    ['of one code unit', '\u0316'],
    ['of two code units', '\u{1d165}'],
  ])('of which there are exactly 30 and 31 are distinguished at every place, %s', (_name, mark) => {
    for (let before = 0; before < 70; before += 1) {
      const text = (count: number) => `${'x'.repeat(before)}${mark.repeat(count)}${'x'.repeat(40)}`;
      expect([before, normalizeText(text(30), 'lines').ok]).toEqual([before, true]);
      expect([before, normalizeText(text(31), 'lines').ok]).toEqual([before, false]);
    }
  });
});
