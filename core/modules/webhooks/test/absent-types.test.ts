import { compareTypes, type TypesInUse } from '../src/delivery/absent-types';
import type { Position } from '@gantry/core-database';

const cursor: Position = ['1', '9', '9'];

describe('types of a subscription that are not in use', () => {
  it('are remembered with the position up to which they were read', () => {
    const stored = { readTables: ['shop_leaf', 'shop_twig'], absentTables: {} };

    expect(compareTypes(stored, cursor, inUse({ shop_twig: 'twig' }))).toEqual({
      readTables: ['shop_twig'],
      absentTables: { shop_leaf: '1.9.9' },
      missed: [],
    });
  });

  it('keep their position while they are not in use, and give the changes since then when they are again', () => {
    const stored = { readTables: ['shop_twig'], absentTables: { shop_leaf: '1.5.5' } };

    expect(compareTypes(stored, cursor, inUse({ shop_twig: 'twig' })).absentTables).toEqual({ shop_leaf: '1.5.5' });
    expect(compareTypes(stored, cursor, inUse({ shop_leaf: 'leaf', shop_twig: 'twig' }))).toEqual({
      readTables: ['shop_leaf', 'shop_twig'],
      absentTables: {},
      missed: [{ table: 'shop_leaf', type: 'leaf', after: ['1', '5', '5'] }],
    });
  });

  it('are read from where a replay begins', () => {
    const stored = { readTables: [], absentTables: { shop_leaf: '2.1.1' } };

    expect(compareTypes(stored, cursor, inUse({})).absentTables).toEqual({ shop_leaf: '1.9.9' });
  });

  it('are forgotten when the subscription is not about them any more', () => {
    const stored = { readTables: ['shop_twig'], absentTables: { shop_leaf: '1.5.5' } };
    const types: TypesInUse = { wanted: new Map([['shop_twig', 'twig']]), isInUse: () => true };

    expect(compareTypes(stored, cursor, types)).toEqual({ readTables: ['shop_twig'], absentTables: {}, missed: [] });
  });
});

function inUse(types: Readonly<Record<string, string>>): TypesInUse {
  return { wanted: new Map(Object.entries(types)), isInUse: (table) => table in types };
}
