/** A field of every kind by its name, but for the references, which need their target. */
export const plainFields = {
  string: { displayName: 'String' },
  choice: { displayName: 'Choice', options: ['NEW', 'OLD', 'MENDED'], optionColors: { NEW: 'green' } },
  text: { displayName: 'Text', type: 'TEXT' },
  integer: { displayName: 'Integer', type: 'NUMBER', column: 'INTEGER' },
  long: { displayName: 'Long', type: 'NUMBER', column: 'BIGINT' },
  decimal: { displayName: 'Decimal', type: 'NUMBER', column: 'DECIMAL(19,4)' },
  double: { displayName: 'Double', type: 'NUMBER' },
  boolean: { displayName: 'Boolean', type: 'BOOLEAN' },
  image: { displayName: 'Image', type: 'IMAGE' },
  date: { displayName: 'Date', type: 'DATE' },
  datetime: { displayName: 'Instant', type: 'DATETIME' },
  time: { displayName: 'Time', type: 'TIME' },
  option: { displayName: 'Option', type: 'ENUM', options: ['S', 'M', 'L'], optionLabels: { S: 'Small' } },
  options: { displayName: 'Options', type: 'ENUM', options: ['RED', 'GREEN', 'BLUE'], cardinality: 'MULTIPLE' },
  email: { displayName: 'Email', type: 'field-kinds.Email' },
  url: { displayName: 'Address', type: 'field-kinds.Url' },
  color: { displayName: 'Color', type: 'field-kinds.Color' },
  uuid: { displayName: 'Uuid', type: 'field-kinds.Uuid' },
  slug: { displayName: 'Slug', type: 'field-kinds.Slug' },
  json: { displayName: 'Json', type: 'field-kinds.Json' },
  keyValue: { displayName: 'Labels', type: 'field-kinds.KeyValue' },
  money: { displayName: 'Money', type: 'field-kinds.Money' },
  richText: { displayName: 'Document', type: 'field-kinds.RichText' },
  file: { displayName: 'File', type: 'media.File' },
  entries: {
    displayName: 'Entries',
    type: 'field-kinds.Repeatable',
    settings: {
      fields: {
        label: { displayName: 'Label', required: true },
        note: { displayName: 'Note', type: 'TEXT' },
        size: { displayName: 'Size', type: 'NUMBER' },
        primary: { displayName: 'Primary', type: 'BOOLEAN' },
        since: { displayName: 'Since', type: 'DATE' },
        at: { displayName: 'At', type: 'DATETIME' },
        opens: { displayName: 'Opens', type: 'TIME' },
        kind: { displayName: 'Kind', type: 'ENUM', options: ['A', 'B'] },
        url: { displayName: 'Address', type: 'field-kinds.Url' },
      },
    },
  },
};

/** Values that the platform makes of others. */
const computedFields = {
  bySql: {
    displayName: 'By SQL',
    type: 'NUMBER',
    column: 'DECIMAL(30,4)',
    computed: { sql: '{decimal} * 2 + coalesce({integer}, 0)' },
  },
  daysBySql: { displayName: 'Day after by SQL', type: 'DATE', computed: { sql: '{date} + 1' } },
};
const byFunction = {
  displayName: 'By a function',
  computed: {
    from: ['string', 'boolean'],
    value: ({ string, boolean }) => (string === null ? null : `${boolean}: ${string}`),
  },
};

/** All of them, which can be searched by but for the one that a function makes. */
export function fields(supplier) {
  const references = {
    supplier: { displayName: 'Supplier', type: 'REFERENCE', targetEntity: supplier },
    suppliers: { displayName: 'Suppliers', type: 'REFERENCE', targetEntity: supplier, cardinality: 'MULTIPLE' },
  };
  const searchable = Object.entries({ ...plainFields, ...references, ...computedFields });
  return {
    ...Object.fromEntries(searchable.map(([name, options]) => [name, { searchable: true, ...options }])),
    byFunction,
  };
}
