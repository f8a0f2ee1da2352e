import { BaseItem, Field, ItemType, type ItemTypeClass } from '@gantry/plugin-api';
import { isPlainModel } from '../../src/write/plain-model';
import { restrictTypes } from '../../src/policy/restrict-types';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';

@ItemType()
class Entry extends BaseItem {
  @Field({ displayName: 'Name', required: true }) declare name: string;
  @Field({ displayName: 'Secret' }) declare secret: string | null;
}

let content: OpenTypes;
beforeAll(async () => {
  content = await openTypes([Entry as ItemTypeClass]);
});
afterAll(() => content.close());

describe('a model that adds nothing to its fields', () => {
  it('is one for a policy that hides some of them, and for others after it', () => {
    const restricted = restrictTypes(content.types, () => ({
      actions: ['read', 'create'],
      showsField: ({ name }) => name !== 'secret',
      isCreatable: () => true,
      isUpdatable: () => true,
      shownOn: () => undefined,
      showsAuthors: true,
      rows: undefined,
    }));

    expect([...restricted.all, ...content.types.all].map((type) => isPlainModel(type))).toEqual([true, true]);
  });
});
