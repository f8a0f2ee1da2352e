import { BaseItem, Field, ItemType, type ItemTypeClass } from '@gantry/plugin-api';
import { Column } from 'sequelize-typescript';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import { linkModels, type LinkRegistry } from '../../src/link/link-plugins';
import { declareType, type Declarations } from '../../../../test/support/content/declare-type';

describe('linking the models of plugins', () => {
  it('quarantines a plugin that has a column without a type, and links the rest', async () => {
    const odd = declareType('Odd', { title: {} });
    Column({ type: {} as never })(odd.prototype as object, 'shape');

    expect(await link({ first: [sound('First')], odd: [odd], last: [sound('Last')] })).toEqual({
      types: ['First', 'Last'],
      schemas: ['first', 'last'],
      failures: [['odd', 'MODEL_INVALID', expect.stringMatching(/: TypeError: .*DataType/)]],
    });
  });

  it('quarantines a plugin whose model cannot be associated with what it refers to, and links the rest', async () => {
    const target = sound('Target');
    const odd = declareType('Odd', { other: { type: 'REFERENCE', targetEntity: () => target } });
    Object.defineProperty(odd, 'belongsTo', {
      value() {
        throw new Error('belongs to nobody');
      },
    });

    expect(await link({ odd: [odd, target], last: [sound('Last')] })).toEqual({
      types: ['Last'],
      schemas: ['last'],
      failures: [['odd', 'MODEL_INVALID', expect.stringMatching(/: belongs to nobody$/)]],
    });
  });

  it('quarantines a plugin whose class fields would hide the values of its items', async () => {
    // As compilers make them for es2022 where the author left out declare.
    class Bare extends BaseItem {
      title = undefined;
      other = undefined;
    }
    Field({ displayName: 'Title' })(Bare.prototype, 'title');
    Field({ displayName: 'Other', type: 'REFERENCE', targetEntity: () => Bare as ItemTypeClass })(
      Bare.prototype,
      'other',
    );
    ItemType()(Bare as ItemTypeClass);
    // Sequelize writes its own warning from a timer.
    const warned = new Promise<unknown>((resolve) => jest.spyOn(console, 'warn').mockImplementation(resolve));

    expect(await link({ bare: [Bare as ItemTypeClass], last: [sound('Last')] })).toEqual({
      types: ['Last'],
      schemas: ['last'],
      failures: [['bare', 'MODEL_INVALID', expect.stringMatching(/ Bare has title, other as class fields.* declare /)]],
    });
    expect(await warned).toMatch('declaring public class fields');
    jest.restoreAllMocks();
  });
});

function sound(className: string): ItemTypeClass {
  const fields: Declarations = { title: {} };
  return declareType(className, fields);
}

/** Links these item types by plugin id, with a registry that only remembers which plugins failed. */
async function link(itemTypes: Readonly<Record<string, readonly ItemTypeClass[]>>) {
  const failures: [string, string, string][] = [];
  const plugins = Object.entries(itemTypes).map(([id, types]) => registered(id, types));
  const registry: LinkRegistry = {
    registeredPlugins: () => plugins.filter(({ manifest }) => failures.every(([id]) => id !== manifest.id)),
    fail: (id, _phase, { code, reason }) => void failures.push([id, code, reason]),
  };
  // Connects when it is first used, which linking models does not.
  const sequelize = createSequelize('postgres://127.0.0.1:1/none');
  const { types, schemas } = linkModels({ registry, sequelize });
  await sequelize.close();
  return { types: types.map(({ descriptor }) => descriptor.className), schemas: schemas.map(({ id }) => id), failures };
}

function registered(
  id: string,
  itemTypes: readonly ItemTypeClass[],
): ReturnType<LinkRegistry['registeredPlugins']>[number] {
  const manifest = { id, displayName: id, version: '1.0.0', dependsOn: {}, optionalDependsOn: {} };
  return { manifest, definition: { itemTypes } };
}
