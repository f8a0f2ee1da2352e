import { LosslessNumber } from 'lossless-json';
import type { TableColumn } from '../src/content/list/columns/columns';
import { plainNumber, shownNumber } from '../src/content/kinds/number/digits';
import { withFractions } from '../src/content/list/filter/number-digits';

describe('numbers in a list', () => {
  const price: TableColumn = { name: 'price', displayName: 'Price', type: 'NUMBER' };
  const shownAll = (...texts: readonly string[]): readonly string[] => {
    const items = texts.map((text) => ({ id: text, values: { price: new LosslessNumber(text) } }));
    const [column] = withFractions([price], items);
    return texts.map((text) => shownNumber(text, column?.fraction));
  };

  it('leaves out the zeros that end every value of a column, so that points are aligned', () => {
    expect(shownAll('39.9000', '12.5000', '34.9500')).toEqual(['39.90', '12.50', '34.95']);
  });

  it('leaves out the point when no value has anything behind it', () => {
    expect(shownAll('24.0000', '-18.0000')).toEqual(['24', '-18']);
  });

  it('never drops a digit that counts, and adds none', () => {
    expect(shownAll('0.0001', '12345678901234567890.1200', '7')).toEqual(['0.0001', '12345678901234567890.1200', '7']);
  });

  it('leaves out the zeros that end a number which is alone', () => {
    const shown = ['39.9000', '24.0000', '100', '0.0100'].map((text) => plainNumber(text));
    expect(shown).toEqual(['39.9', '24', '100', '0.01']);
  });

  it('keeps as many of them as the example of the field has, and never adds one', () => {
    const texts = ['39.9000', '24.0000', '100', '12.3450', '7.5'];
    const shown = texts.map((text) => plainNumber(text, { placeholder: '24.90' }));
    expect(shown).toEqual(['39.90', '24.00', '100', '12.345', '7.5']);
    expect(plainNumber('39.9000', { placeholder: 'Price' })).toBe('39.9');
  });

  it('leaves what is written in another way as it is', () => {
    expect(shownNumber('1.50e+30', 0)).toBe('1.50e+30');
    expect(shownNumber('', 2)).toBe('');
  });
});
