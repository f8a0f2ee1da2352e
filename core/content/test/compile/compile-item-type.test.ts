import { BaseItem, CatalogAwareItem, Field, ItemType, type ItemTypeClass } from '@gantry/plugin-api';
import { Column, DataType } from 'sequelize-typescript';
import { CompileError } from '@gantry/core-content';
import {
  compile,
  compileField,
  compileFields,
  declareType,
  problemsOfFields,
  problemsOfType,
  type Declarations,
} from '../../../../test/support/content/declare-type';

describe('a declaration', () => {
  it('trims the text of keys, unless the author says otherwise', () => {
    const { fields } = compileFields(
      { code: {}, label: {}, raw: { trim: false }, note: { type: 'TEXT', trim: true }, kind: { options: ['a'] } },
      { unique: [['code', 'kind'], ['raw']] },
    );

    expect(fields.filter(({ trim }) => trim === true).map(({ name }) => name)).toEqual(['code', 'note', 'kind']);
  });

  it('compiles into a descriptor with the defaults of the specification', () => {
    const type = compile(declareType('TopEventComponent', { title: {} }));

    expect(type).toEqual({
      code: 'topeventcomponent',
      className: 'TopEventComponent',
      qualifiedName: 'workshop.TopEventComponent',
      displayName: 'Top Event Component',
      displayNamePlural: 'Top Event Components',
      plugin: 'workshop',
      pluginName: 'workshop',
      table: 'workshop_topeventcomponent',
      readOnly: false,
      hasAuthors: true,
      fields: [
        {
          name: 'title',
          displayName: 'title',
          type: 'STRING',
          kind: expect.objectContaining({ name: 'string' }),
          column: 'title',
          columnType: 'VARCHAR(255)',
          required: false,
          searchable: false,
          editableOnUpdate: true,
          placeholder: '',
          maxLength: 255,
        },
      ],
      columns: ['title'],
      unique: [],
      indexes: [],
      labelFields: ['title'],
      searchResult: {},
      editableColumns: [],
      attention: [],
    });
  });

  it('is frozen to its depths', () => {
    const type = compileFields({ kind: { options: ['a'] } }, { unique: [['kind']], searchResult: { label: 'kind' } });
    const parts = [
      type,
      type.fields,
      type.fields[0],
      type.fields[0]?.options,
      type.unique,
      type.unique[0],
      type.searchResult,
    ];
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  });

  it('keeps own fields in the order declared and inherited ones after them', () => {
    const type = compile(declareType('Item', { b: {}, a: {} }, {}, CatalogAwareItem as unknown as ItemTypeClass));
    expect(type.fields.map((field) => field.name)).toEqual(['b', 'a', 'catalogVersion']);
  });

  it('lets a field declared again replace the inherited one', () => {
    const parent = declareType('Parent', { code: { displayName: 'Old' }, name: {} });
    const type = compile(declareType('Child', { code: { displayName: 'New' } }, {}, parent));
    expect(type.fields.map((field) => field.displayName)).toEqual(['New', 'name']);
  });

  it('shows every field but TEXT as a column unless it names them', () => {
    const fields = { name: {}, body: { type: 'TEXT' }, size: { type: 'NUMBER' } } as const;
    expect(compileFields(fields).columns).toEqual(['name', 'size']);
    expect(compileFields(fields, { columns: ['body', 'name'] }).columns).toEqual(['body', 'name']);
  });

  it('labels items by fields whose name contains name, title or code, in order and never by references', () => {
    const type = compileFields({
      size: {},
      postCode: {},
      subTITLE: {},
      hostname: { type: 'REFERENCE', targetEntity: 'other.Thing' },
      userName: {},
    });
    expect(type.labelFields).toEqual(['postCode', 'subTITLE', 'userName']);
  });

  it('labels items by the field that the type declares, which has to have text', () => {
    const fields = { namespaceId: {}, orderId: {}, paid: { type: 'REFERENCE', targetEntity: 'other.Thing' } } as const;
    expect(compileFields(fields, { label: 'orderId' })).toMatchObject({ label: 'orderId', labelFields: ['orderId'] });
    expect(problemsOfFields(fields, { label: 'paid' })).toEqual([expect.stringContaining('label names paid')]);
    expect(problemsOfFields(fields, { label: 'gone' })).toEqual([expect.stringContaining('label names gone')]);
  });
});

