import type { ItemChange } from '@gantry/contracts';
import { useServedNotes } from '../content/support/served-notes';
import { eventually } from '../../../../test/support/eventually';

const notes = useServedNotes();
const { call, create, history, changesAfter, declarePolicy, nextCode } = notes;

describe('the history of an item', () => {
  it('has every version, the newest first, with who, what changed and labels as they were', async () => {
    const tag = await create('tag', { name: 'Old name' });
    const code = nextCode();
    const id = await create('note', { code, title: 'First', price: 12.5, tag, tags: [tag] });
    await call('PATCH', `items/note/${id}`, { title: 'Second', tags: [] }, { 'x-request-id': 'change-1' });
    await call('PATCH', `items/tag/${tag}`, { name: 'New name' });
    const changes = await history(id);
    const reference = { id: tag, label: 'Old name' };
    const values = { code, title: 'First', secret: null, price: 12.5, tag: reference, tags: [reference] };
    expect(changes).toEqual([
      {
        position: expect.stringMatching(/^1\.\d+\.\d+$/),
        at: expect.stringMatching(/Z$/),
        type: 'note',
        id,
        version: 2,
        action: 'updated',
        actor: 'user:7',
        actorName: 'Ann',
        source: 'rest',
        requestId: expect.any(String),
        changed: expect.arrayContaining(['title', 'tags']),
        values: { ...values, title: 'Second', tags: [], createdBy: '7', updatedBy: '7' },
        previous: { title: 'First', tags: [{ id: tag, label: 'New name' }] },
      },
      expect.objectContaining({
        version: 1,
        action: 'created',
        changed: ['code', 'title', 'secret', 'price', 'tag', 'tags'],
        values: { ...values, createdBy: '7', updatedBy: '7' },
      }),
    ]);
    expect((await call('GET', `items/note/${id}/history/1`)).json.data.values.title).toBe('First');
    expect((await call('GET', `items/note/${id}/differences?from=2&to=1`)).json.data).toEqual([
      { field: 'title', displayName: 'title', type: 'STRING', before: 'Second', after: 'First' },
      { field: 'tags', displayName: 'tags', type: 'REFERENCE', before: [], after: [reference] },
    ]);
  });

  it('is read in pages, each of its versions once', async () => {
    const id = await create('note', { code: nextCode(), title: '0' });
    for (let n = 1; n <= 5; n += 1) await call('PATCH', `items/note/${id}`, { title: String(n) });
    const versions: number[] = [];
    for (let before = ''; ;) {
      const { json } = await call('GET', `items/note/${id}/history?limit=4${before}`);
      versions.push(...json.data.map((change: ItemChange) => change.version));
      if (json.meta.nextBefore === undefined) break;
      before = `&before=${json.meta.nextBefore}`;
    }
    expect(versions).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('has fewer versions on a page of long texts', async () => {
    const id = await create('note', { code: nextCode(), title: 'A' });
    await notes.content.database.plugins.query(
      `DO $$ BEGIN FOR n IN 1..120 LOOP
         UPDATE workshop_note SET secret = repeat(n::text, 20000) WHERE id = ${id}; END LOOP; END $$`,
    );
    const versions: number[] = [];
    const pages: number[] = [];
    for (let before = ''; ;) {
      const { json } = await call('GET', `items/note/${id}/history?limit=1000${before}`);
      versions.push(...json.data.map((change: ItemChange) => change.version));
      pages.push(json.data.length);
      if (json.meta.nextBefore === undefined) break;
      before = `&before=${json.meta.nextBefore}`;
    }
    expect(versions).toEqual(Array.from({ length: 121 }, (_, n) => 121 - n));
    expect(pages).toEqual([100, 21]);
  });

  it('refuses what is no item, version or position, by name', async () => {
    const id = await create('note', { code: nextCode(), title: 'A' });
    const refusals = [
      'items/note/999999/history',
      `items/note/${id}/history/2`,
      'items/none/1/history',
      'items/note/x/history',
      `items/note/${id}/history/0`,
      `items/note/${id}/history?before=1.2`,
      `items/note/${id}/history?limit=0`,
      `items/note/${id}/differences?from=1`,
      `items/note/${id}/differences?from=1&to=99999999999`,
      'changes?after=x',
      'changes?types=note,none',
      'changes?order=newest&after=1.1.1',
      'changes?order=sideways',
      'changes?actor=local',
      'changes?order=newest&from=yesterday',
      'changes?order=newest&from=0000-01-01',
      'changes?order=newest&to=9999-12-31T23:59:00-01:00',
      'changes?order=newest&actor=%00',
      'changes?order=newest&action=gone',
    ];
    const answers = await Promise.all(refusals.map((path) => call('GET', path)));
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [404, 'ITEM_NOT_FOUND'],
      [404, 'ITEM_NOT_FOUND'],
      [404, 'TYPE_NOT_FOUND'],
      [404, 'ITEM_NOT_FOUND'],
      ...Array.from({ length: 6 }, () => [400, 'BAD_REQUEST']),
      [404, 'TYPE_NOT_FOUND'],
      ...Array.from({ length: 8 }, () => [400, 'BAD_REQUEST']),
    ]);
  });
});

