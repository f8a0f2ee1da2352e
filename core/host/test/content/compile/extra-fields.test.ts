import type { Grant } from '@gantry/contracts';
import { Field, type FieldOptions } from '@gantry/plugin-api';
import { compilePlugins, createItemTypes, createRolePolicy, type TypeSource } from '@gantry/core-content';
import { Column, DataType } from 'sequelize-typescript';
import { declareType } from '../../../../../test/support/content/declare-type';

type Extra = NonNullable<TypeSource['definition']['extraFields']>[number];

const Boat = declareType('Boat', { name: { searchable: true } });

function declareFields(fields: Readonly<Record<string, Partial<FieldOptions>>>): Extra['fields'] {
  const Racing = class Racing extends Object {};
  for (const [name, options] of Object.entries(fields)) {
    Field({ displayName: name, ...options })(Racing.prototype, name);
  }
  return Racing;
}

function source(id: string, definition: TypeSource['definition'], dependsOn: object = {}, optional = {}): TypeSource {
  return { manifest: { id, displayName: id.toUpperCase(), dependsOn, optionalDependsOn: optional }, definition };
}

const boats = source('boats', { itemTypes: [Boat] });

function compileExtra(extra: Partial<Extra>, dependsOn: object = { boats: '*' }, optional = {}) {
  const fields = extra.fields ?? declareFields({ wins: { type: 'NUMBER' } });
  const races = source('races', { extraFields: [{ type: () => Boat, ...extra, fields }] }, dependsOn, optional);
  const { types, failures } = compilePlugins([boats, races]);
  return { type: types[0]?.descriptor, problems: failures.get('races') ?? [], failures };
}

describe('extra fields', () => {
  it('follow those of the type, with the id of their plugin before their names', () => {
    const fields = declareFields({ title: { label: 1 } as object });
    const plain = declareFields({
      title: { renamedFrom: 'name' },
      sailNumber: { visibleIf: { field: 'title', empty: false } },
    });
    expect(compileExtra({ fields }).problems[0]).toMatch(/^Extra fields Racing: title has the unknown option label/);
    const { type, problems } = compileExtra({ fields: plain, unique: [['name', 'sailNumber']] });
    expect(problems).toEqual([]);
    expect(type?.fields.slice(1)).toMatchObject([
      {
        name: 'races$title',
        column: 'races$title',
        plugin: 'races',
        section: 'RACES',
        earlier: [{ name: 'races$name' }],
      },
      { name: 'races$sailNumber', column: 'races$sail_number', visibleIf: { field: 'races$title' } },
    ]);
    expect(type).toMatchObject({ unique: [['name', 'races$sailNumber']], labelFields: ['name'], columns: ['name'] });
  });

  it('of a missing plugin are left out where the manifest says that it may be missing', () => {
    expect(compileExtra({ type: 'ports.Port' }, {}, { ports: '*' })).toMatchObject({ problems: [] });
    expect(compileExtra({}, {}).problems[0]).toMatch(/does not name "boats" in gantry.dependsOn/);
    expect(compileExtra({ type: 'boats.Ship' }, {}, { boats: '*' }).problems[0]).toMatch(
      /boats has no such type; it has Boat/,
    );
  });

  class WithColumn {
    @Field({ displayName: 'Wins' }) @Column(DataType.TEXT) declare wins: string;
  }
  it.each<[string, Partial<Extra>, RegExp]>([
    ['no field', { fields: declareFields({}) }, /declares no @Field/],
    ['a computed field', { fields: declareFields({ wins: { computed: { sql: '1' } } }) }, /wins is computed/],
    ['a column of Sequelize', { fields: WithColumn }, /wins has @Column/],
    ['a rule without a field of the class', { unique: [['name']] }, /unique names name, and no field of the class/],
    ['a rule with an unknown field', { unique: [['wins', 'port']] }, /unique names port, which is no field/],
  ])('are refused with %s, and the type stays as it is', (_what, extra, reason) => {
    const { type, problems, failures } = compileExtra(extra);
    expect(problems).toEqual([expect.stringMatching(reason)]);
    expect([...failures.keys()]).toEqual(['races']);
    expect(type?.fields.map(({ name }) => name)).toEqual(['name']);
  });
});

describe('rights on extra fields', () => {
  const fields = declareFields({ wins: { type: 'NUMBER' }, title: { required: true } });
  const { types } = compilePlugins([
    boats,
    source('races', { extraFields: [{ type: () => Boat, fields }] }, { boats: '*' }),
  ]);
  const namesFor = (grant: Partial<Grant>, id: string, isServed = true): readonly string[] => {
    const all = createItemTypes(types, (plugin) => isServed || plugin !== 'races');
    const grants: Grant[] = [{ on: { plugin: 'boats', type: 'boat' }, actions: ['read'], ...grant }];
    const policy = createRolePolicy(all, grants, { id, login: id });
    return policy.types.find('boat')?.descriptor.fields.map(({ name }) => name) ?? [];
  };

  it('come to users with all fields, and to others and the public by name', () => {
    expect(namesFor({}, '7')).toEqual(['name', 'races$wins', 'races$title']);
    expect(namesFor({ readableFields: ['name'] }, '7')).toEqual(['name']);
    expect(namesFor({}, 'public')).toEqual(['name']);
    expect(namesFor({ readableFields: ['name', 'races$wins'] }, 'public')).toEqual(['name', 'races$wins']);
  });

  it('go with their plugin', () => {
    expect(namesFor({}, '7', false)).toEqual(['name']);
  });
});
