import { hasVersion, parseIfMatch, parsePrecondition } from '../../src/exchange/input/preconditions';

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
    ['"a, b"', ['a, b']],
  ])('reads %s as %j', (header, expected) => {
    expect(parseIfMatch(header)).toEqual(expected);
  });

  it.each([
    '',
    ' ',
    'abc',
    '"3',
    '3"',
    '-1',
    '3.0',
    '3, 4',
    '"3" "4"',
    '"3",',
    ',"3"',
    'w/"3"',
    '*, "3"',
    '""',
    'W/""',
    '"3", ""',
  ])('refuses %j', (header) => {
    expect(() => parseIfMatch(header)).toThrow(/^If-Match .*in quotes/);
  });

  it('is quick with what never ends', () => {
    expect(() => parseIfMatch(`${'"1",'.repeat(4_000)}x`)).toThrow('If-Match');
  });
});

describe('parsePrecondition', () => {
  it.each([
    [{}, {}],
    [
      { 'if-match': '"3"', 'if-none-match': '"4"' },
      { expected: ['3'], excluded: ['4'] },
    ],
    [{ 'if-none-match': ' * ' }, { excluded: ['*'] }],
    [{ 'if-none-match': 'W/"3", "4"' }, { excluded: ['3', '4'] }],
    [{ 'if-none-match': '"*"' }, { excluded: [] }],
  ])('reads %j as %j', (headers, expected) => {
    expect(parsePrecondition(headers)).toEqual(expected);
  });

  it.each(['', '3', '"3', '*, "3"'])('refuses If-None-Match: %j', (header) => {
    expect(() => parsePrecondition({ 'if-none-match': header })).toThrow(/^If-None-Match .*in quotes/);
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
    ['"*"', false],
  ])('of If-None-Match %s is %s for version 3', (header, expected) => {
    expect(hasVersion(header, 3)).toBe(expected);
  });
});
