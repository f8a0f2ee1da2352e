import { compilePlugins, createItemTypes } from '@gantry/core-content';
import { Field } from '@gantry/plugin-api';
import { declareType } from '../../../../test/support/content/declare-type';
import { referenceKeyOf } from '../src/reference/reference-key';

it('is made of fields of the type, not of those that another plugin adds', () => {
  class Racing {
    @Field({ displayName: 'Number', required: true }) declare number: string;
  }
  const Boat = declareType('Boat', { name: {} }, { unique: [['name']] });
  const manifest = { displayName: '', optionalDependsOn: {} };
  const { types } = compilePlugins([
    { manifest: { ...manifest, id: 'boats', dependsOn: {} }, definition: { itemTypes: [Boat] } },
    {
      manifest: { ...manifest, id: 'races', dependsOn: { boats: '*' } },
      definition: { extraFields: [{ type: () => Boat, fields: Racing, unique: [['number']] }] },
    },
  ]);
  const all = createItemTypes(types);
  const boat = all.find('boat')?.descriptor;

  expect(boat?.unique).toEqual([['name'], ['races$number']]);
  expect(boat && referenceKeyOf(boat, all)?.parts.map(({ field }) => field.name)).toEqual(['name']);
});