describe('a position', () => {
  it.each(['999999999.1.1', '9.1.1', '1.99999999999999.1'])(
    '%s that the feed has not reached is refused',
    async (after) => {
      const { status, json } = await call('GET', `changes?after=${after}`);

      expect([status, json.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(json.error.details).toMatchObject([{ path: 'after', code: 'VALUE_INVALID' }]);
    },
  );
});

describe('the policy of history and feed', () => {
  it('decides by the values of each state: what left is named without values, what was never shown is not there', async () => {
    declarePolicy('red', [{ field: 'title', operator: 'EQUALS', value: 'red' }]);
    const id = await create('note', { code: nextCode(), title: 'blue' });
    const start = (await call('GET', 'changes?after=latest')).json.meta.next;
    await call('PATCH', `items/note/${id}`, { title: 'red' });
    await call('PATCH', `items/note/${id}`, { price: 3 });
    await call('PATCH', `items/note/${id}`, { title: 'blue' });
    await call('PATCH', `items/note/${id}`, { price: 4 });
    const seen = (await history(id, 'red')).map(({ version, action, values, previous }) => [
      version,
      action,
      values?.['title'],
      previous,
    ]);
    expect(seen).toEqual([
      [4, 'left', undefined, undefined],
      [3, 'updated', 'red', { price: null }],
      [2, 'updated', 'red', {}],
    ]);
    const feed = await changesAfter(start, 3, 'red');
    expect(feed.map(({ version, action }) => [version, action])).toEqual([
      [2, 'updated'],
      [3, 'updated'],
      [4, 'left'],
    ]);
    expect(JSON.stringify(feed)).not.toContain('blue');
    // The item is hidden now; its history of what was shown stays.
    expect((await call('GET', `items/note/${id}`, undefined, { 'x-policy': 'red' })).status).toBe(404);
    const other = await create('note', { code: nextCode(), title: 'blue' });
    expect((await call('GET', `items/note/${other}/history`, undefined, { 'x-policy': 'red' })).status).toBe(404);
  });

  it('decides by the links that the state had, also of several states of one item', async () => {
    const [one, two] = [await create('tag', { name: nextCode() }), await create('tag', { name: nextCode() })];
    declarePolicy('tagged', [{ field: 'tags', operator: 'EQUALS', value: String(one) }]);
    const id = await create('note', { code: nextCode(), title: 'A', tags: [one, two] });
    await call('PATCH', `items/note/${id}`, { tags: [two] });
    await call('PATCH', `items/note/${id}`, { tags: [two, one] });
    expect((await history(id, 'tagged')).map(({ version, action }) => [version, action])).toEqual([
      [3, 'updated'],
      [2, 'left'],
      [1, 'created'],
    ]);
  });

  it('hides fields, authors, and labels of types that are not shown', async () => {
    declarePolicy('few', undefined, ['title', 'tag']);
    const tag = await create('tag', { name: nextCode() });
    const id = await create('note', { code: nextCode(), title: 'A', secret: 'hush', tag });
    await call('PATCH', `items/note/${id}`, { secret: 'still hush', title: 'B' });
    const changes = await history(id, 'few');
    expect(changes.map(({ changed, values, previous, actor }) => ({ changed, values, previous, actor }))).toEqual([
      {
        changed: ['title'],
        values: { title: 'B', tag: { id: tag, label: null } },
        previous: { title: 'A' },
        actor: undefined,
      },
      {
        changed: ['title', 'tag'],
        values: { title: 'A', tag: { id: tag, label: null } },
        previous: undefined,
        actor: undefined,
      },
    ]);
    const restored = await call('POST', `items/note/${id}/restore`, { version: 1 }, { 'x-policy': 'few' });
    expect(restored.status).toBe(200);
    expect((await call('GET', `items/note/${id}`)).json.data.values).toMatchObject({
      title: 'A',
      secret: 'still hush',
    });
  });

  it('says by the filter of actors neither who wrote what hides it, nor that somebody wrote what is not shown', async () => {
    declarePolicy('few', undefined, ['title', 'tag']);
    declarePolicy('red', [{ field: 'title', operator: 'EQUALS', value: 'red' }]);
    const newest = async (policy: string, filter: string) => {
      const { json } = await call('GET', `changes?order=newest&${filter}`, undefined, { 'x-policy': policy });
      const rows = json.data.map(({ id, version, actor }: ItemChange) => [id, version, actor]);
      return { rows, nextBefore: json.meta.nextBefore };
    };
    const since = new Date().toISOString();
    const id = await create('note', { code: nextCode(), title: 'red' });
    await call('PATCH', `items/note/${id}`, { title: 'blue' });
    const hiddenSince = new Date().toISOString();
    for (let n = 0; n < 3; n += 1) await create('note', { code: nextCode(), title: 'blue' });
    const none = { rows: [], nextBefore: undefined };
    for (const filter of [`from=${since}`, `from=${since}&limit=1`, `from=${since}&types=note`]) {
      expect(await newest('few', `actor=user:7&${filter}`)).toEqual(none);
    }
    expect((await newest('few', `from=${since}`)).rows).toHaveLength(5);
    expect(await newest('red', `actor=user:7&from=${hiddenSince}&limit=1`)).toEqual(none);
    const first = await newest('red', `actor=user:7&from=${since}&limit=1`);
    expect(first).toEqual({ rows: [[id, 1, 'user:7']], nextBefore: expect.any(String) });
    expect(await newest('red', `actor=user:7&from=${since}&limit=1&before=${first.nextBefore}`)).toEqual(none);
    // Without the filter, the change by which an item is left is there, without its actor.
    expect((await newest('red', `from=${since}`)).rows).toEqual([
      [id, 2, undefined],
      [id, 1, 'user:7'],
    ]);
  });
});

describe('restoring', () => {
  it('an earlier version writes what differs as a new version, which names it', async () => {
    const id = await create('note', { code: nextCode(), title: 'A', price: 1 });
    await call('PATCH', `items/note/${id}`, { title: 'B', price: null });
    const check = await call('POST', `items/note/${id}/restore`, { version: 1, check: true });
    expect(check.json.data).toEqual({
      version: 1,
      isDeleted: false,
      problems: [],
      changes: [
        { field: 'title', displayName: 'title', type: 'STRING', before: 'B', after: 'A' },
        { field: 'price', displayName: 'price', type: 'NUMBER', before: null, after: 1 },
      ],
    });
    const stale = await call('POST', `items/note/${id}/restore`, { version: 1 }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
    const restored = await call('POST', `items/note/${id}/restore`, { version: 1 }, { 'if-match': '"2"' });
    expect([restored.status, restored.etag, restored.json.data.values]).toMatchObject([
      200,
      '"3"',
      { title: 'A', price: 1 },
    ]);
    expect((await history(id))[0]).toMatchObject({ version: 3, action: 'updated', restoredVersion: 1 });
  });

  it('a deleted item gives it the same id, its links and the next version', async () => {
    const tag = await create('tag', { name: nextCode() });
    const code = nextCode();
    const id = await create('note', { code, title: 'A', tags: [tag] });
    expect((await call('DELETE', `items/note/${id}`)).status).toBe(204);
    const trash = await call('GET', 'items/note/deleted?limit=1');
    expect(trash.json.data).toEqual([
      {
        id,
        version: 1,
        label: code,
        deletedAt: expect.any(String),
        actor: 'user:7',
        actorName: 'Ann',
        position: expect.any(String),
      },
    ]);
    expect((await history(id)).map(({ action, values }) => [action, values?.['title']])).toEqual([
      ['deleted', 'A'],
      ['created', 'A'],
    ]);
    const check = await call('POST', `items/note/${id}/restore`, { check: true });
    expect(check.json.data).toMatchObject({ version: 1, isDeleted: true, problems: [] });
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', `items/note/${id}/restore`)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect([400, 409]).toContain(status);
    const { json } = await call('GET', `items/note/${id}`);
    expect(json.data).toMatchObject({ id, values: { code, title: 'A', version: 2, tags: [{ id: tag }] } });
    expect((await history(id))[0]).toMatchObject({
      version: 2,
      action: 'restored',
      restoredVersion: 1,
      values: { tags: [{ id: tag }] },
    });
    expect((await call('GET', 'items/note/deleted')).json.data).toEqual([]);
    expect(Date.parse(json.data.values.createdAt)).toBeLessThan(Date.parse(trash.json.data[0].deletedAt));
    // New items do not get the id.
    expect(await create('note', { code: nextCode(), title: 'B' })).toBeGreaterThan(id);
  });

  it('names field by field what cannot be restored, writes nothing then, and can leave these fields out', async () => {
    const tag = await create('tag', { name: nextCode() });
    const code = nextCode();
    const id = await create('note', { code, title: 'A', tag, tags: [tag] });
    await call('DELETE', `items/note/${id}`);
    await call('DELETE', `items/tag/${tag}`);
    const taker = await create('note', { code, title: 'has the code now' });
    const check = await call('POST', `items/note/${id}/restore`, { check: true });
    expect(check.json.data.problems.map(({ path }: { path: string }) => path)).toEqual(['code', 'tag', 'tags']);
    const refused = await call('POST', `items/note/${id}/restore`);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    const second = await call('POST', `items/note/${id}/restore`, { check: true, without: ['tag', 'tags'] });
    expect(second.json.data.problems).toMatchObject([{ path: 'code', code: 'NOT_UNIQUE' }]);
    expect((await call('POST', `items/note/${id}/restore`, { without: ['tag', 'tags'] })).status).toBe(409);
    await call('DELETE', `items/note/${taker}`);
    expect((await call('POST', `items/note/${id}/restore`, { without: ['tag', 'tags'] })).status).toBe(200);
  });

  it('refuses fields that are set on create only, unknown members and items that exist without a version', async () => {
    const id = await create('note', { code: nextCode(), title: 'A' });
    await notes.content.database.plugins.query(`UPDATE workshop_note SET code = $1 WHERE id = $2`, [nextCode(), id]);
    const check = await call('POST', `items/note/${id}/restore`, { version: 1, check: true });
    expect(check.json.data.problems).toMatchObject([{ path: 'code', code: 'NOT_EDITABLE' }]);
    expect((await history(id))[0]).toMatchObject({
      version: 2,
      source: 'sql',
      actor: expect.stringMatching(/^database:/),
    });
    const bodies = [
      {},
      { version: 1.5 },
      { version: '1' },
      { check: 1 },
      { without: 'code' },
      { without: ['none'], version: 1 },
      { more: 1 },
      [],
      'x',
    ];
    const answers = await Promise.all(bodies.map((body) => call('POST', `items/note/${id}/restore`, body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 400));
  });
});

describe('the feed', () => {
  it('gives every change once, in order, over pages, while writers go on', async () => {
    const start = (await call('GET', 'changes?after=latest')).json.meta.next;
    const ids = await Promise.all(Array.from({ length: 10 }, () => create('note', { code: nextCode(), title: '0' })));
    await Promise.all(
      ids.map(async (id) => {
        for (let n = 1; n <= 5; n += 1) await call('PATCH', `items/note/${id}`, { title: String(n) });
      }),
    );
    const seen = new Map(ids.map((id) => [id, [] as number[]]));
    let after: string = start;
    await eventually(async () => {
      const { json } = await call('GET', `changes?after=${after}&types=note&limit=7`);
      for (const { id, version } of json.data as readonly ItemChange[]) seen.get(id)?.push(version);
      after = json.meta.next;
      return [...seen.values()].every((versions) => versions.length >= 6);
    });
    expect([...seen.values()]).toEqual(ids.map(() => [1, 2, 3, 4, 5, 6]));
  });

  it('does not pass a transaction that still runs', async () => {
    const start = (await call('GET', 'changes?after=latest')).json.meta.next;
    const has = async (id: number): Promise<boolean> => {
      const { json } = await call('GET', `changes?after=${start}&types=tag&limit=1000`);
      return json.data.some((change: ItemChange) => change.id === id);
    };
    const tag = await notes.content.database.plugins.transaction(async (transaction) => {
      await transaction.query(`INSERT INTO workshop_tag (name) VALUES ('open transaction')`);
      const id = await create('tag', { name: nextCode() });
      expect(await has(id)).toBe(false);
      return id;
    });
    await eventually(() => has(tag));
  });

  it('is filtered by actor, action and time, the newest first', async () => {
    const since = new Date().toISOString();
    const id = await create('note', { code: nextCode(), title: 'A' });
    await call('PATCH', `items/note/${id}`, { title: 'B' });
    const get = async (filter: string) =>
      (await call('GET', `changes?order=newest&from=${since}${filter}`)).json.data.map(
        (change: ItemChange) => change.version,
      );
    expect(await get('')).toEqual([2, 1]);
    expect(await get('&action=updated')).toEqual([2]);
    expect(await get('&actor=user:7&types=note')).toEqual([2, 1]);
    expect(await get('&actor=nobody')).toEqual([]);
    expect(await get('&to=2001-01-01')).toEqual([]);
  });
});
