import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { createOpenPolicy, userScope, tablesOf } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { bringUpToDate } from '@gantry/core-database';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import { compile, declareType, type Declarations } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';
import { emptyTables } from '../../../../../test/support/empty-tables';

/** As it is declared today; the columns of the tests are wider, as those of an earlier version may be. */
const Thing = declareType(
  'Thing',
  {
    key: { required: true, searchable: true, pattern: '[a-z]+' },
    short: { maxLength: 3, searchable: true },
    low: { type: 'NUMBER', column: 'DECIMAL(10,2)', min: 10, searchable: true },
    whole: { type: 'NUMBER', column: 'INTEGER', searchable: true },
    day: { type: 'DATE', min: '2026-01-01' },
    at: { type: 'DATETIME', min: '2026-01-01T00:00:00Z' },
    state: { type: 'ENUM', options: ['NEW'] },
    states: { type: 'ENUM', options: ['NEW'], cardinality: 'MULTIPLE' },
    word: { options: ['new'] },
    owner: { required: true },
    note: {},
  },
  { unique: [['key']] },
);
const values = {
  ...{ key: 'OLD', short: 'longer', low: 1.5, whole: 1, day: '2025-01-01', at: '2025-01-01T00:00:00.000Z' },
  ...{ state: 'GONE', states: ['GONE', 'NEW'], word: 'gone', owner: null, note: 'x' },
};
const targets = () => [declareType('Owner', { name: {} }), declareType('Shop', { name: {} })] as const;
const [Owner, Shop] = targets();
const toOwner = { type: 'REFERENCE', targetEntity: () => Owner } as const;
const toShop = { type: 'REFERENCE', targetEntity: () => Shop } as const;
const many = { cardinality: 'MULTIPLE' } as const;
const partOf = (fields: Declarations) => declareType('Part', { code: { searchable: true }, ...fields });
const partOfToday: Declarations = {
  ...{ moved: toOwner, movedList: { ...toOwner, ...many }, wasText: toOwner },
  ...{ grown: { ...toOwner, ...many }, shrunk: toOwner },
};
const earlierPart: Declarations = {
  ...{ moved: toShop, movedList: { ...toShop, ...many }, wasText: { type: 'NUMBER' } },
  ...{ grown: toOwner, shrunk: { ...toOwner, ...many } },
};

let content: OpenTypes;
let served: ServedItems;
beforeAll(async () => {
  content = await openTypes([Thing, Owner, Shop, partOf(partOfToday)]);
  served = await serveItems(content, (request) =>
    userScope(createOpenPolicy(content.types), '7', requestIdOf(request)),
  );
  for (const [column, type] of [
    ['short', 'VARCHAR(40)'],
    ['low', 'NUMERIC'],
    ['whole', 'NUMERIC'],
  ]) {
    await content.rows(`ALTER TABLE workshop_thing ALTER COLUMN ${column} TYPE ${type}`);
  }
  await content.rows('ALTER TABLE workshop_thing ALTER COLUMN owner DROP NOT NULL');
});
beforeEach(async () => {
  await content.rows(emptyTables('workshop_%'));
  await content.rows(
    `INSERT INTO workshop_thing (key, short, low, whole, day, at, state, states, word, note, version, created_at, updated_at)
     VALUES ('OLD', 'longer', 1.5, 1, '2025-01-01', '2025-01-01T00:00Z', 'GONE', '["GONE","NEW"]', 'gone', 'x', 1, now(), now())`,
  );
});
afterAll(() => served.close());

const path = '/api/cms/items/thing';
const patch = (sent: object): Promise<Answer> => sendJson(served.address, 'PATCH', `${path}/1`, sent);
const paths = ({ json }: Answer): readonly string[] =>
  (json.error?.details ?? json.data?.details ?? []).map(
    (one: { path: string; code: string }) => `${one.path} ${one.code}`,
  );