describe('a column', () => {
  it.each([
    [{}, 'VARCHAR(255)', { kind: { name: 'string' }, maxLength: 255 }],
    [{ maxLength: 40 }, 'VARCHAR(40)', { kind: { name: 'string' }, maxLength: 40 }],
    [{ column: DataType.STRING(20), maxLength: 40 }, 'VARCHAR(20)', { maxLength: 20 }],
    [{ column: DataType.STRING(20), maxLength: 10 }, 'VARCHAR(20)', { maxLength: 10 }],
    [{ column: DataType.TEXT }, 'TEXT', { kind: { name: 'string' }, maxLength: 255 }],
    [{ type: 'TEXT' }, 'TEXT', { kind: { name: 'text' }, maxLength: 1_000_000 }],
    [{ type: 'IMAGE' }, 'VARCHAR(2048)', { kind: { name: 'image' }, maxLength: 2048 }],
    [{ type: 'BOOLEAN' }, 'BOOLEAN', { kind: { name: 'boolean' } }],
    [{ type: 'NUMBER' }, 'DOUBLE PRECISION', { kind: { name: 'double' }, numberKind: 'double' }],
    [{ type: 'NUMBER', column: DataType.FLOAT }, 'FLOAT', { kind: { name: 'double' } }],
    [{ type: 'NUMBER', column: DataType.REAL }, 'REAL', { kind: { name: 'double' } }],
    [{ type: 'NUMBER', column: DataType.INTEGER }, 'INTEGER', { kind: { name: 'integer' }, numberKind: 'integer' }],
    [{ type: 'NUMBER', column: 'int8' }, 'int8', { kind: { name: 'long' } }],
    [{ type: 'NUMBER', column: DataType.BIGINT }, 'BIGINT', { kind: { name: 'long' }, numberKind: 'long' }],
    [
      { type: 'NUMBER', column: DataType.SMALLINT },
      'SMALLINT',
      { kind: { name: 'integer' }, min: -32_768, max: 32_767 },
    ],
    [{ type: 'NUMBER', column: DataType.SMALLINT, min: 1, max: 99_999 }, 'SMALLINT', { min: 1, max: 32_767 }],
    [
      { type: 'NUMBER', column: DataType.DECIMAL(19, 4) },
      'DECIMAL(19,4)',
      { kind: { name: 'decimal' }, precision: 19, scale: 4 },
    ],
    [{ type: 'NUMBER', column: 'NUMERIC(5)' }, 'NUMERIC(5)', { kind: { name: 'decimal' }, precision: 5, scale: 0 }],
    [{ type: 'NUMBER', column: 'NUMERIC' }, 'NUMERIC', { kind: { name: 'decimal' }, numberKind: 'decimal' }],
    [{ type: 'REFERENCE', targetEntity: 'other.Thing' }, 'BIGINT', { kind: { name: 'reference' }, column: 'value_id' }],
    [{ type: 'REFERENCE' }, 'BIGINT', { kind: { name: 'targetless' }, column: 'value_id' }],
    [
      { type: 'REFERENCE', cardinality: 'MULTIPLE' },
      'BIGINT',
      { kind: { name: 'targetless-list' }, column: 'value_id' },
    ],
    [
      { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE' },
      '',
      { kind: { name: 'references' }, column: '' },
    ],
  ] as const)('of %j is %s', (options, columnType, expected) => {
    expect(compileField(options)).toMatchObject({ columnType, ...expected });
  });

  it('has no precision where the column has none', () => {
    expect(compileField({ type: 'NUMBER', column: 'NUMERIC' })).not.toHaveProperty('precision');
  });

  it('is what the author declared with sequelize-typescript', () => {
    @ItemType()
    class Authored extends BaseItem {
      @Field({ displayName: 'Name' })
      @Column({ type: DataType.STRING(12), field: 'given' })
      declare name: string;
    }
    expect(compile(Authored).fields[0]).toMatchObject({ column: 'given', columnType: 'VARCHAR(12)', maxLength: 12 });
  });

  it('gets a short, stable and distinct name where the database allows no longer one', () => {
    const name = 'aFieldNameOfManyWordsThatIsLongerAsColumnThanADatabaseAllow';
    const [first, second] = compileFields({ [`${name}s`]: {}, [`${name}z`]: {} }).fields.map((field) => field.column);
    expect([first?.length, second?.length]).toEqual([63, 63]);
    expect(first).not.toBe(second);
    expect(compileFields({ [`${name}s`]: {} }).fields[0]?.column).toBe(first);
  });
});

describe('a reference', () => {
  it('knows its target, and its link table when it has many', () => {
    const type = compileFields({
      one: { type: 'REFERENCE', targetEntity: 'other.Thing' },
      many: { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE' },
    });
    const target = { target: 'thing', qualifiedName: 'other.Thing' };
    expect(type.fields.map((field) => field.reference)).toEqual([
      { ...target, cardinality: 'SINGLE' },
      { ...target, cardinality: 'MULTIPLE', linkTable: 'workshop_sample_many' },
    ]);
  });
});

describe('an error in a declaration', () => {
  it('is a @Column in addition to a reference, whose column is made by the platform', () => {
    @ItemType()
    class Authored extends BaseItem {
      @Field({ displayName: 'Thing', type: 'REFERENCE', targetEntity: 'other.Thing' })
      @Column(DataType.BIGINT)
      declare thing: string;
    }
    expect(problemsOfType(Authored)).toEqual([
      'thing is a REFERENCE, whose column the platform makes; it must not have @Column',
    ]);
  });

  const thing = { type: 'REFERENCE', targetEntity: 'other.Thing' } as const;

  const broken: readonly (readonly [Declarations, string])[] = [
    [{}, 'declares no @Field'],
    [{ 'two words': {} }, 'the field name two words must begin with a letter and have letters, digits and _ only'],
    [{ _private: {} }, 'the field name _private must begin with a letter and have letters, digits and _ only'],
    [
      { ['x'.repeat(64)]: {} },
      `the field name ${'x'.repeat(64)} must begin with a letter and have letters, digits and _ only`,
    ],
    ...[
      'id',
      'createdAt',
      'updatedAt',
      'version',
      'constructor',
      'hasOwnProperty',
      'isPrototypeOf',
      'prototype',
      'dataValues',
    ].map((name): readonly [Declarations, string] => [{ [name]: {} }, `the field name ${name} is reserved`]),
    [{ created_at: {} }, 'created_at has the column created_at, which every table already has'],
    [{ Version: {} }, 'Version has the column version, which every table already has'],
    [{ xmin: {} }, 'xmin has the column xmin, which every table already has'],
    [{ a: { displayName: '' } }, 'a has no displayName'],
    [
      { a: { type: 'DAY' as never } },
      'a has the unknown type DAY; known are STRING, TEXT, NUMBER, BOOLEAN, REFERENCE, IMAGE, DATE, DATETIME, TIME, ENUM, LINK',
    ],
    [
      { a: { type: 'REFERENCE', required: true } },
      'a is a required REFERENCE without targetEntity, which could never have a value',
    ],
    [{ a: { targetEntity: 'other.Thing' } }, 'a has a targetEntity but its type is not REFERENCE'],
    [{ a: { type: 'REFERENCE', targetEntity: 'no.Such' } }, 'the target of a is no.Such, which is nowhere'],
    [{ a: { type: 'TEXT', options: ['x'] } }, 'a has options but its type is not STRING or ENUM'],
    [{ a: { options: [] } }, 'a has an empty list of options'],
    [{ a: { options: ['long'], maxLength: 3 } }, 'a has the option "long": it must have at most 3 characters'],
    [{ a: { options: ['x'], optionColors: { y: 'red' } } }, 'a has a colour of y, which is not an option'],
    [{ a: { optionColors: { y: 'red' } } }, 'a has a colour of y, which is not an option'],
    [{ a: { pattern: '(' } }, 'a has a pattern that is not a regular expression'],
    [{ a: { default: 5 } }, 'a has a default whose type is not that of the field'],
    [{ a: { type: 'BOOLEAN', default: 'true' } }, 'a has a default whose type is not that of the field'],
    [{ a: { type: 'NUMBER', default: 'five' } }, 'a has a default whose type is not that of the field'],
    [{ a: { type: 'NUMBER', default: NaN } }, 'a has a default whose type is not that of the field'],
    [{ a: { ...thing, default: 'x' } }, 'a has a default whose type is not that of the field'],
    [{ a: { options: ['x'], default: 'y' } }, 'a has a default that cannot be stored: it must be one of x'],
    [{ a: { pattern: '\\d+', default: 'y' } }, 'a has a default that cannot be stored: it must match the pattern \\d+'],
    [
      { a: { maxLength: 3, default: 'long' } },
      'a has a default that cannot be stored: it must have at most 3 characters',
    ],
    [{ a: { type: 'NUMBER', max: 3, default: 4 } }, 'a has a default that cannot be stored: it must be at most 3'],
    [{ a: { maxLength: 0 } }, 'a has a maxLength that is not a whole number from 1'],
    [{ a: { type: 'NUMBER', min: 'low' } }, 'a has a min that is not a number'],
    [{ a: { type: 'NUMBER', min: 3, max: 2 } }, 'a has a min above its max'],
    [{ a: { type: 'DATE', min: '2026-03-02', max: '2026-03-01' } }, 'a has a min above its max'],
    [
      { a: { type: 'DATE', max: '2026-02-30' } },
      'a has a max of 2026-02-30: it must be a day that exists: February 2026 has the days 1 to 28',
    ],
    [
      { a: { type: 'DATETIME', min: '2026-03-01T00:30:00Z', max: '2026-03-01T01:00:00+01:00' } },
      'a has a min above its max',
    ],
    [{ a: { column: DataType.INTEGER } }, 'a is a STRING, whose values a column of the type INTEGER cannot hold'],
    [{ a: { column: DataType.UUID } }, 'a is a STRING, whose values a column of the type UUID cannot hold'],
    [
      { a: { type: 'NUMBER', column: DataType.STRING } },
      'a is a NUMBER, whose values a column of the type VARCHAR(255) cannot hold',
    ],
    [
      { a: { type: 'NUMBER', column: 'INTEGER[]' } },
      'a is a NUMBER, whose values a column of the type INTEGER[] cannot hold',
    ],
    [
      { a: { type: 'BOOLEAN', column: 'INTEGER' } },
      'a is a BOOLEAN, whose values a column of the type INTEGER cannot hold',
    ],
    [{ fooBar: {}, foo_bar: {} }, 'foo_bar has the same column as another field'],
    [{ owner: thing, ownerId: {} }, 'ownerId has the same column as another field'],
    [{ a: { renamedFrom: 'b' }, b: {} }, 'renamedFrom of a names b, which is a field of the type'],
    [{ a: { renamedFrom: 'c' }, b: { renamedFrom: ['c'] } }, 'renamedFrom names the field c more than once'],
    [{ rawAttributes: {} }, 'the field name rawAttributes is reserved'],
    [
      { a: { type: 'ENUM', options: ['x'], cardinality: 'MULTIPLE', default: ['x'] as never } },
      'a has a list as its default, which no field can have; leave default out',
    ],
    [{ a: { renamedFrom: 'two words' } }, 'renamedFrom of a names two words, which is not a field name'],
  ];

  it.each(broken)('%j: %s', (fields, problem) => {
    expect(problemsOfFields(fields)).toEqual([problem]);
  });

  it.each([
    [{ columns: ['b'] }, 'columns names b, which is not a field'],
    [{ columns: ['a', 'a'] }, 'columns names a more than once'],
    [{ editableColumns: ['b'] }, 'editableColumns names b, which is not a field'],
    [{ editableColumns: ['a', 'a'] }, 'editableColumns names a more than once'],
    [{ editableColumns: ['a'], readOnly: true }, 'editableColumns are given but the type is readOnly'],
    [{ attention: [{ title: 'A', where: { b: 'x' } }] }, 'attention names b, which is not a searchable field'],
    [{ attention: [{ title: 'A', where: { a: 'x' } }] }, 'attention names a, which is not a searchable field'],
    [{ unique: [['a', 'b']] }, 'unique names b, which is not a field'],
    [{ unique: [[]] }, 'unique has an empty set of fields'],
    [{ unique: [['a', 'a']] }, 'unique names a more than once'],
    [{ unique: [['many']] }, 'unique names many, which has several values'],
    [{ indexes: [['a', 'b']] }, 'indexes names b, which is not a field'],
    [
      { renamedFrom: 'Old' },
      'renamedFrom of @ItemType names Old, which is not a type code; write the earlier class name in lower case',
    ],
    [{ renamedFrom: ['x', 'x'] }, 'renamedFrom of @ItemType names x more than once'],
    [{ indexes: [['many']] }, 'indexes names many, which has several values'],
    [{ searchResult: { label: 'b' } }, 'searchResult names b, which is not a field'],
    [{ searchResult: { subLabel: 'c' } }, 'searchResult names c, which is not a field'],
  ])('of the type %j: %s', (options, problem) => {
    expect(problemsOfFields({ a: {}, many: { ...thing, cardinality: 'MULTIPLE' } }, options)).toEqual([problem]);
  });

  it.each(['lower', 'With_Underscore', 'Ümlaut', `A${'x'.repeat(63)}`])('names a class %s', (name) => {
    expect(problemsOfType(declareType(name, { a: {} }))).toEqual([
      `the class name ${name} must begin with a capital letter and have only letters and digits`,
    ]);
  });

  it('names a class that clients would take for no target', () => {
    expect(problemsOfType(declareType('VoidThing', { a: {} }))).toEqual([
      'the class name VoidThing must not contain Void, which marks a reference without target for clients',
    ]);
  });

  it('is reported together with all others', () => {
    const model = declareType(
      'bad',
      { id: {}, a: { type: 'REFERENCE', required: true }, b: { displayName: '', pattern: '[' } },
      { unique: [['c']] },
    );
    expect(problemsOfType(model)).toHaveLength(6);
    expect(() => compile(model)).toThrow(CompileError);
    expect(() => compile(model)).toThrow('Item type bad: the class name bad must begin with a capital');
  });
});
