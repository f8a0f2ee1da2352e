import { tablesOf, uniqueIndexName } from '../../src/compile/tables';
import type { ItemTypeOptions } from '@gantry/plugin-api';
import { compile, compileFields, declareType, type Declarations } from '../../../../test/support/content/declare-type';

const nothing = { columns: [], indexes: [] };
const tableOf = (code: string): string => `other_${code}`;

function indexesOf(fields: Declarations): readonly string[] {
  const [table] = tablesOf(compileFields(fields), tableOf, nothing);
  return (table?.indexes ?? []).map((index) => `${index.name}: ${index.method} ${index.columns.join(' ')}`).slice(3);
}

describe('the table of a type', () => {
  it('has the base columns, those of the fields and those of the author', () => {
    const type = compileFields({
      name: { required: true, default: "it's" },
      size: { type: 'NUMBER', column: 'INTEGER', default: 5 },
      thing: { type: 'REFERENCE', targetEntity: 'other.Thing', required: true },
    });
    const [table] = tablesOf(type, tableOf, {
      columns: [{ name: 'rank', type: 'INTEGER', nullable: true }],
      indexes: [],
    });

    expect(table?.columns).toEqual([
      { name: 'id', type: 'BIGINT', nullable: false, identity: true },
      { name: 'created_at', type: 'TIMESTAMPTZ(3)', nullable: false, default: 'now()' },
      { name: 'updated_at', type: 'TIMESTAMPTZ(3)', nullable: false, default: 'now()' },
      { name: 'version', type: 'INTEGER', nullable: false, default: '1' },
      { name: 'created_by', type: 'BIGINT', nullable: true },
      { name: 'updated_by', type: 'BIGINT', nullable: true },
      { name: 'name', type: 'VARCHAR(255)', nullable: false, default: "'it''s'" },
      { name: 'size', type: 'INTEGER', nullable: true, default: '5' },
      { name: 'thing_id', type: 'BIGINT', nullable: false, linkTables: ['workshop_sample_thing'] },
      { name: 'rank', type: 'INTEGER', nullable: true },
    ]);
    expect(table?.foreignKeys).toEqual([
      {
        name: 'workshop_sample_thing_id_fkey',
        column: 'thing_id',
        referencedTable: 'other_thing',
        onDelete: 'RESTRICT',
      },
    ]);
  });

  it.each([
    [{ a: {} }, []],
    [{ a: { searchable: true } }, ['workshop_sample_a_trgm: gin a', 'workshop_sample_a_idx: btree a id']],
    // Fields of the label, by which `q` of lists finds items.
    [{ title: {} }, ['workshop_sample_title_trgm: gin title']],
    [{ subtitle: { options: ['x'] } }, ['workshop_sample_subtitle_trgm: gin subtitle']],
    [{ code: { type: 'NUMBER' } }, []],
    [{ a: { searchable: true, maxLength: 501 } }, ['workshop_sample_a_trgm: gin a']],
    [{ a: { type: 'TEXT', searchable: true } }, ['workshop_sample_a_trgm: gin a']],
    [{ a: { searchable: true, options: ['x'] } }, ['workshop_sample_a_idx: btree a id']],
    [{ a: { type: 'ENUM', searchable: true, options: ['x'] } }, ['workshop_sample_a_idx: btree a id']],
    [
      { a: { type: 'ENUM', searchable: true, options: ['x'], cardinality: 'MULTIPLE' } },
      ['workshop_sample_a_members_idx: gin a'],
    ],
    [{ a: { type: 'ENUM', options: ['x'], cardinality: 'MULTIPLE' } }, []],
    [{ a: { type: 'NUMBER', searchable: true } }, ['workshop_sample_a_idx: btree a id']],
    [{ a: { type: 'BOOLEAN', searchable: true } }, ['workshop_sample_a_idx: btree a id']],
    [{ a: { type: 'IMAGE', searchable: true } }, ['workshop_sample_a_equal_idx: btree a']],
    [{ a: { type: 'REFERENCE', targetEntity: 'other.Thing' } }, ['workshop_sample_a_id_idx: btree a_id id']],
  ] as const)('with %j has the indexes %j', (fields, expected) => {
    expect(indexesOf(fields)).toEqual(expected);
  });

  it('has an index for every list in indexes, on the columns of its fields and the id', () => {
    const type = compileFields(
      { state: {}, since: {}, thing: { type: 'REFERENCE', targetEntity: 'other.Thing' } },
      { indexes: [['state', 'since'], ['thing']] },
    );
    const [table] = tablesOf(type, tableOf, nothing);

    expect(table?.indexes.slice(3)).toEqual([
      { name: 'workshop_sample_thing_id_idx', columns: ['thing_id', 'id'], unique: false, method: 'btree' },
      {
        name: 'workshop_sample_state_since_list_idx',
        columns: ['state', 'since', 'id'],
        unique: false,
        method: 'btree',
      },
      { name: 'workshop_sample_thing_id_list_idx', columns: ['thing_id', 'id'], unique: false, method: 'btree' },
    ]);
  });

  it('has a unique index for every unique set, on the columns of its fields', () => {
    const type = compileFields(
      { code: {}, catalogId: {}, thing: { type: 'REFERENCE', targetEntity: 'other.Thing' } },
      { unique: [['code', 'thing'], ['catalogId']] },
    );
    const [table] = tablesOf(type, tableOf, nothing);
    expect(table?.indexes.filter((index) => index.unique).map(({ name, columns }) => ({ name, columns }))).toEqual([
      { name: uniqueIndexName(type, ['code', 'thing']), columns: ['code', 'thing_id'] },
      { name: 'workshop_sample_catalogid_key', columns: ['catalog_id'] },
    ]);
  });
});

