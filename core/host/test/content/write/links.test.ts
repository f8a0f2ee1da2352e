import { itemActions, type Failure } from '@gantry/contracts';
import { accepted, defineFieldKind, refused, type ItemLink, type ItemTypeClass } from '@gantry/plugin-api';
import {
  createFieldTypes,
  type FieldType,
  pluginFieldType,
  shippedFieldTypes,
  tablesOf,
  createOpenPolicy,
  type Policy,
  createRolePolicy,
  userScope,
} from '@gantry/core-content';
import { createLinksTrigger } from '@gantry/core-database';
import { requestIdOf } from '@gantry/core-http';
import { declareType, problemsOfFields } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems } from '../support/serve-items';
import { emptyTables } from '../../../../../test/support/empty-tables';

interface Card {
  readonly text: string;
  readonly to: readonly ItemLink[];
}

const isCard = (value: unknown): value is Card => typeof value === 'object' && value !== null && 'to' in value;

/** A kind that a plugin could have: a text with a list of the items that it mentions. */
const cardKind = defineFieldKind({
  name: 'Card',
  column: 'JSONB',
  rowType: 'object',
  parse: (value) => (isCard(value) ? accepted(JSON.stringify(value)) : refused('WRONG_TYPE', 'must be a card')),
  convert: (text) => accepted(text),
  jsonSchema: () => ({ type: 'object' }),
  json: (column) => `${column}::text`,
  toFileJson: (text) => text,
  links: {
    sql: (column) => `(${column} -> 'to')`,
    find: (value) => (JSON.parse(String(value)) as Card).to,
    map: (value, replace) =>
      isCard(value) ? { ...value, to: value.to.flatMap((link) => replace(link) ?? []) } : value,
  },
});
const fieldTypes = createFieldTypes([
  ...(shippedFieldTypes.all as readonly [FieldType, ...FieldType[]]),
  pluginFieldType('cards', cardKind),
]);

const code = { code: { searchable: true } };
const Person = declareType('Person', code);
const Place = declareType('Place', code);
const Note: ItemTypeClass = declareType('Note', {
  ...code,
  body: { type: 'cards.Card', linkTargets: [() => Person, () => Place, () => Note] },
});
const Memo = declareType('Memo', {
  ...code,
  body: { type: 'cards.Card', required: true, linkTargets: [() => Person], onDelete: 'removeLink' },
});
const models = [Person, Place, Note, Memo] as const;

const to = (...links: readonly (readonly [type: string, id: string])[]): Card => ({
  text: 'See',
  to: links.map(([type, id]) => ({ type, id })),
});

