import { accepted, defineFieldKind, type ItemTypeClass } from '@gantry/plugin-api';
import { compilePlugins, tablesOf } from '@gantry/core-content';
import { bringUpToDate, type SchemaOutcome } from '@gantry/core-database';
import { declareType } from '../../../../test/support/content/declare-type';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

const empty = useEmptyDatabase();

const cards = defineFieldKind({
  name: 'Card',
  column: 'JSONB',
  parse: (value) => accepted(JSON.stringify(value)),
  convert: (text) => accepted(text),
  jsonSchema: () => ({ type: 'array' }),
  links: { sql: (column) => column, find: () => [], map: (value) => value },
});

async function start(...models: readonly ItemTypeClass[]): Promise<SchemaOutcome> {
  const manifest = { id: 'club', displayName: 'Club', dependsOn: {}, optionalDependsOn: {} };
  const { types, failures } = compilePlugins([{ manifest, definition: { itemTypes: models, fieldKinds: [cards] } }]);
  expect([...failures]).toEqual([]);
  const outcome = await bringUpToDate({
    databaseUrl: empty.database.url,
    plugins: [
      {
        id: 'club',
        migrations: [],
        tables: types.flatMap(({ descriptor }) =>
          tablesOf(descriptor, (code) => `club_${code}`, { columns: [], indexes: [] }),
        ),
      },
    ],
    logger: createRecordedLogger(),
  });
  expect(outcome.failures).toEqual([]);
  return outcome;
}

const card = { type: 'club.Card' } as const;
const rows = async (sql: string): Promise<readonly object[]> => (await empty.client.query<object>(sql)).rows;
const toPerson = (id: number): string => `[{"type":"person","id":"${id}"}]`;

describe('links within values of types and fields that are renamed', () => {
  it('stay, also where values have the earlier code of the type', async () => {
    const person = declareType('Person', { name: {} });
    await start(person, declareType('Note', { body: { ...card, linkTargets: [() => person] } }));
    await rows(`INSERT INTO club_person (name) VALUES ('Ann'), ('Bob')`);
    await rows(`INSERT INTO club_note (body) VALUES ('${toPerson(1)}')`);

    const member = declareType('Member', { name: {} }, { renamedFrom: 'person' });
    const text = { ...card, linkTargets: [() => member], renamedFrom: 'body' };
    const memo = declareType('Memo', { text }, { renamedFrom: 'note' });
    await start(member, memo);
    expect(await rows('SELECT * FROM club_memo_text_links')).toEqual([{ item_id: '1', position: 1, to_member: '1' }]);
    await rows(`UPDATE club_memo SET text = '[{"type":"member","id":"1"},{"type":"person","id":"2"}]'`);
    expect(await rows('SELECT to_member FROM club_memo_text_links ORDER BY position')).toEqual([
      { to_member: '1' },
      { to_member: '2' },
    ]);
    await expect(rows('DELETE FROM club_member WHERE id = 2')).rejects.toThrow('club_memo_text_links');
    // Another start finds everything as it is.
    expect((await start(member, memo)).applied).toEqual([]);
    expect(await rows(`SELECT tgname FROM pg_trigger WHERE tgname ~ 'gantry_links'`)).toEqual([
      { tgname: 'gantry_links_club_memo_text_links' },
    ]);
  });

  it('to a type that the field does not have any more are forgotten with the next change of their item', async () => {
    const [person, place] = [declareType('Person', { name: {} }), declareType('Place', { name: {} })];
    const note = (...targets: readonly ItemTypeClass[]): ItemTypeClass =>
      declareType('Note', { body: { ...card, linkTargets: targets.map((target) => () => target) } });
    await start(person, place, note(person, place));
    await rows(`INSERT INTO club_person (name) VALUES ('Ann')`);
    await rows(`INSERT INTO club_note (body) VALUES ('${toPerson(1)}')`);
    await start(person, place, note(place));
    await rows(`UPDATE club_note SET body = '[]'`);
    await rows('DELETE FROM club_person');
    expect(await rows('SELECT * FROM club_note_body_links')).toEqual([]);
  });
});

describe('a field that is renamed and keeps its column', () => {
  it('has its history under the name of today, also of deleted items, references and links', async () => {
    const many = { type: 'REFERENCE', cardinality: 'MULTIPLE' } as const;
    const place = declareType('Place', { name: {} });
    await start(
      place,
      declareType('Note', {
        itemNo: {},
        catRef: { type: 'REFERENCE', targetEntity: () => place },
        someTags: { ...many, targetEntity: () => place },
      }),
    );
    await rows(`INSERT INTO club_place (name) VALUES ('p')`);
    await rows(`INSERT INTO club_note (item_no, cat_ref_id) VALUES ('one', 1), ('two', 1)`);
    await rows('INSERT INTO club_note_some_tags VALUES (1, 1, 1)');
    await rows('DELETE FROM club_note WHERE id = 2');

    const next = declareType('Note', {
      item_no: { renamedFrom: ['itemno', 'itemNo'] },
      cat_ref: { type: 'REFERENCE', targetEntity: () => place, renamedFrom: 'catRef' },
      some_tags: { ...many, targetEntity: () => place, renamedFrom: 'someTags' },
    });
    await start(place, next);
    const history = `SELECT item_id, values ? 'itemNo' OR values ? 'catRef' OR values ? 'someTags' AS old,
      values ->> 'item_no' AS no, values -> 'cat_ref' AS ref, labels -> 'cat_ref' AS labels
      FROM gantry_change WHERE item_table = 'club_note' ORDER BY sequence`;
    const own = { old: false, ref: 1, labels: { 1: 'p' } };
    const before = await rows(history);
    expect(before).toContainEqual({ ...own, item_id: '1', no: 'one' });
    expect(before.at(-1)).toEqual({ ...own, item_id: '2', no: 'two' });
    expect(before).toEqual(before.map((row) => expect.objectContaining({ ...row, old: false })));

    await rows(`UPDATE club_note SET item_no = 'three'`);
    expect((await rows(history)).at(-1)).toEqual({ ...own, item_id: '1', no: 'three' });
    expect((await start(place, next)).applied).toEqual([]);
  });
});
