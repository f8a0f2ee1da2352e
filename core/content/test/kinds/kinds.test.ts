import type { FieldOptions } from '@gantry/plugin-api';
import { LosslessNumber } from 'lossless-json';
import { parseJson } from '@gantry/core-common';
import { parsePayload } from '../../src/write/values/payload';
import { compileField, compileFields } from '../../../../test/support/content/declare-type';

/** A black flag, the tags "gbsct" and the end of tags. */
const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';

/** Result of a field for a JSON value: the stored value, or the code of the refusal. */
function parse(options: Partial<FieldOptions>, json: string): unknown {
  const field = compileField(options);
  const result = field.kind.parse(parseJson(json), field);
  return result.ok ? result.value : result.code;
}

/** Result of a search for a criterion's text. */
function convert(options: Partial<FieldOptions>, text: string): unknown {
  const field = compileField(options);
  const result = field.kind.convert(text, field);
  return result.ok ? result.value : result.code;
}

const number = (column: string, more: Partial<FieldOptions> = {}): Partial<FieldOptions> => ({
  type: 'NUMBER',
  column,
  ...more,
});

describe('a number field reads', () => {
  it.each([
    ['SMALLINT', '32767', '32767'],
    ['SMALLINT', '32768', 'OUT_OF_RANGE'],
    ['SMALLINT', '-32768', '-32768'],
    ['SMALLINT', '-32769', 'OUT_OF_RANGE'],
    ['INTEGER', '2147483647', '2147483647'],
    ['INTEGER', '2147483648', 'OUT_OF_RANGE'],
    ['INTEGER', '-2147483648', '-2147483648'],
    ['INTEGER', '-2147483649', 'OUT_OF_RANGE'],
    ['INTEGER', '1.0', '1'],
    ['INTEGER', '1.5', 'WRONG_TYPE'],
    ['BIGINT', '9223372036854775807', '9223372036854775807'],
    ['BIGINT', '9223372036854775808', 'OUT_OF_RANGE'],
    ['BIGINT', '-9223372036854775808', '-9223372036854775808'],
    ['BIGINT', '-9223372036854775809', 'OUT_OF_RANGE'],
    ['NUMERIC(5,2)', '999.99', '999.99'],
    ['NUMERIC(5,2)', '999.990', '999.99'],
    ['NUMERIC(5,2)', '1000', 'OUT_OF_RANGE'],
    ['NUMERIC(5,2)', '0.001', 'OUT_OF_RANGE'],
    ['NUMERIC(5)', '1.5', 'OUT_OF_RANGE'],
    ['NUMERIC', '1e300', `1${'0'.repeat(300)}`],
    ['NUMERIC', '1e1001', 'OUT_OF_RANGE'],
    ['DOUBLE PRECISION', '1.7976931348623157e308', `17976931348623157${'0'.repeat(292)}`],
    ['DOUBLE PRECISION', '1.8e308', 'OUT_OF_RANGE'],
    ['DOUBLE PRECISION', '5e-324', `0.${'0'.repeat(323)}5`],
    ['DOUBLE PRECISION', '2e-324', 'OUT_OF_RANGE'],
    ['REAL', '3.4028234e38', `34028234${'0'.repeat(31)}`],
    ['REAL', '3.5e38', 'OUT_OF_RANGE'],
    ['REAL', '1e-46', 'OUT_OF_RANGE'],
    ['FLOAT(24)', '1e39', 'OUT_OF_RANGE'],
    ['FLOAT(53)', '1e39', `1${'0'.repeat(39)}`],
    ['INTEGER', '"1"', 'WRONG_TYPE'],
    ['INTEGER', 'true', 'WRONG_TYPE'],
    ['INTEGER', '[]', 'WRONG_TYPE'],
    ['INTEGER', '{}', 'WRONG_TYPE'],
  ])('%s %s as %s', (column, json, expected) => {
    expect(parse(number(column), json)).toBe(expected);
  });

  it('keeps to the bounds that are declared, exactly', () => {
    const bounded = number('NUMERIC', { min: '0.1', max: 5 });
    expect(
      ['0.1', '0.09999999999999999999', '5', '5.00000000000000000001'].map((json) => parse(bounded, json)),
    ).toEqual(['0.1', 'OUT_OF_RANGE', '5', 'OUT_OF_RANGE']);
  });
});