describe('the users who wrote an item', () => {
  const columnsOf = (fields: Declarations, options: ItemTypeOptions = {}) =>
    tablesOf(compileFields(fields, options), tableOf, nothing)[0]?.columns.map(({ name }) => name) ?? [];

  it('have no columns where only the plugin writes, and where the type declares such fields', () => {
    expect(columnsOf({ name: {} })).toContain('created_by');
    expect(columnsOf({ name: {} }, { readOnly: true })).not.toContain('created_by');
    expect(columnsOf({ createdBy: {} }).filter((name) => name.endsWith('_by'))).toEqual(['created_by']);
  });
});

describe('the link table of a reference to many', () => {
  it('keeps the order, goes with its item and holds on to its targets', () => {
    const type = compileFields({ things: { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE' } });
    const [item, link] = tablesOf(type, tableOf, nothing);

    expect(item?.columns.map((column) => column.name)).toEqual([
      ...['id', 'created_at', 'updated_at', 'version', 'created_by', 'updated_by'],
    ]);
    expect(link).toMatchObject({
      name: 'workshop_sample_things',
      primaryKey: ['item_id', 'target_id'],
      columns: [{ name: 'item_id' }, { name: 'target_id' }, { name: 'position' }],
      foreignKeys: [
        { column: 'item_id', referencedTable: 'workshop_sample', onDelete: 'CASCADE' },
        { column: 'target_id', referencedTable: 'other_thing', onDelete: 'RESTRICT' },
      ],
    });
  });
});

describe('long names', () => {
  it('give every table, column, index and constraint a different name that the database does not cut', () => {
    const long = 'aFieldNameOfManyWordsThatIsLongerAsColumnThanADatabaseAllow';
    const type = compile(
      declareType(`A${'VeryLong'.repeat(7)}`, {
        [`${long}s`]: { searchable: true },
        [`${long}z`]: { searchable: true },
        [`${long}r`]: { type: 'REFERENCE', targetEntity: 'other.Thing' },
        [`${long}m`]: { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE' },
      }),
    );
    const tables = tablesOf(type, tableOf, nothing);
    const relations = tables.flatMap((table) => [table.name, ...table.indexes.map((index) => index.name)]);
    const inTables = tables.flatMap((table) => [...table.columns, ...table.foreignKeys].map(({ name }) => name));
    expect(new Set(relations).size).toBe(relations.length);
    expect([...relations, ...inTables].filter((name) => Buffer.byteLength(name) > 63)).toEqual([]);
  });
});
