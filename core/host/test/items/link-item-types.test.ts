import type { ItemTypeClass } from '@gantry/plugin-api';
import { compilePlugins } from '../../src/items/link-item-types';
import type { RegisteredPlugin } from '../../src/plugins';
import { declareType, type Declarations } from './support/declare-type';

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
  });

  it('refer only to plugins that their own depends on', () => {
    const target = declareType('Leaf', { title: {} });
    const stranger = declareType('Stranger', { leaf: { type: 'REFERENCE', targetEntity: () => target } });
    const { failures } = compilePlugins([plugin('a', [target]), plugin('b', [stranger])]);

    expect([...failures.keys()]).toEqual(['b']);
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
      'Item type Odd: TypeError: a column has a type that is no DataType',
    ],
    [
      'columns that are no list',
      { title: {} },
      { columns: 'title' },
      expect.stringMatching(/^Item type Odd: TypeError/),
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