describe('a search for a number converts', () => {
  it.each([
    ['INTEGER', ' 12 ', '12'],
    ['INTEGER', '1e2', '100'],
    ['INTEGER', '-0', '0'],
    ['INTEGER', '1.5', 'WRONG_TYPE'],
    ['INTEGER', '2147483648', 'OUT_OF_RANGE'],
    ['INTEGER', 'abc', 'WRONG_TYPE'],
    ['INTEGER', 'NaN', 'WRONG_TYPE'],
    ['INTEGER', 'Infinity', 'WRONG_TYPE'],
    ['NUMERIC(5,2)', '999.12345', '999.12345'],
    ['NUMERIC(5,2)', '1000', 'OUT_OF_RANGE'],
    ['NUMERIC(5,2)', '-1e400', 'OUT_OF_RANGE'],
    ['NUMERIC', '1e400', `1${'0'.repeat(400)}`],
    ['DOUBLE PRECISION', '1e400', 'OUT_OF_RANGE'],
    ['REAL', '1e39', 'OUT_OF_RANGE'],
  ])('%s %j to %s', (column, text, expected) => {
    expect(convert(number(column), text)).toBe(expected);
  });

  it('takes no notice of the bounds of input', () => {
    expect(convert(number('INTEGER', { min: 1, max: 5 }), '17')).toBe('17');
  });
});

