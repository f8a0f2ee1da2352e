import type { ItemTypeClass, TargetEntity } from '@gantry/plugin-api';
import { compilePlugins } from '@gantry/core-content';
import type { RegisteredPlugin } from '@gantry/core-loader';
import { declareType, type Declarations } from '../../../../../test/support/content/declare-type';

describe('the item types of several plugins', () => {
  it('refuse a table that another plugin comes to by another way, with both owners named', () => {
    const target = declareType('Leaf', { title: {} });
    const linked = declareType('B', {
      c: { type: 'REFERENCE', cardinality: 'MULTIPLE', targetEntity: () => target },
    });
    const { types, failures } = compilePlugins([
      plugin('a', [target, linked]),
      plugin('a-b', [declareType('C', { title: {} })]),
    ]);

    expect(types.map(({ descriptor }) => descriptor.qualifiedName)).toEqual(['a.Leaf', 'a.B']);
    expect([...failures]).toEqual([['a-b', ['a-b.C needs the table a_b_c, which a.B has']]]);
    // A plugin that fails keeps no other name: a third one has it.
    const third = compilePlugins([
      plugin('a', [target, linked]),
      plugin('a-b', [declareType('C', { title: {} }), declareType('DE', { title: {} })]),
      plugin('a-b-de', [declareType('F', { title: {} })]),
    ]);
    expect(third.types.map(({ descriptor }) => descriptor.plugin)).toContain('a-b-de');
  });

  it('refer only to plugins that their own depends on', () => {
    const target = declareType('Leaf', { title: {} });
    const stranger = declareType('Stranger', { leaf: { type: 'REFERENCE', targetEntity: () => target } });
    const { failures } = compilePlugins([plugin('a', [target]), plugin('b', [stranger])]);

    expect([...failures]).toEqual([
      [
        'b',
        [
          'Item type Stranger: the target of leaf is a.Leaf, and package.json does not name "a" in gantry.dependsOn or gantry.optionalDependsOn',
        ],
      ],
    ]);
  });

  const unlisted = declareType('Unlisted', { title: {} });

  it.each<[string, TargetEntity, string]>([
    [
      'an undeclared plugin',
      'b.Nut',
      'b.Nut, and package.json does not name "b" in gantry.dependsOn or gantry.optionalDependsOn',
    ],
    ['a misspelt class', 'a.Laef', 'a.Laef, and a has no such type; it has Leaf, Branch'],
    ['a type code', 'leaf', '"leaf", which is not a qualified name: <plugin id>.<ClassName>, here a.Leaf'],
    ['no name at all', 'Some thing', '"Some thing", which is not a qualified name: <plugin id>.<ClassName>'],
    ['a plugin that is not in use', 'c.Thing', 'c.Thing, but the plugin c is not enabled'],
    ['a class of nobody', () => unlisted, 'the class Unlisted, which is not in itemTypes of any enabled plugin'],
    [
      'a module that is not loaded yet',
      () => undefined as never,
      "undefined, which happens when files import each other; name it as text: '<plugin id>.<ClassName>'",
    ],
  ])('say what is wrong with a reference to %s', (_what, targetEntity, problem) => {
    const { failures } = compilePlugins([
      plugin('a', [
        declareType('Leaf', { title: {} }),
        declareType('Branch', { leaf: { type: 'REFERENCE', targetEntity } }),
      ]),
      plugin('b', [declareType('Nut', { title: {} })]),
    ]);

    expect([...failures]).toEqual([['a', [`Item type Branch: the target of leaf is ${problem}`]]]);
  });

  it.each<[string, Declarations, object, string]>([
    [
      'a target whose module is not loaded yet',
      {
        leaf: {
          type: 'REFERENCE',
          targetEntity: () => {
            throw new ReferenceError('Leaf is not initialised');
          },
        },
      },
      {},
      'Item type Odd: ReferenceError: Leaf is not initialised',
    ],
    [
      'a column that is no data type',
      { title: { column: {} as never } },
      {},
      'Item type Odd: title has a column that is neither a DataType of sequelize-typescript nor the SQL of one',
    ],
    [
      'columns that are no list',
      { title: {} },
      { columns: 'title' },
      'Item type Odd: it has columns of @ItemType that are not a list of names',
    ],
  ])('fail for %s, and leave the other plugins as they are', (_what, fields, options, problem) => {
    const { types, failures } = compilePlugins([
      plugin('a', [declareType('Odd', fields, options)]),
      plugin('b', [declareType('Sound', { title: {} })]),
    ]);

    expect([types.map(({ descriptor }) => descriptor.className), [...failures]]).toEqual([
      ['Sound'],
      [['a', [problem]]],
    ]);
  });
});

function plugin(id: string, itemTypes: readonly ItemTypeClass[]): RegisteredPlugin {
  const manifest = { id, dependsOn: {}, optionalDependsOn: {} };
  return { manifest, definition: { id, itemTypes } } as unknown as RegisteredPlugin;
}
