import { itemMetadata, modelInfo, searchFields } from '../../src/read/metadata';
import { compile, declareType } from '../../../../test/support/content/declare-type';

const model = declareType(
  'Sample',
  {
    code: {
      displayName: 'Code',
      searchable: true,
      required: true,
      editableOnUpdate: false,
      placeholder: 'S-1',
      pattern: 'S-\\d+',
    },
    state: {
      displayName: 'State',
      searchable: true,
      options: ['A', 'B'],
      optionColors: { B: 'red' },
      default: 'A',
      help: 'Pick one.',
      section: 'Progress',
      maxLength: 5,
    },
    size: { displayName: 'Size', type: 'NUMBER', column: 'NUMERIC(9,2)', min: 0, max: '99.5' },
    owner: { displayName: 'Owner', type: 'REFERENCE', targetEntity: 'other.Thing', searchable: true },
    parts: { displayName: 'Parts', type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE' },
  },
  { displayName: 'A sample', columns: ['size', 'code'], heading: 'state', editableColumns: ['size'] },
);
const type = compile(model);

const ofText = [
  ...['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN'],
  ...['NOT_EQUALS', 'IN', 'EMPTY', 'BETWEEN', 'STARTS_WITH'],
];

describe('metadata', () => {
  it('lists a type by code and name', () => {
    expect(modelInfo(type)).toEqual({
      type: 'sample',
      displayName: 'A sample',
      displayNamePlural: 'A samples',
      plugin: 'workshop',
      pluginName: 'workshop',
      readOnly: false,
      heading: 'state',
    });
  });

  it('lists a type with its icon, if it has one', () => {
    const marked = compile(declareType('Marked', { code: { displayName: 'Code' } }, { icon: 'M4 5h16' }));

    expect(modelInfo(marked)).toMatchObject({ type: 'marked', icon: 'M4 5h16' });
  });

  it('describes columns in order, search fields and form fields as specified', () => {
    expect(itemMetadata(type)).toEqual({
      code: 'sample',
      displayName: 'A sample',
      displayNamePlural: 'A samples',
      readOnly: false,
      heading: 'state',
      editableColumns: ['size'],
      columnShown: [
        { name: 'size', displayName: 'Size', type: 'NUMBER', order: 0 },
        { name: 'code', displayName: 'Code', type: 'STRING', order: 1 },
      ],
      searchable: [
        { name: 'code', displayName: 'Code', type: 'string', maxLength: 255, pattern: 'S-\\d+', operators: ofText },
        {
          name: 'state',
          displayName: 'State',
          type: 'string',
          options: ['A', 'B'],
          optionColors: { B: 'red' },
          help: 'Pick one.',
          section: 'Progress',
          maxLength: 5,
          default: 'A',
          operators: ofText,
        },
        {
          name: 'owner',
          displayName: 'Owner',
          type: 'reference',
          reference: 'other.Thing',
          operators: ['EQUALS', 'MORE_THAN', 'LESS_THAN', 'NOT_EQUALS', 'IN', 'EMPTY'],
        },
      ],
      fields: [
        {
          name: 'code',
          displayName: 'Code',
          type: 'STRING',
          required: true,
          editableOnUpdate: false,
          placeholder: 'S-1',
          maxLength: 255,
          pattern: 'S-\\d+',
        },
        {
          name: 'state',
          displayName: 'State',
          type: 'STRING',
          required: false,
          editableOnUpdate: true,
          placeholder: '',
          options: ['A', 'B'],
          optionColors: { B: 'red' },
          help: 'Pick one.',
          section: 'Progress',
          maxLength: 5,
          default: 'A',
        },
        {
          name: 'size',
          displayName: 'Size',
          type: 'NUMBER',
          required: false,
          editableOnUpdate: true,
          placeholder: '',
          min: 0,
          max: '99.5',
          numberKind: 'decimal',
        },
        {
          name: 'owner',
          displayName: 'Owner',
          type: 'REFERENCE',
          required: false,
          editableOnUpdate: true,
          placeholder: '',
          reference: 'other.Thing',
          referenceCardinality: 'SINGLE',
        },
        {
          name: 'parts',
          displayName: 'Parts',
          type: 'REFERENCE',
          required: false,
          editableOnUpdate: true,
          placeholder: '',
          reference: 'other.Thing',
          referenceCardinality: 'MULTIPLE',
        },
      ],
    });
  });

  it('offers for search what is declared searchable and nothing else', () => {
    expect(searchFields(type).map((field) => field.name)).toEqual(['code', 'state', 'owner']);
  });
});