describe('a text field reads', () => {
  it.each([
    [{}, '"a"', 'a'],
    [{}, '""', ''],
    [{}, '1', 'WRONG_TYPE'],
    [{}, 'false', 'WRONG_TYPE'],
    [{ maxLength: 2 }, '"𝒳𝒳"', '𝒳𝒳'],
    [{ maxLength: 2 }, '"𝒳𝒳𝒳"', 'TOO_LONG'],
    [{}, '"\\u0000"', 'CHARACTER'],
    [{}, '"\\ud800"', 'CHARACTER'],
    [{}, '"\\ud83d\\ude00"', '😀'],
    [{ options: ['a', 'b'] }, '"b"', 'b'],
    [{ options: ['a', 'b'] }, '"B"', 'NOT_AN_OPTION'],
    [{ pattern: 'a|b' }, '"ab"', 'PATTERN'],
    [{ type: 'TEXT', pattern: 'a.c' }, '"a\\nc"', 'PATTERN'],
    [{ type: 'TEXT', pattern: '\\d+' }, '"1\\n"', 'PATTERN'],
  ] as const)('%j %s as %s', (options, json, expected) => {
    expect(parse(options, json)).toBe(expected);
  });

  it.each([
    ['a decomposed letter', {}, 'e\u0301', '\u00e9'],
    ['blanks at its ends', {}, ' a ', ' a '],
    ['blanks at its ends, trimmed', { trim: true }, '\u00a0 a b\u3000', 'a b'],
    ['a control character', {}, 'a\u0001', 'U+0001'],
    ['a delete character', {}, 'a\u007f', 'U+007F'],
    ['a tab', {}, 'a\tb', 'U+0009'],
    ['a line break', {}, 'a\nb', 'U+000A'],
    ['a line separator', {}, 'a\u2028b', 'U+2028'],
    ['a right-to-left override', {}, 'a\u202eb', 'U+202E'],
    ['a right-to-left mark', {}, 'a\u200f', 'U+200F'],
    ['a zero-width space', {}, 'a\u200bb', 'U+200B'],
    ['a word joiner', {}, 'a\u2060b', 'U+2060'],
    ['a byte order mark', {}, '\ufeffa', 'U+FEFF'],
    ['a soft hyphen', {}, 'a\u00adb', 'U+00AD'],
    ['a Hangul filler', {}, 'a\u3164', 'U+3164'],
    ['a tag', {}, 'a\u{e0041}', 'U+E0041'],
    ['a joiner between Latin letters', {}, 'a\u200db', 'U+200D'],
    ['a joiner between emoji', {}, '👩🏽\u200d🚀', '👩🏽\u200d🚀'],
    ['a joiner after a variation selector', {}, '🏳\ufe0f\u200d🌈', '🏳\ufe0f\u200d🌈'],
    ['a non-joiner between Arabic letters', {}, 'می\u200cخواهم', 'می\u200cخواهم'],
    ['an annotation between lines', {}, 'a\ufff9b', 'U+FFF9'],
    ['the end of an annotation', {}, 'a\ufffb', 'U+FFFB'],
    ['a noncharacter', {}, 'a\ufdd0', 'U+FDD0'],
    ['the noncharacter at the end of a plane', {}, 'a\ufffe', 'U+FFFE'],
    ['the last noncharacter', {}, 'a\u{10ffff}', 'U+10FFFF'],
    ['a character for private use', {}, '\ue000\u{10fffd}', '\ue000\u{10fffd}'],
    ['a blank Braille pattern between others', {}, '⠓⠊\u2800⠽', '⠓⠊\u2800⠽'],
    ['only a blank Braille pattern, required', { required: true }, '\u2800', 'REQUIRED'],
    ['only a variation selector, required', { required: true }, '\ufe0f', 'REQUIRED'],
    ['only a zero-width space in TEXT, required', { type: 'TEXT', required: true }, '\u200b\n', 'REQUIRED'],
    ['a blank Braille pattern in a key', { trim: true }, '\u2800', 'U+2800'],
    ['a musical symbol without ink in a key', { trim: true }, '\u{1d159}', 'U+1D159'],
    ['another space in a key', { trim: true }, 'a\u00a0b', 'U+00A0'],
    ['another space', {}, 'a\u00a0b', 'a\u00a0b'],
    ['an emoji with a skin colour', { trim: true }, '👍🏽', '👍🏽'],
    ['a family', {}, '👨\u200d👩\u200d👧\u200d👦', '👨\u200d👩\u200d👧\u200d👦'],
    ['a heart as emoji', {}, '❤\ufe0f', '❤\ufe0f'],
    ['a heart on fire', {}, '❤\ufe0f\u200d🔥', '❤\ufe0f\u200d🔥'],
    ['a keycap', {}, '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    ['the flag of a country', { trim: true }, '🇯🇵', '🇯🇵'],
    ['the flag of Scotland', {}, `${scotland}!`, `${scotland}!`],
    ['the flag of Scotland in a key', { trim: true }, scotland, 'U+E0067'],
    ['tags of a flag without an end', {}, scotland.slice(0, -2), 'U+E0067'],
    ['tags after a flag', {}, `${scotland}\u{e0041}`, 'U+E0041'],
    ['Arabic with vowel marks', { trim: true }, 'مُحَمَّد', 'مُحَمَّد'.normalize('NFC')],
    ['Hebrew with points', { trim: true }, 'שָׁלוֹם', 'שָׁלוֹם'.normalize('NFC')],
    ['Arabic next to Latin letters', { trim: true }, 'SKU-١٢٣ كتاب', 'SKU-١٢٣ كتاب'],
    ['a joiner after a virama', {}, 'क्\u200dष', 'क्\u200dष'],
    ['a non-joiner after a virama', {}, 'क्\u200cष', 'क्\u200cष'],
    ['a joiner before a virama, in Bengali', {}, 'র\u200d্য', 'র\u200d্য'],
    ['a joiner in Sinhala', {}, 'ශ්\u200dරී', 'ශ්\u200dරී'],
    ['a joiner in Malayalam', {}, 'ന്\u200d', 'ന്\u200d'],
    ['a vowel separator in Mongolian', {}, 'ᠬᠠᠷ\u180eᠠ', 'ᠬᠠᠷ\u180eᠠ'],
    ['a vowel separator in Latin', {}, 'a\u180eb', 'U+180E'],
    ['Vietnamese, decomposed', { trim: true }, 'Vie\u0323\u0302t', 'Việt'],
    ['an annotation in TEXT', { type: 'TEXT' }, '\ufff9a\ufffab\ufffb', 'U+FFF9'],
    ['a noncharacter in TEXT', { type: 'TEXT' }, 'a\u{1fffe}', 'U+1FFFE'],
    ['an object in TEXT', { type: 'TEXT' }, 'a\ufffc\ufffd', 'a\ufffc\ufffd'],
    ['a joiner between emoji, in a key', { trim: true }, '👩\u200d🚀', 'U+200D'],
    ['a variation selector in a key', { trim: true }, 'a\ufe0f', 'U+FE0F'],
    ['combining marks', {}, `a${'\u0316'.repeat(30)}`, `a${'\u0316'.repeat(30)}`],
    ['very many combining marks', {}, `a${'\u0301'.repeat(31)}`, 'more than 30'],
    [
      'tabs, line breaks and format characters in TEXT',
      { type: 'TEXT' },
      'a\t\r\n\u202e\u200d\u200b',
      'a\t\r\n\u202e\u200d\u200b',
    ],
    ['a decomposed letter in TEXT', { type: 'TEXT' }, 'o\u0308', 'ö'],
    ['a control character in TEXT', { type: 'TEXT' }, 'a\u001b', 'U+001B'],
    ['very many combining marks in TEXT', { type: 'TEXT' }, '\u0301'.repeat(400_000), 'more than 30'],
    ['a decomposed letter in an IMAGE', { type: 'IMAGE' }, '/e\u0301.png', '/e\u0301.png'],
    ['a zero-width space in an IMAGE', { type: 'IMAGE' }, '/a\u200b.png', 'U+200B'],
  ] as const)('%s', (_what, options, text, expected) => {
    const { values, problems } = parsePayload(compileFields({ value: options }), { value: text }, 'create');

    const [problem] = problems;
    expect(values.get('value') ?? `${problem?.code} ${problem?.message}`).toContain(expected);
  });

  it('and searches in the form in which it stores', () => {
    expect(convert({}, 'e\u0301\u200b')).toBe('\u00e9\u200b');
    expect(convert({ type: 'IMAGE' }, '/e\u0301')).toBe('/e\u0301');
  });

  it('and searches with any text but what cannot be stored', () => {
    expect([' a ', 'x'.repeat(300), '\u0000', '\udfff'].map((text) => convert({ maxLength: 5 }, text))).toEqual([
      ' a ',
      'x'.repeat(300),
      'CHARACTER',
      'CHARACTER',
    ]);
  });
});

describe('an image field', () => {
  it.each(['https://e.org/a.png', 'HTTP://e.org', '/a/b.png', '/'])('takes %s', (address) => {
    expect(parse({ type: 'IMAGE' }, JSON.stringify(address))).toBe(address);
  });

  it.each([
    '',
    'a.png',
    '//e.org/a.png',
    '/\\e.org',
    '\\\\e.org',
    'https://',
    'https:///x',
    'https://e.org/a b',
    'javascript:x',
    'data:,x',
    'ftp://e.org',
  ])('refuses %j', (address) => {
    expect(parse({ type: 'IMAGE' }, JSON.stringify(address))).toBe('IMAGE_ADDRESS');
  });
});

describe('a boolean field', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['"true"', 'WRONG_TYPE'],
    ['1', 'WRONG_TYPE'],
  ])('reads %s as %s', (json, expected) => {
    expect(parse({ type: 'BOOLEAN' }, json)).toBe(expected);
  });

  it.each([
    ['true', true],
    [' FALSE ', false],
    ['yes', 'WRONG_TYPE'],
    ['1', 'WRONG_TYPE'],
  ])('is searched by %j as %s', (text, expected) => {
    expect(convert({ type: 'BOOLEAN' }, text)).toBe(expected);
  });
});

