import type { FieldOptions } from '@gantry/plugin-api';
import { parsePayload } from '../../src/write/values/payload';
import { compileField, compileFields } from '../../../../test/support/content/declare-type';

/** All characters of the Basic Multilingual Plane, without the halves of surrogate pairs. */
const characters = Array.from({ length: 0x10000 }, (_character, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCharCode(code));

function patternOf(options: Partial<FieldOptions>): RegExp {
  const field = compileField(options);
  return new RegExp(String(field.kind.jsonSchema(field).pattern), 'u');
}

/** The texts on which the schema of a field and the validation differ, by what the schema says of them. */
function differences(options: Partial<FieldOptions>, texts: readonly string[]) {
  const type = compileFields({ value: options });
  const expression = patternOf(options);
  const isAccepted = (text: string): boolean => parsePayload(type, { value: text }, 'create').problems.length === 0;
  const wrong = texts.filter((text) => expression.test(text) !== isAccepted(text));
  return {
    onlySchemaRefuses: wrong.filter((text) => !expression.test(text)),
    onlySchemaAccepts: wrong.filter((text) => expression.test(text)),
  };
}

describe('the pattern of a text in the OpenAPI document', () => {
  it.each([
    ['TEXT', { type: 'TEXT' }, []],
    ['a required TEXT', { type: 'TEXT', required: true }, []],
    ['a STRING', {}, ['\u180e', '\u200c', '\u200d']],
    ['a required STRING', { required: true }, ['\u180e', '\u200c', '\u200d']],
    ['a key', { trim: true }, []],
    ['a required key', { trim: true, required: true }, []],
  ] as const)('of %s refuses what is refused, by each character', (_what, options, dependOnTheText) => {
    const alone = differences(options, characters);
    const within = differences(
      options,
      characters.map((character) => `a${character}b`),
    );

    expect(alone).toEqual({
      onlySchemaRefuses: [],
      onlySchemaAccepts: 'required' in options ? [] : dependOnTheText,
    });
    expect(within).toEqual({
      onlySchemaRefuses: [],
      onlySchemaAccepts: dependOnTheText.map((character) => `a${character}b`),
    });
  });

  it.each([
    [{ trim: true }, ['', ' ', ' a', 'a ', '\ta\n', 'a  b', ' a b ', 'a\tb', 'a \u00a0b', '\ufeffa b c\ufeff']],
    [{ trim: true, required: true }, ['', ' ', '\t\u3000', ' a', 'a  b ', 'a \n', 'a\u2800']],
    [{ required: true }, ['', '  ', '\u2800 ', '\ufe0f', ' a ', '\u200da', 'a\u2800b']],
    [{ type: 'TEXT', required: true }, ['', '\n\t ', '\u200b\u2060', '\u200ba', '\u0001', ' \ufffe', 'a\nb']],
  ] as const)('of %j says the same as the validation', (options, texts) => {
    expect(differences(options, texts).onlySchemaRefuses).toEqual([]);
    expect(differences(options, texts).onlySchemaAccepts).toEqual(texts.filter((text) => text === '\u200da'));
  });

  it.each([
    [{ trim: true }, `a${' '.repeat(50_000)}\t b`],
    [{ trim: true, required: true }, `${' '.repeat(50_000)}\u0001`],
    [{ type: 'TEXT', required: true }, `${'\u200b'.repeat(50_000)}\u0001`],
    [{ type: 'TEXT', required: true }, `${'a'.repeat(50_000)}\u0001`],
  ] as const)('of %j refuses a long text at once', (options, text) => {
    expect(patternOf(options).test(text)).toBe(false);
  });
});
