import { isGantryError } from '@gantry/plugin-api';
import { isLosslessNumber } from 'lossless-json';
import { isJsonObject, parseJson, withPlainNumbers } from '../../src/items/json';

function refusal(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (isGantryError(error) && error.code === 'BAD_REQUEST') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('parseJson', () => {
  it('keeps every digit of a number', () => {
    const parsed = parseJson('{"a":12345678901234567890.10}') as Record<string, unknown>;
    expect(isLosslessNumber(parsed['a']) && parsed['a'].value).toBe('12345678901234567890.10');
  });

  it('makes __proto__ a key like any other', () => {
    const parsed = parseJson('{"__proto__":{"polluted":true},"constructor":1}') as object;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor']);
    expect('polluted' in parsed).toBe(false);
  });

  it('takes a key twice only with the same value', () => {
    expect(refusal('{"a":1,"a":1}')).toBe('accepted');
    expect(refusal('{"a":1,"a":2}')).toBe("The body is not valid JSON: Duplicate key 'a' encountered at position 8.");
    expect(refusal('{"a":1,"\\u0061":2}')).toContain("Duplicate key 'a'");
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    'undefined',
    'NaN',
    '-',
    '01',
    '"\t"',
    '"\\x41"',
    '// c\n1',
    '1 2',
    '\ufeff1',
  ])('refuses %j and says why', (text) => {
    expect(refusal(text)).toMatch(/^The body is not valid JSON: .+\.$/);
  });

  it('refuses what is nested too deeply without descending into it', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(refusal(nested(64))).toBe('accepted');
    expect(refusal(nested(65))).toBe('The JSON body is nested more than 64 levels deep.');
    expect(refusal('['.repeat(1_000_000))).toBe('The JSON body is nested more than 64 levels deep.');
    expect(refusal(`{"a":${'{"a":'.repeat(10_000)}1`)).toBe('The JSON body is nested more than 64 levels deep.');
  });

  it('counts no brackets within text', () => {
    expect(refusal(JSON.stringify({ text: `${'['.repeat(200)}\\"${'{'.repeat(200)}` }))).toBe('accepted');
  });

  it('shows no more than the beginning of a bad text', () => {
    expect(refusal(`{"${'x'.repeat(5_000)}":1,"${'x'.repeat(5_000)}":2}`).length).toBeLessThan(300);
  });
});

describe('isJsonObject', () => {
  it.each([
    ['{}', true],
    ['[]', false],
    ['null', false],
    ['1', false],
    ['"a"', false],
  ])('says of %s %s', (text, expected) => {
    expect(isJsonObject(parseJson(text))).toBe(expected);
  });
});

describe('withPlainNumbers', () => {
  it('gives ordinary values, with every key', () => {
    const plain = withPlainNumbers(parseJson('{"a":[1.5,{"b":-2}],"__proto__":{"c":3}}'));
    expect(JSON.stringify(plain)).toBe('{"a":[1.5,{"b":-2}],"__proto__":{"c":3}}');
  });
});
