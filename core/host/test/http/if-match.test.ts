import { hasVersion, parseIfMatch } from '../../src/http/if-match';

describe('parseIfMatch', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    ['"3"', ['3']],
    ['3', ['3']],
    ['"3", "4"', ['3', '4']],
    ['"3","4" , "5"', ['3', '4', '5']],
    ['W/"3"', ['W/"3"']],
    ['""', ['']],
    ['"a, b"', ['a, b']],
  ])('reads %s as %j', (header, expected) => {
    expect(parseIfMatch(header)).toEqual(expected);
  });

  it.each(['', ' ', 'abc', '"3', '3"', '-1', '3.0', '3, 4', '"3" "4"', '"3",', ',"3"', 'w/"3"', '*, "3"'])(
    'refuses %j',
    (header) => {
      expect(() => parseIfMatch(header)).toThrow('If-Match must be the version of the item in quotes');
    },
  );

  it('is quick with what never ends', () => {
    expect(() => parseIfMatch(`${'"1",'.repeat(4_000)}x`)).toThrow('If-Match');
  });
});

describe('hasVersion', () => {
  it.each([
    [undefined, false],
    ['"3"', true],
    ['W/"3"', true],
    ['"2", "3"', true],
    ['*', true],
    ['"2"', false],
    ['"33"', false],
    ['3', false],
    ['"3', false],
    ['', false],
  ])('of If-None-Match %s is %s for version 3', (header, expected) => {
    expect(hasVersion(header, 3)).toBe(expected);
  });
});
