import type { ItemMetadata } from '@gantry/contracts';
import { choiceText } from '../src/content/choice-text';
import { localNumber } from '../src/content/kinds/number/digits';
import { fittingColumns, neededWidths } from '../src/content/list/columns/column-fit';
import {
  availableColumns,
  defaultColumns,
  inOrder,
  labelImage,
  linkColumnOf,
} from '../src/content/list/columns/columns';

const fields = [
  { name: 'image', displayName: 'Image', type: 'IMAGE' },
  { name: 'codeImage', displayName: 'Barcode', type: 'IMAGE' },
  { name: 'code', displayName: 'Code', type: 'STRING' },
  { name: 'name', displayName: 'Name', type: 'STRING' },
  { name: 'price', displayName: 'Price', type: 'NUMBER' },
] as const;

const field = (name: string) => ({
  ...{ name, displayName: name, type: 'STRING' as const },
  ...{ required: false, editableOnUpdate: true, placeholder: '' },
});

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
const columnsOfType = (type: ItemMetadata, ...names: readonly string[]) =>
  names.flatMap((name) => availableColumns(type).find((column) => column.name === name) ?? []);
const drawnByNoPlugin = () => false;
const namesOf = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);

describe('the table of items', () => {
  it('leads to an item by the first column in sight that can be its label, and by its id without one', () => {
    expect(linkColumnOf(metadata, columnsOf('codeImage', 'price', 'name', 'code'), drawnByNoPlugin)).toBe('name');
    expect(linkColumnOf(metadata, columnsOf('price', 'codeImage'), drawnByNoPlugin)).toBe('id');
  });

  it('leads by the heading that the type declares where it is in sight, or else by the label', () => {
    const type = { ...metadata, heading: 'name', labelField: 'price' };
    expect(linkColumnOf(type, columnsOf('code', 'name'), drawnByNoPlugin)).toBe('name');
    expect(linkColumnOf(type, columnsOf('code', 'price'), drawnByNoPlugin)).toBe('price');
  });

  it('leads by the id where a plugin draws the cells of the label', () => {
    expect(linkColumnOf(metadata, columnsOf('code', 'name'), ({ name }) => name === 'code')).toBe('id');
  });

  it('begins with what names an item, and ends with its id', () => {
    expect(namesOf(inOrder(columnsOf('code', 'price', 'name'), 'name'))).toEqual(['name', 'code', 'price', 'id']);
    expect(namesOf(inOrder(columnsOf('price'), 'id'))).toEqual(['id', 'price']);
  });

  it('has no column for the image that is beside the label', () => {
    const columnShown = fields.map((field, order) => ({ ...field, order }));
    expect(defaultColumns({ ...metadata, columnShown })).toEqual(['codeImage', 'code', 'name', 'price', 'createdAt']);
    const onlyImages = columnShown.slice(0, 2);
    expect(defaultColumns({ ...metadata, columnShown: onlyImages })).toEqual(['image', 'codeImage', 'createdAt']);
  });

  it('shows the first image beside the label, unless a column shows one', () => {
    expect(labelImage(metadata, columnsOf('code'))).toBe('image');
    expect(labelImage(metadata, columnsOf('code', 'codeImage'))).toBeUndefined();
  });
});

describe('the columns of a table', () => {
  const states = {
    ...metadata,
    fields: [...metadata.fields, { ...field('state'), options: ['NEW'], optionColors: {} }],
  };
  const columns = inOrder(columnsOfType(states, 'name', 'code', 'price', 'state', 'createdAt'), 'name');
  const widths = { code: 100, price: 100, state: 100, createdAt: 100, id: 100 };
  const fitting = (room: number) => namesOf(fittingColumns(states, columns, 'name', widths, room));

  it.each([
    [1_230, ['name', 'code', 'price', 'state', 'createdAt', 'id']],
    [1_229, ['name', 'code', 'price', 'state']],
    [700, ['name', 'code', 'price', 'state']],
    [520, ['name', 'code', 'state']],
    [400, ['name', 'state']],
    [300, ['name']],
  ])('that have room in %i pixels are %j', (room, expected) => {
    expect(fitting(room)).toEqual(expected);
  });

  it('are as wide as their values need, within limits', () => {
    const itemOf = (code: string, price: string) => ({ id: '1', values: { code, price } });
    const short = neededWidths(metadata, columnsOf('code', 'price'), [itemOf('A', '1')]);
    const long = neededWidths(metadata, columnsOf('code', 'price'), [itemOf('A'.repeat(300), '1234567.89')]);
    expect(short['code']).toBeLessThan(100);
    expect(long['code']).toBe(220);
    expect(long['price']).toBeGreaterThan(short['price'] ?? 0);
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
