import type { ItemMetadata } from '@gantry/contracts';
import { choiceText } from '../src/content/choice-text';
import { localNumber } from '../src/content/kinds/number/digits';
import { availableColumns, labelImage, linkColumnOf } from '../src/content/list/columns';

const fields = [
  { name: 'image', displayName: 'Image', type: 'IMAGE' },
  { name: 'codeImage', displayName: 'Barcode', type: 'IMAGE' },
  { name: 'code', displayName: 'Code', type: 'STRING' },
  { name: 'name', displayName: 'Name', type: 'STRING' },
  { name: 'price', displayName: 'Price', type: 'NUMBER' },
] as const;

const metadata: ItemMetadata = {
  code: 'thing',
  displayName: 'Thing',
  displayNamePlural: 'Things',
  columnShown: [],
  searchable: [],
  readOnly: false,
  fields: fields.map((field) => ({ ...field, required: false, editableOnUpdate: true, placeholder: '' })),
};

const columnsOf = (...names: readonly string[]) =>
  names.flatMap((name) => availableColumns(metadata).find((column) => column.name === name) ?? []);
const drawnByNoPlugin = () => false;

describe('the table of items', () => {
  it('leads to an item by the first column in sight that can be its label, and by its id without one', () => {
    expect(linkColumnOf(columnsOf('codeImage', 'price', 'name', 'code'), drawnByNoPlugin)).toBe('name');
    expect(linkColumnOf(columnsOf('price', 'codeImage'), drawnByNoPlugin)).toBe('id');
  });

  it('leads by the id where a plugin draws the cells of the label', () => {
    expect(linkColumnOf(columnsOf('code', 'name'), ({ name }) => name === 'code')).toBe('id');
  });

  it('shows the first image beside the label, unless a column shows one', () => {
    expect(labelImage(metadata, columnsOf('code'))).toBe('image');
    expect(labelImage(metadata, columnsOf('code', 'codeImage'))).toBeUndefined();
  });
});

describe('a choice reads', () => {
  it.each([
    ['NOT_PAID', 'Not paid'],
    ['CHECK', 'Check'],
    ['green', 'Green'],
    ['iPhone', 'IPhone'],
    ['A', 'A'],
    ['4711', '4711'],
  ])('%s as %s', (option, text) => {
    expect(choiceText(option)).toBe(text);
  });
});

describe('a number reads', () => {
  const separators = { group: '.', decimal: ',' };
  it.each([
    ['1911.4711', '1911,4711'],
    ['19114.50', '19.114,50'],
    ['-9007199254740993', '-9.007.199.254.740.993'],
    ['1e+21', '1e+21'],
  ])('%s as %s with every digit', (text, shown) => {
    expect(localNumber(text, separators)).toBe(shown);
  });
});