describe('a value that the item has, and that a rule of today refuses', () => {
  it('is no change when it is sent again', async () => {
    const answer = await patch({ ...values, note: 'y' });

    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    expect(answer.json.data.values).toMatchObject({
      ...values,
      at: '2025-01-01T00:00:00+00:00',
      note: 'y',
      version: 2,
    });
    expect((await patch({ ...values, note: 'y' })).json.data.values.version).toBe(2);
  });

  it('is refused where it differs, and for a new item', async () => {
    const other = {
      ...values,
      key: 'OTHER',
      short: 'other',
      low: 2,
      day: '2025-01-02',
      state: 'PAST',
      states: ['GONE'],
    };
    expect(paths(await patch(other))).toEqual([
      ...['key PATTERN', 'short TOO_LONG', 'low OUT_OF_RANGE', 'day OUT_OF_RANGE', 'state NOT_AN_OPTION'],
      'states NOT_AN_OPTION',
    ]);
    expect((await sendJson(served.address, 'POST', path, { ...values, key: 'NEXT' })).json.error.details).toHaveLength(
      9,
    );
  });

  it.each(['csv', 'jsonl'])('is no change in an export of %s that is imported again', async (format) => {
    const exported = await send(served.address, `/api/cms/exports/thing?format=${format}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    });
    const headers = { 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' };
    const take = (body: string, by: string): Promise<Answer> =>
      send(served.address, `/api/cms/imports/thing?match=${by}`, { method: 'POST', headers, body });
    const again = await take(exported.text, 'key');
    expect(again.json).toMatchObject({ data: { unchanged: 1, created: 0, updated: 0 } });

    const changed = await take(exported.text.replace('longer', 'longest'), 'key');
    expect([changed.status, paths(changed)]).toEqual([400, ['short TOO_LONG']]);
  });

  it('is no change in code', async () => {
    const things = content.items('workshop').of(Thing);
    expect(await things.updateWhere({ key: 'OLD' } as never, { short: 'longer', note: 'z' } as never)).toHaveLength(1);
    await expect(things.updateWhere({ key: 'OLD' } as never, { short: 'other' } as never)).rejects.toThrow(/short/);
  });

  it('begins the next page of a list', async () => {
    await content.rows(
      `INSERT INTO workshop_thing (key, short, low, whole, version, created_at, updated_at)
       SELECT 'n' || n, 'lengthy' || n, 7.123 + n / 1000.0, 3000000000 + n / 4.0, 1, now(), now() FROM generate_series(1, 4) n`,
    );
    for (const sort of ['short', '-short', 'low', '-low', 'whole', '-whole']) {
      const found: number[] = [];
      for (let after = ''; found.length < 6;) {
        // Not compared with the schema of the type, which the values are older than.
        const response = await fetch(`${served.address}${path}/list?sort=${sort}&limit=1${after}`, { method: 'POST' });
        const json = (await response.json()) as Answer['json'];
        expect([response.status, json.error]).toEqual([200, undefined]);
        found.push(...json.data.map(({ id }: { id: number }) => id));
        if (json.meta?.nextCursor === undefined) break;
        after = `&after=${json.meta.nextCursor}`;
      }
      expect(found.toSorted()).toEqual([1, 2, 3, 4, 5]);
    }
  });
});

describe('an item that was deleted before a field became required', () => {
  const restore = (body: object): Promise<Answer> => sendJson(served.address, 'POST', `${path}/1/restore`, body);
  const good = { key: 'old', short: 'abc', low: 10, day: null, at: null, state: null, states: [], word: null };
  beforeEach(async () => {
    expect((await patch(good)).status).toBe(200);
    expect((await send(served.address, `${path}/1`, { method: 'DELETE' })).status).toBe(204);
  });
  afterEach(async () => {
    await content.rows('ALTER TABLE workshop_thing ALTER COLUMN owner DROP NOT NULL');
  });

  it('comes back with the field empty, as items that were not deleted have it', async () => {
    expect((await restore({ check: true })).json.data.problems).toEqual([]);
    const answer = await restore({});
    expect([answer.status, answer.json.data?.values]).toEqual([
      200,
      expect.objectContaining({ key: 'old', owner: null }),
    ]);
  });

  it('is given a value where the column takes no empty one', async () => {
    await content.rows('ALTER TABLE workshop_thing ALTER COLUMN owner SET NOT NULL');
    const refused = await restore({});
    expect([refused.status, paths(refused)]).toEqual([400, ['owner REQUIRED']]);
    expect(refused.json.error.message).toMatch(/^Failed to restore Thing: /);
    expect((await restore({ values: { nothing: 1 } })).json.error.details).toMatchObject([
      { path: 'nothing' },
      { path: 'owner' },
    ]);
    expect((await restore({ values: { owner: 'Ann' } })).json.data.values).toMatchObject({ key: 'old', owner: 'Ann' });
  });

  it('comes back once of several restores at the same time; the others say that it exists', async () => {
    await restore({});
    const scope = userScope(createOpenPolicy(content.types), '7', 'late');
    const type = content.types.find('thing');
    if (type === undefined) throw new Error('There is no type.');
    const late = { version: 2, payload: { key: 'late' }, after: 2, createdAt: undefined };
    await expect(content.writer.recreate(scope, type, '1', late)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Failed to restore Thing: it exists already',
      details: [{ path: 'id', code: 'NOT_UNIQUE' }],
    });
  });
});

describe('a reference that was another one', () => {
  const parts = '/api/cms/items/part';
  const restore = (id: number, body: object): Promise<Answer> =>
    sendJson(served.address, 'POST', `${parts}/${id}/restore`, body);
  const start = async (part: Declarations): Promise<void> => {
    const [row] = await content.rows('SELECT current_database() AS name');
    const url = new URL(process.env['GANTRY_TEST_DATABASE_URL'] ?? '');
    url.pathname = `/${String(row?.['name'])}`;
    const tables = [...targets(), partOf(part)].flatMap((model) =>
      tablesOf(compile(model), (code) => `workshop_${code}`, { columns: [], indexes: [] }),
    );
    const plugins = [{ id: 'workshop', migrations: [], tables }];
    const { failures } = await bringUpToDate({ databaseUrl: url.href, plugins, logger: createRecordedLogger() });
    expect(failures).toEqual([]);
  };
  /** Item 1 has other values since the earlier version of the plugin, item 2 was deleted. */
  beforeEach(async () => {
    await content.rows(`DELETE FROM gantry_change WHERE item_table = 'workshop_part'`);
    await start(earlierPart);
    await content.rows(`DO $$ BEGIN
      INSERT INTO workshop_owner (name) VALUES ('a'), ('b'), ('c');
      INSERT INTO workshop_shop (name) VALUES ('a'), ('b'), ('c');
      INSERT INTO workshop_part (code, moved_id, was_text, grown_id) VALUES ('k', 1, 2, 3), ('k', 1, 2, 3);
      INSERT INTO workshop_part_moved_list VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO workshop_part_shrunk VALUES (1, 3, 1), (1, 1, 2), (2, 3, 1), (2, 1, 2);
    END $$`);
    await content.rows(`DO $$ BEGIN
      UPDATE workshop_part SET moved_id = NULL, was_text = NULL, grown_id = NULL WHERE id = 1;
      DELETE FROM workshop_part WHERE id = 2;
      DELETE FROM workshop_part_moved_list;
      DELETE FROM workshop_part_shrunk;
    END $$`);
    await start(partOfToday);
  });
  const earlier: readonly [string, number, object][] = [
    ['an earlier version', 1, { version: 1 }],
    ['a deleted item', 2, {}],
  ];

  it.each(earlier)('has no item of the type that it refers to now in %s', async (_case, id, body) => {
    const redirected = ['moved', 'movedList', 'wasText'];
    const problems = redirected.map((name) => `${name} REFERENCE_NOT_FOUND`);
    expect(paths(await restore(id, body))).toEqual(problems);
    expect((await restore(id, { ...body, check: true })).json.data.problems).toHaveLength(redirected.length);
    const answer = await restore(id, { ...body, without: ['movedList', 'wasText'], values: { moved: 2 } });
    expect([answer.status, answer.json.data?.values]).toMatchObject([
      200,
      { moved: { id: 2 }, movedList: [], wasText: null, grown: [{ id: 3 }], shrunk: { id: 3 } },
    ]);
    // Values that the current version writes are restored.
    const { version } = answer.json.data.values;
    expect((await sendJson(served.address, 'PATCH', `${parts}/${id}`, { moved: null })).status).toBe(200);
    expect((await restore(id, { version })).json.data.values.moved).toMatchObject({ id: 2 });
  });

  it('has the labels of the items that it referred to in each version', async () => {
    await content.rows(`UPDATE workshop_owner SET name = 'owner ' || id`);
    await content.rows(`UPDATE workshop_shop SET name = 'shop ' || id`);
    const get = async (path: string): Promise<Answer['json']> =>
      (await send(served.address, `${parts}/${path}`)).json.data;
    expect((await sendJson(served.address, 'PATCH', `${parts}/1`, { moved: 3, wasText: 1 })).status).toBe(200);

    const [now, emptied, first] = await get('1/history');
    expect(now.values).toMatchObject({ moved: { id: 3, label: 'owner 3' }, wasText: { id: 1, label: 'owner 1' } });
    const then = { moved: { id: 1, label: expect.stringMatching(/^a$|^shop 1$/) }, wasText: { id: 2, label: null } };
    expect(emptied.previous).toMatchObject(then);
    expect(first.values).toMatchObject({
      ...then,
      movedList: [{ id: 2, label: expect.stringMatching(/^b$|^shop 2$/) }],
    });
    expect(await get(`1/differences?from=1&to=${now.version}`)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'moved', before: then.moved, after: { id: 3, label: 'owner 3' } }),
        expect.objectContaining({ field: 'wasText', before: then.wasText, after: { id: 1, label: 'owner 1' } }),
      ]),
    );
  });

  it('differs from one of the same id to an item of the other type, where it is not empty', async () => {
    const sent = { moved: 1, movedList: [2], wasText: 2, grown: [3] };
    const changed = await sendJson(served.address, 'PATCH', `${parts}/1`, sent);
    const { version } = changed.json.data.values;
    const differences = async (from: number, to: number): Promise<readonly string[]> =>
      (await send(served.address, `${parts}/1/differences?from=${from}&to=${to}`)).json.data.map(
        ({ field }: { field: string }) => field,
      );

    expect(await differences(1, version)).toEqual(['moved', 'movedList', 'wasText', 'shrunk']);
    // Empty in both, whatever they refer to.
    expect((await sendJson(served.address, 'PATCH', `${parts}/1`, { code: 'l' })).status).toBe(200);
    expect(await differences(version, version + 1)).toEqual(['code']);
    await sendJson(served.address, 'PATCH', `${parts}/1`, { code: 'k', moved: null, movedList: [], wasText: null });
    expect(await differences(2, version + 2)).toEqual(['grown']);
  });

  it('leaves the creation time of a deleted item as its column had it', async () => {
    const at = "date_trunc('second', at) + interval '0.1236 s'";
    await content.rows(`UPDATE gantry_change SET at = ${at} WHERE item_table = 'workshop_part' AND item_id = 2`);
    expect((await restore(2, { without: ['moved', 'movedList', 'wasText'] })).status).toBe(200);
    expect(
      await content.rows(
        `SELECT extract(milliseconds FROM created_at)::int % 1000 AS ms FROM workshop_part WHERE id = 2`,
      ),
    ).toEqual([{ ms: 124 }]);
  });
});
