import type { ItemChange } from '@gantry/contracts';
import { eventually } from '../../../../../test/support/eventually';
import { useServedNotes } from '../support/served-notes';

const notes = useServedNotes();
const { call, create, nextCode } = notes;

describe('the feed', () => {
  it('gives every change once, in order, over pages, while writers go on', async () => {
    const start = (await call('GET', 'changes?after=latest')).json.meta.next;
    const ids = await Promise.all(Array.from({ length: 20 }, () => create('note', { code: nextCode(), title: '0' })));
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
