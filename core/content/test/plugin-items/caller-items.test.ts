import { BaseItem, Field, ItemType, type Caller, type ItemStore, type ItemTypeClass } from '@gantry/plugin-api';
import { BeforeCreate } from 'sequelize-typescript';
import { createItemStore } from '../../src/plugin-items/create-item-store';
import { createOpenPolicy } from '../../src/policy/open-policy';
import { createRolePolicy } from '../../src/policy/role-policy';
import { userScope } from '../../src/policy/scope';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';

@ItemType()
class Note extends BaseItem {
  @Field({ displayName: 'Text' }) declare text: string | null;
}

/** A model with a hook, whose items are written through Sequelize. */
@ItemType()
class Draft extends BaseItem {
  @Field({ displayName: 'Text' }) declare text: string | null;

  @BeforeCreate
  static trim(item: Draft): void {
    item.text = item.text?.trim() ?? null;
  }
}

@ItemType()
class Secret extends BaseItem {
  @Field({ displayName: 'Text' }) declare text: string | null;
}

const ann: Caller = { kind: 'person', id: '7', name: 'Ann', login: 'ann@example.com', permissions: [] };

describe('the items of a plugin, as a caller', () => {
  let content: OpenTypes;
  let items: ItemStore;

  beforeAll(async () => {
    content = await openTypes([Note, Draft, Secret] as unknown as readonly ItemTypeClass[]);
    const { repository, writer, types } = content;
    const plugin = 'workshop';
    const where = [{ field: 'createdBy', operator: 'EQUALS', value: '$user.id' }] as const;
    const policy = createRolePolicy(
      types,
      [
        { on: { plugin, type: 'note' }, actions: ['read', 'create'], where },
        { on: { plugin, type: 'draft' }, actions: ['read', 'create', 'update'] },
      ],
      { id: ann.id, login: 'ann@example.org' },
    );
    const access = {
      ...{ policy: createOpenPolicy(types), repository, writer },
      scopeOf: (caller: Caller) => (caller === ann ? userScope(policy, caller.id, 'none') : undefined),
    };
    items = createItemStore({ plugin, access: () => access });
  });
  afterAll(() => content.close());

  it('are those that the roles of the caller show', async () => {
    await items.of(Note).create({ text: 'of another' });
    const own = await items.as(ann).of(Note).create({ text: 'own' });

    expect((await items.as(ann).of(Note).list({})).items).toEqual([own]);
    expect((await items.of(Note).list({})).items).toHaveLength(2);
    await expect(items.as(ann).transaction((inside) => inside.of(Note).count({}))).resolves.toBe(1);
    await expect(items.as(ann).of(Note).update(own.id, { text: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(items.as(ann).of(Secret).count({})).rejects.toMatchObject({ code: 'TYPE_NOT_FOUND' });
  });

  it('are used by the code of their type, with its metadata as the caller may see it', async () => {
    const notes = items.as(ann).byType('note');
    const { id } = await notes.create({ text: 'by code' });
    await expect(notes.get(id)).resolves.toMatchObject({ text: 'by code' });
    await expect(items.transaction((inside) => inside.byType('note').count({ id }))).resolves.toBe(1);

    expect(notes.metadata().fields.map(({ name }) => name)).toEqual(['text']);
    expect(notes.metadata().actions).toEqual(['read', 'create']);
    for (const code of ['secret', 'nothing']) {
      expect(() => items.as(ann).byType(code).metadata()).toThrow(`CMS Type not found: ${code}`);
      await expect(items.as(ann).byType(code).count({})).rejects.toMatchObject({ code: 'TYPE_NOT_FOUND' });
    }
  });

  it('name the caller as who wrote them', async () => {
    await items.of(Draft).create({ text: 'a' });
    await items.as(ann).of(Draft).updateWhere({ text: 'a' }, { text: 'b' });
    await items.as(ann).of(Draft).create({ text: 'c' });

    expect(await content.rows('SELECT created_by, updated_by FROM workshop_draft ORDER BY id')).toEqual([
      { created_by: null, updated_by: '7' },
      { created_by: '7', updated_by: '7' },
    ]);
  });

  it('are nothing for a caller that the platform has not made', async () => {
    await expect(
      items
        .as({ ...ann })
        .of(Note)
        .count({}),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