describe('a reference', () => {
  const one = { type: 'REFERENCE', targetEntity: 'other.Thing' } as const;
  const many = { ...one, cardinality: 'MULTIPLE' } as const;

  it.each([
    ['1', '1'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', 'WRONG_TYPE'],
    ['0', 'WRONG_TYPE'],
    ['-1', 'WRONG_TYPE'],
    ['1.0', 'WRONG_TYPE'],
    ['1e1', 'WRONG_TYPE'],
    ['"1"', 'WRONG_TYPE'],
    ['{"id":1}', 'WRONG_TYPE'],
    ['[1]', 'WRONG_TYPE'],
  ])('reads %s as %s', (json, expected) => {
    expect(parse(one, json)).toBe(expected);
  });

  it.each([
    ['[]', []],
    ['[3,1,2]', ['3', '1', '2']],
    ['[1,2,1]', 'DUPLICATE'],
    ['[1,null]', 'WRONG_TYPE'],
    ['[1,"2"]', 'WRONG_TYPE'],
    ['1', 'WRONG_TYPE'],
    [JSON.stringify(Array.from({ length: 1001 }, (_, index) => index + 1)), 'TOO_MANY'],
  ])('to many reads %s as %j', (json, expected) => {
    expect(parse(many, json)).toEqual(expected);
  });

  it('is searched by the id of the target', () => {
    expect([' 5 ', 'x', '05', '1.0'].map((text) => convert(one, text))).toEqual([
      '5',
      'WRONG_TYPE',
      'WRONG_TYPE',
      'WRONG_TYPE',
    ]);
  });
});

describe('a number', () => {
  it('takes no object for a number because it looks like one', () => {
    const field = compileField(number('INTEGER'));
    expect(field.kind.parse({ value: '1', isLosslessNumber: true }, field).ok).toBe(false);
    expect(field.kind.parse(new LosslessNumber('1'), field).ok).toBe(true);
  });
});
