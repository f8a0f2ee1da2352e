import { isLosslessNumber, parse as parseWithLibrary, stringify } from 'lossless-json';
import { isJsonObject, JsonTextError, numberText, parseJson, withPlainNumbers } from '../src/text/json';

function refusal(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  }
  return 'accepted';
}

/** Numbers as their text, so that a JavaScript number and the same one with its digits kept are equal. */
function exactly(_key: string, value: unknown): unknown {
  return numberText(value) ?? value;
}

describe('parseJson', () => {
  it('keeps every digit of a number', () => {
    const parsed = parseJson('{"a":12345678901234567890.10}') as Record<string, unknown>;
    expect(isLosslessNumber(parsed['a']) && parsed['a'].value).toBe('12345678901234567890.10');
  });

  it.each([
    ['0', true],
    ['-1.5', true],
    ['9007199254740991', true],
    ['1e+21', true],
    ['-0', false],
    ['24.90', false],
    ['1e5', false],
    ['9007199254740993', false],
    ['0.1234567890123456789', false],
    ['1e400', false],
    ['9'.repeat(400), false],
  ])('keeps %s as it is written, as a JavaScript number: %s', (text, isPlain) => {
    const [value] = parseJson(`[${text}]`) as readonly unknown[];
    expect(typeof value === 'number').toBe(isPlain);
    expect(numberText(value)).toBe(text);
  });

  it.each([
    '{"24.90":"24.90","a":[24.90,"24.90",{"b":1e5}],"c":-0}',
    String.raw`[1.0,"\\",2.0,"\\\"",3.0,"3.0\\\\",4.0,"\"5.0",6.0]`,
    '{"__proto__":1.0,"constructor":{"__proto__":2.0},"":3.0}',
    ' {"a" : 1.0 , "b"\n:\t[ ] , "c":{ }, "d":[true,false,null,1E5] } ',
    String.raw`{"\u0061":1.0,"b":"\ud83d\ude00 1.0"}`,
    '1.0',
    '[[[[1.0]]],[1.0]]',
  ])('reads %s as the library does that keeps all digits', (text) => {
    const read = JSON.stringify(parseJson(text), exactly);
    expect(read).toBe(JSON.stringify(parseWithLibrary(text), exactly));
    expect(stringify(parseJson(text))).toBe(stringify(parseWithLibrary(text)));
  });

  it('makes __proto__ a key like any other', () => {
    const parsed = parseJson('{"__proto__":{"polluted":true},"constructor":1}') as object;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor']);
    expect('polluted' in parsed).toBe(false);
  });

  it('takes a key twice only with the same value', () => {
    expect(refusal('{"a":1,"a":1}')).toBe('accepted');
    expect(refusal('{"a":{"b":[1,"x"]},"c":{"a":1},"a":{"b":[1,"x"]}}')).toBe('accepted');
    expect(refusal('{"a":1,"a":2}')).toMatch(/ key 'a' .* position 7\.$/);
    expect(refusal('{"a":1,"\\u0061":2}')).toContain(" key 'a'");
    expect(refusal('{"__proto__":1,"__proto__":2}')).toContain(" key '__proto__'");
    expect(refusal('[{"x":{"a":1}},{"x":{"a":1,"b":"}","a":{}}}]')).toContain(" key 'a'");
    expect(refusal('[{"a":1},{"a":2,"b":{"a":3}}]')).toBe('accepted');
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
    '1.0 2.0',
    '{1.0:2.0}',
    '{1.0 :2}',
    '"a"1.0',
    '01.0',
    '1.0e',
    '[-.50]',
    '\ufeff1',
  ])('refuses %j and says why', (text) => {
    expect(refusal(text)).toMatch(/not valid JSON: .+\.$/);
  });

  it('refuses what is nested too deeply without descending into it', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(refusal(nested(64))).toBe('accepted');
    expect(refusal(nested(65))).toContain(' 64 levels');
    expect(refusal('['.repeat(1_000_000))).toContain(' 64 levels');
    expect(refusal(`{"a":${'{"a":'.repeat(10_000)}1`)).toContain(' 64 levels');
  });

  it('refuses more than fifty thousand values without reading on', () => {
    expect(refusal(`[${'0,'.repeat(49_998)}0]`)).toBe('accepted');
    for (const part of ['0', '1.0', '""', '[]', '{}']) {
      expect(refusal(`[${`${part},`.repeat(50_000)}0]`)).toContain('50,000 values');
    }
  });

  it('refuses more than twenty thousand keys in all objects together', () => {
    const keys = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
    expect(refusal(`[{${keys(9_999)}},{"a":{${keys(10_000)}}}]`)).toBe('accepted');
    expect(refusal(`{${keys(20_000)}}`)).toBe('accepted');
    for (const text of [`{${keys(20_001)}}`, `[{${keys(10_000)}},{"a":{${keys(10_000)}}}]`]) {
      expect(refusal(text)).toContain('20,000 keys');
    }
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
