import type { FormField } from '@gantry/contracts';
import { itemHeading } from '../src/content/form/item/item-heading';
import {
  divideFields,
  headFieldOf,
  hasFieldSearch,
  isShortForm,
  matchesSearch,
  sectionsOf,
  widthOf,
  widthsOf,
} from '../src/content/form/fields/form-sections';

const field = (name: string, part: Partial<FormField> = {}): FormField => ({
  name,
  displayName: `The ${name}`,
  type: 'STRING',
  required: false,
  editableOnUpdate: true,
  placeholder: '',
  ...part,
});
const names = (fields: readonly FormField[]) => fields.map(({ name }) => name);

describe('the form of an item', () => {
  it('has images in the rail at its side, each column in the declared order', () => {
    const { main, images } = divideFields([
      field('image', { type: 'IMAGE' }),
      field('code'),
      field('state', { options: ['NEW'] }),
      field('name'),
    ]);
    expect([names(main), names(images)]).toEqual([['code', 'state', 'name'], ['image']]);
  });

  it('has no rail where nothing else is left', () => {
    const { main, images } = divideFields([field('image', { type: 'IMAGE' })]);
    expect([names(main), names(images)]).toEqual([['image'], []]);
  });

  it('has an image with a section among the fields of that section', () => {
    const { main, images } = divideFields([field('code'), field('image', { type: 'IMAGE', section: 'Media' })]);
    expect([names(main), names(images)]).toEqual([['code', 'image'], []]);
  });

  it('has states in the rail, unless their section has other fields, too', () => {
    const state = { options: ['NEW'], optionColors: { NEW: 'blue' } } as const;
    const { main, states } = divideFields([
      field('code'),
      field('approval', { ...state, section: 'Publication' }),
      field('step', { ...state, section: 'Work' }),
      field('note', { section: 'Work' }),
      field('stock', state),
    ]);
    expect([names(main), names(states)]).toEqual([
      ['code', 'step', 'note'],
      ['approval', 'stock'],
    ]);
  });

  it('begins with the field that names the item, unless that has a place of its own', () => {
    const fields = [field('code'), field('name')];
    expect(headFieldOf({ fields, heading: 'name' })?.name).toBe('name');
    expect(headFieldOf({ fields })?.name).toBe('code');
    expect(headFieldOf({ fields: [field('slug'), field('name', { tab: 'More' })] })).toBeUndefined();
  });

  it('leaves none of an odd number of short fields alone in its line', () => {
    const fields = ['name', 'code', 'price', 'catalog'].map((name) => field(name));
    expect([...widthsOf(fields, 'name').values()]).toEqual(['full', 'third', 'third', 'third']);
    expect([...widthsOf(fields.slice(0, 2), 'name').values()]).toEqual(['half', 'half']);
    expect([...widthsOf(fields.slice(0, 1), 'name').values()]).toEqual(['full']);
    expect([...widthsOf(fields, undefined).values()]).toEqual(['half', 'half', 'half', 'half']);
    expect([...widthsOf(fields.slice(0, 1), undefined).values()]).toEqual(['half']);
  });

  it('has fields with short values in two columns, unless they declare another width', () => {
    const widths = [
      field('code'),
      field('name', { width: 'full' }),
      field('part', { width: 'third' }),
      field('state', { options: ['NEW'] }),
      field('states', { options: ['NEW'], multiple: true }),
      field('text', { type: 'TEXT' }),
      field('owner', { type: 'REFERENCE' }),
      field('owners', { type: 'REFERENCE', referenceCardinality: 'MULTIPLE' }),
      field('colour', { type: 'paints.colour' }),
    ].map((one) => [one.name, widthOf(one)]);

    expect(Object.fromEntries(widths)).toEqual({
      code: 'half',
      name: 'full',
      part: 'third',
      state: 'half',
      states: 'full',
      text: 'full',
      owner: 'half',
      owners: 'full',
      colour: 'full',
    });
  });

  it('leaves room below itself where it has few fields, none of which takes a whole row', () => {
    const fields = ['code', 'name', 'price'].map((name) => field(name));
    expect(isShortForm(fields)).toBe(true);
    expect(isShortForm([...fields, field('text', { type: 'TEXT' })])).toBe(false);
    expect(isShortForm(Array.from({ length: 11 }, (_, index) => field(`field${index}`)))).toBe(false);
  });

  it('has fields without a section first, then each section once, in the order of their first fields', () => {
    const sections = sectionsOf([
      field('from', { section: 'Period' }),
      field('code'),
      field('price', { section: 'Money' }),
      field('to', { section: 'Period' }),
    ]);
    expect(sections.map(({ heading, fields }) => [heading, names(fields)])).toEqual([
      [undefined, ['code']],
      ['Period', ['from', 'to']],
      ['Money', ['price']],
    ]);
    expect(sectionsOf([])).toEqual([]);
  });

  it('has a search for its fields above twenty of them', () => {
    const many = Array.from({ length: 21 }, (_, index) => field(`f${index}`));
    expect([hasFieldSearch(many.slice(1)), hasFieldSearch(many)]).toEqual([false, true]);
    expect([matchesSearch(field('price'), 'PRI the'), matchesSearch(field('price'), 'code')]).toEqual([true, false]);
  });

  it('is headed by the declared heading and the label, or by the label alone', () => {
    const item = { id: '7', values: { code: 'P-7', name: 'Spade' } };
    expect(itemHeading({ displayName: 'Tool', heading: 'name' }, item)).toBe('Spade · P-7');
    expect(itemHeading({ displayName: 'Tool' }, item)).toBe('P-7');
    expect(
      itemHeading({ displayName: 'Tool', heading: 'name' }, { id: '7', values: { code: 'P-7', name: null } }),
    ).toBe('P-7');
  });
});
