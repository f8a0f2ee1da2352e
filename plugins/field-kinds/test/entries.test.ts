import type { Field } from '@gantry/ui';
import { newEntry, readEntries, writeEntries } from '../web/src/entries';

const field = (name: string, type: string): Field => ({ name, type, displayName: name, required: false }) as Field;

const fields = [
  field('label', 'STRING'),
  field('n', 'NUMBER'),
  field('official', 'BOOLEAN'),
  field('price', 'field-kinds.Money'),
];

/** Sets a member of the first entry, and gives what is sent. */
const edited = (text: string, name: string, value: string | boolean): string => {
  const [first, ...others] = readEntries(text, fields, []);
  if (first === undefined) throw new Error('There is no entry.');
  return writeEntries([{ ...first, values: { ...first.values, [name]: value } }, ...others], fields);
};

describe('the entries of a list in a form', () => {
  it.each([
    '{"label":"b","n":0.0000001}',
    '{"label":"b","n":1e-7}',
    '{"label":"b","n":1.50}',
    '{"label":"b","n":-0.0}',
    '{"label":"b","n":12345678901234567890}',
    '{"label":"5","official":false}',
    '{"label":"","n":1}',
    '{"label":"a \\" \\\\ [1.0,{}]: 2.50","official":true}',
    '{"label":"b","price":{"amount":3.50,"currency":"EUR"}}',
    '{}',
  ])('are sent as they were received where another one was edited: %s', (entry) => {
    expect(edited(`[{"label":"x"},${entry}]`, 'label', 'changed')).toBe(`[{"label":"changed"},${entry}]`);
  });

  it('keep the other members of the one that was edited', () => {
    expect(edited('[{"label":"x","n":0.0000001,"price":{"amount":3.50,"currency":"EUR"}}]', 'label', 'y')).toBe(
      '[{"label":"y","n":0.0000001,"price":{"amount":3.50,"currency":"EUR"}}]',
    );
  });

  it.each([
    ['1e-7', '1e-7'],
    ['2.5E+3', '2.5E+3'],
    ['.5', '0.5'],
    ['+5', '5'],
    ['007.50', '7.50'],
    ['5.', '5'],
    ['12,5', '"12,5"'],
    ['1e', '"1e"'],
  ])('have a number that is typed as %s', (typed, sent) => {
    expect(edited('[{"label":"x"}]', 'n', typed)).toBe(`[{"label":"x","n":${sent}}]`);
  });

  it('lose a member that is cleared, and have no member that was never filled', () => {
    expect(edited('[{"label":"x","n":1}]', 'n', '')).toBe('[{"label":"x"}]');
    expect(writeEntries([newEntry([], fields)], fields)).toBe('[{"official":false}]');
  });
});
