import { z } from 'zod';
import { BaseItem, Field, ItemType, route, type ItemCollection, type WriteHookDefinition } from '@gantry/plugin-api';

@ItemType({})
class Recipe extends BaseItem {
  @Field({ displayName: 'Title', required: true }) declare title: string;
  @Field({ displayName: 'State', required: true, default: 'DRAFT' }) declare state?: 'DRAFT' | 'READY';
  @Field({ displayName: 'Tested' }) declare tested: Date | null;
  @Field({ displayName: 'Tags', options: ['quick', 'cold'], cardinality: 'MULTIPLE' }) declare tags: string[];
}

// The types are tested by `npm run check`, which compiles this file: a line that should be refused and is not fails there.

it('a new item has the fields that its class needs', async () => {
  const created: unknown[] = [];
  const recipes: Pick<ItemCollection<Recipe>, 'create'> = {
    create: async (values) => {
      created.push(values);
      throw new Error('nothing is stored');
    },
  };
  await expect(recipes.create({ title: 'Soup' })).rejects.toThrow('stored');
  // @ts-expect-error A recipe needs a title.
  await expect(recipes.create({ state: 'READY' })).rejects.toThrow('stored');
  // @ts-expect-error The title is not null.
  await expect(recipes.create({ title: null })).rejects.toThrow('stored');

  expect(created).toHaveLength(3);
});

it('a list is sorted by fields with one value', () => {
  type Options = NonNullable<Parameters<ItemCollection<Recipe>['list']>[1]>;
  // @ts-expect-error Several values have no order.
  const byTags: Options = { sort: 'tags' };

  expect([{ sort: '-tested' } satisfies Options, byTags]).toHaveLength(2);
});

it('items have the extra fields of a plugin by its name', () => {
  class Rating {
    @Field({ displayName: 'Stars', type: 'NUMBER' }) declare stars: number;
  }
  const read = (recipes: ItemCollection<Recipe>) =>
    recipes.with('ratings', Rating).find({ ratings$stars: { moreThan: 3 } });
  // @ts-expect-error Another plugin has added them.
  const other = (recipes: ItemCollection<Recipe>) => recipes.with('ratings', Rating).find({ reviews$stars: 3 });
  const create = (recipes: ItemCollection<Recipe>) =>
    recipes.with('ratings', Rating).create({ title: 'Soup', ratings$stars: 5 });
  const stars = async (recipes: ItemCollection<Recipe>): Promise<number | null | undefined> =>
    (await read(recipes))?.ratings$stars;

  expect([read, other, create, stars]).toHaveLength(4);
});

it('a hook gets values that may be left out or null, as JSON has them', () => {
  const hook: WriteHookDefinition<Recipe> = {
    types: ['recipe'],
    beforeWrite({ values, current }) {
      // @ts-expect-error The title may not be among the values that change.
      values.title.trim();
      // @ts-expect-error A new item was nothing before.
      const before: unknown = current.tested;
      const tested: string | null | undefined = values.tested;
      return before === tested ? undefined : { problems: [{ field: 'tested', message: 'is set once' }] };
    },
  };

  // @ts-expect-error A recipe has no such field.
  const misnamed: WriteHookDefinition<Recipe> = { types: [], beforeWrite: () => ({ values: { tittle: 'Soup' } }) };

  const hooks: readonly WriteHookDefinition[] = [hook, misnamed];
  expect(hooks[0]?.types).toEqual(['recipe']);
});

it('a route has the parameters of its path', () => {
  const parts = { method: 'GET', operationId: 'recipe', summary: 'A recipe', access: 'signed-in' } as const;
  const shown = route({
    ...parts,
    path: '/recipes/:id/steps/:step',
    handler: async ({ params }) => {
      // @ts-expect-error The path has no such parameter.
      const { id, step, language } = params;
      return { headers: { 'x-step': `${id} ${step} ${language}` } };
    },
  });
  const misnamed = route({
    ...parts,
    path: '/recipes/:id',
    // @ts-expect-error The path has no parameter of this name.
    params: z.object({ code: z.string() }),
    handler: async () => ({}),
  });

  expect([shown.path, misnamed.path]).toEqual(['/recipes/:id/steps/:step', '/recipes/:id']);
});
