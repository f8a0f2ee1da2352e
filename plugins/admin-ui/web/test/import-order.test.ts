import type { ItemMetadata } from '@gantry/contracts';
import { guessFields } from '../src/content/import/import-order';
import { problemText } from '../src/content/import/problem-text';

const metadata: ItemMetadata = {
  code: 'product',
  displayName: 'Product',
  displayNamePlural: 'Products',
  columnShown: [],
  searchable: [],
  readOnly: false,
  fields: [
    ['code', 'Code'],
    ['name', 'Name'],
    ['price', 'Price'],
    ['approvalStatus', 'Approval status'],
    ['catalogVersion', 'Catalog version'],
  ].map(([name = '', displayName = '']) => ({
    name,
    displayName,
    type: 'STRING',
    required: false,
    editableOnUpdate: true,
    placeholder: '',
  })),
};

describe('columns of a file become', () => {
  it('the fields of their names and labels', () => {
    expect(guessFields(metadata, ['CODE', 'approval_status', 'Catalog version'])).toEqual({
      CODE: 'code',
      approval_status: 'approvalStatus',
      'Catalog version': 'catalogVersion',
    });
  });

  it('the most similar fields that no other column is named after', () => {
    expect(guessFields(metadata, ['Product name', 'Unit price', 'Aproval state'])).toEqual({
      'Product name': 'name',
      'Unit price': 'price',
      'Aproval state': 'approvalStatus',
    });
    expect(guessFields(metadata, ['Old name', 'name'])).toEqual({ 'Old name': '', name: 'name' });
  });

  it('nothing where no name is similar, and never the version that an export writes', () => {
    expect(guessFields(metadata, ['Label', 'Colour', 'version'])).toEqual({ Label: '', Colour: '', version: '' });
  });
});

describe('a problem of a line', () => {
  it('is named by the label of its field', () => {
    const problem = { line: 3, path: 'price', code: 'NOT_A_NUMBER', message: 'price must be a number' };
    expect(problemText(metadata, problem)).toBe('Line 3, Price: must be a number');
  });

  it('shows the refused value', () => {
    const problem = { line: 3, path: 'price', code: 'WRONG_TYPE', message: 'price must be a number', value: 'abc' };
    expect(problemText(metadata, problem)).toBe('Line 3, Price: "abc" is not a number');
    const tooLarge = { ...problem, message: 'price must be at most 5', value: '6' };
    expect(problemText(metadata, tooLarge)).toBe('Line 3, Price: "6" must be at most 5');
    const long = { ...problem, message: 'price must be true or false', value: 'x'.repeat(100) };
    expect(problemText(metadata, long)).toBe(`Line 3, Price: "${'x'.repeat(60)}…" is not true or false`);
  });

  it('that is of no field of the form names what the platform names', () => {
    const problem = { line: 3, path: 'colour', code: 'UNKNOWN_FIELD', message: 'is not known' };
    expect(problemText(metadata, problem)).toBe('Line 3: colour: is not known');
  });
});