describe('links within values of a kind of a plugin', () => {
  let content: OpenTypes;
  let policy: Policy;
  let address: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    content = await openTypes(models, fieldTypes);
    const served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)), fieldTypes);
    address = served.address;
    close = () => served.close();
  });
  beforeEach(async () => {
    policy = createOpenPolicy(content.types);
    await content.rows(emptyTables('workshop_%'));
  });
  afterAll(() => close());

  const add = async (model: ItemTypeClass, values: object = {}): Promise<string> =>
    (
      await content
        .items('workshop')
        .of(model)
        .create(values as never)
    ).id;
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${address}/api/cms/items/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, ...((text === '' ? {} : JSON.parse(text)) as Partial<Failure>) };
  };
  const linksOf = (table: string) => content.rows(`SELECT * FROM ${table} ORDER BY item_id, position`);

  it('are rows of a table with foreign keys, whichever way a value is written', async () => {
    const [ann, home] = [await add(Person), await add(Place)];
    const note = await add(Note, { body: to(['place', home], ['person', ann]) });
    const none = { to_person: null, to_place: null, to_note: null };
    expect(await linksOf('workshop_note_body_links')).toEqual([
      { item_id: note, position: 1, ...none, to_place: home },
      { item_id: note, position: 2, ...none, to_person: ann },
    ]);
    await content.rows(`UPDATE workshop_note SET body = '{"text":"","to":[]}'`);
    expect(await linksOf('workshop_note_body_links')).toEqual([]);
    await expect(
      content.rows(`UPDATE workshop_note SET body = '{"text":"","to":[{"type":"person","id":"77"}]}'`),
    ).rejects.toThrow('workshop_note_body_links_to_person_fkey');
  });

  it('are found by items of plugins, and keep what they lead to', async () => {
    const ann = await add(Person);
    await add(Note, { body: to(['person', ann]) });
    await expect(content.items('workshop').of(Person).remove(ann)).rejects.toMatchObject({
      code: 'ITEM_REFERENCED',
      details: [{ path: 'note.body', code: 'REFERENCED_BY' }],
    });
    await expect(add(Note, { body: to(['person', '77']) })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'body', code: 'REFERENCE_NOT_FOUND' }],
    });
  });

  it('are checked as a hook leaves them', async () => {
    const hook = (note: InstanceType<ItemTypeClass>): unknown =>
      note.set('body' as never, JSON.stringify(to(['person', '77'])) as never);
    Note.addHook('beforeSave', 'bad', hook as never);
    try {
      expect(await send('POST', 'note', { code: 'a', body: to() })).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_FAILED' },
      });
    } finally {
      Note.removeHook('beforeSave', 'bad');
    }
  });

  it('are removed by onDelete removeLink, also of a required value, once that is confirmed', async () => {
    const [ann, bob] = [await add(Person), await add(Person)];
    const memo = await add(Memo, { body: to(['person', ann], ['person', bob]) });
    expect(await send('DELETE', `person/${ann}`)).toMatchObject({
      status: 409,
      error: { code: 'CONFIRMATION_REQUIRED', deletion: { confirm: 'memo.update=1' } },
    });
    const rules = ['memo', 'note'].map(async (type) =>
      (await fetch(`${address}/api/cms/items/${type}/metadata`)).text(),
    );
    expect((await Promise.all(rules)).map((text) => /"onDelete":"(\w+)"/.exec(text)?.[1])).toEqual([
      'removeLink',
      undefined,
    ]);
    expect((await send('DELETE', `person/${ann}?confirm=all`)).status).toBe(204);
    expect((await content.rows(`SELECT body, version FROM workshop_memo WHERE id = ${memo}`))[0]).toEqual({
      body: to(['person', bob]),
      version: 2,
    });
    expect(await linksOf('workshop_memo_body_links')).toEqual([{ item_id: memo, position: 1, to_person: bob }]);
  });

  it('to what a policy hides are refused as if it did not exist, unless they were there before', async () => {
    const [ann, bob] = [await add(Person, { code: 'ann' }), await add(Person, { code: 'bob' })];
    const note = await add(Note, { code: 'n', body: to(['person', ann]) });
    const grant = (type: string, where = {}) => ({ on: { plugin: 'workshop', type }, actions: itemActions, ...where });
    const user = { id: '7', login: 'ann@example.org' };
    const bobOnly = { where: [{ field: 'code', operator: 'EQUALS', value: 'bob' }] };
    for (const grants of [[grant('note')], [grant('note'), grant('person', bobOnly)]]) {
      policy = createRolePolicy(content.types, grants, user);
      const seesBob = grants.length > 1;
      const kept = await send('PATCH', `note/${note}`, { body: { ...to(['person', ann]), text: `kept ${seesBob}` } });
      expect(kept.status).toBe(200);
      const other = await send('POST', 'note', { body: to(['person', ann]) });
      expect([other.status, other.error?.details?.[0]]).toMatchObject([400, { code: 'REFERENCE_NOT_FOUND' }]);
      const message = other.error?.details?.[0]?.message;
      expect([message?.includes(` ${ann}`), message?.includes('Person')]).toEqual([true, seesBob]);
      expect((await send('POST', 'note', { body: to(['person', bob]) })).status).toBe(seesBob ? 201 : 400);
    }
    policy = createRolePolicy(content.types, [grant('person')], user);
    const refusal = await send('DELETE', `person/${ann}`);
    expect([refusal.status, refusal.error?.code, refusal.error?.details]).toEqual([409, 'ITEM_REFERENCED', []]);
    expect(refusal.error?.message).not.toMatch(/note/i);
  });

  it('of values that are there before the table are found, apart from those to items that are gone', async () => {
    const ann = await add(Person);
    const note = await add(Note, { body: to(['person', ann]) });
    const type = content.types.find('note');
    const tables = tablesOf(type?.descriptor as never, (one) => `workshop_${one}`, { columns: [], indexes: [] });
    const table = tables.find(({ itemLinks }) => itemLinks !== undefined);
    if (table?.itemLinks === undefined) throw new Error('There is no table of links.');
    await content.rows(`DROP TRIGGER gantry_links_workshop_note_body_links ON workshop_note`);
    await content.rows(`UPDATE workshop_note SET body = '${JSON.stringify(to(['person', ann], ['person', '77']))}'`);
    await content.rows('DELETE FROM workshop_note_body_links');
    await content.rows(createLinksTrigger(table, table.itemLinks));
    expect(await linksOf('workshop_note_body_links')).toMatchObject([{ item_id: note, to_person: ann }]);
  });
});

describe('a declaration of links', () => {
  const card = { type: 'cards.Card' } as const;
  it.each([
    [
      { ...card, linkTargets: [] },
      "value has linkTargets that are not a list of types, such as [() => Product, 'articles.Article']",
    ],
    [
      { ...card, linkTargets: ['missing.Type'] },
      'value may not link to a target: it is missing.Type, which is nowhere',
    ],
    [{ ...card, linkTargets: ['other.Thing', 'other.Thing'] }, 'value has thing in linkTargets twice'],
    [{ ...card, onDelete: 'removeLink' }, 'value has onDelete removeLink, but it has no linkTargets'],
    [
      { ...card, linkTargets: ['other.Thing'], onDelete: 'cascade' },
      'value has onDelete cascade, but links within a value can only be removed; use removeLink or restrict',
    ],
    [
      { ...card, linkTargets: ['other.Thing'], onDelete: 'removeLink', editableOnUpdate: false },
      'value has onDelete removeLink, but it cannot be changed after the item is created (editableOnUpdate)',
    ],
    [{ linkTargets: ['other.Thing'] }, 'value has linkTargets but its type is not LINK or cards.Card'],
  ])('is refused: %j', (value, problem) => {
    expect(problemsOfFields({ value: value as never }, {}, fieldTypes)).toEqual([problem]);
  });

  it.each([{}, { sql: 'x', find: () => [], map: () => 1 }, { sql: () => '', find: () => [] }])(
    'of a kind needs its functions: %j',
    (links) => {
      const { column, parse, convert, jsonSchema } = {
        column: 'JSONB',
        parse: refused,
        convert: refused,
        jsonSchema: () => ({}),
      };
      expect(() => defineFieldKind({ name: 'Bad', column, parse, convert, jsonSchema, links } as never)).toThrow(
        /^links .* Bad .* sql, find and map$/,
      );
    },
  );
});
