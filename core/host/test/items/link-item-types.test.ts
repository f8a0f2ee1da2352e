import type { ItemTypeClass } from '@gantry/plugin-api';
import { compilePlugins } from '../../src/items/link-item-types';
import type { RegisteredPlugin } from '../../src/plugins';
import { declareType } from './support/declare-type';

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
});

function plugin(id: string, itemTypes: readonly ItemTypeClass[]): RegisteredPlugin {
  const manifest = { id, dependsOn: {}, optionalDependsOn: {} };
  return { manifest, definition: { id, itemTypes } } as unknown as RegisteredPlugin;
}
