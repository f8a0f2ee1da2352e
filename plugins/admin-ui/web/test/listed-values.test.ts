import { listText, rangeText, withEntered } from '../src/content/list/rows/listed-values';

describe('several values of a criterion', () => {
  it('keep commas, and blanks as they were entered', () => {
    expect(listText(withEntered(['A, B'], ' {"a":1,"b":2}'))).toBe('["A, B"," {\\"a\\":1,\\"b\\":2}"]');
  });

  it('are none without a value, and have none twice', () => {
    expect(listText(withEntered([], ' '))).toBe('');
    expect(withEntered(['A'], 'A')).toEqual(['A']);
  });
});

describe('a range', () => {
  it.each([
    ['1', '', ''],
    ['', '9', ''],
    [' ', '9', ''],
    ['a,b', '9', '["a,b","9"]'],
  ])('from %j to %j is %j', (first, last, text) => {
    expect(rangeText(first, last)).toBe(text);
  });
});
