import type { TestHost } from '../../../support/platform';
import { itemsOf, problemsOf } from '../../../support/rest-client';

/** Results of a search. */
export function describeSearchResults(host: TestHost): void {
  const items = itemsOf(host);

  async function result(type: string, id: number): Promise<unknown> {
    const answer = await items.search(type, [{ field: 'id', operator: 'EQUALS', value: String(id) }]);
    expect(answer.json.data).toHaveLength(1);
    return answer.json.data[0];
  }

  describe('a search result', () => {
    it('is by default the id, the simple class name and the creation timestamp', async () => {
      const id = await items.created('topeventcomponent', { title: 'x' });
      const { values } = await items.row('topeventcomponent', id);
      expect(await result('topeventcomponent', id)).toEqual({
        id,
        label: 'TopEventComponent',
        subLabel: values.createdAt,
      });
    });

    it('can be made of fields, with the label of a reference', async () => {
      const member = await items.created('person', {});
      const team = await items.created('team', { name: 'Blues "quoted" \\ /', members: [member] });
      const id = await items.created('person', { nickname: 'Ann', team });
      expect(await result('person', id)).toEqual({ id, label: 'Ann', subLabel: 'Blues "quoted" \\ /' });
      expect(await result('person', member)).toEqual({ id: member, label: '', subLabel: '' });
    });

    it('can be made by a function of the row', async () => {
      const lead = await items.created('person', { nickname: 'Bea' });
      const id = await items.created('team', { name: 'Greens', lead, members: [lead] });
      expect(await result('team', id)).toEqual({ id, label: `Greens #${id}`, subLabel: `lead: Bea` });
    });
  });

  describe('a search', () => {
    it('gives every match in one array, and as many as asked for with a limit', async () => {
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => items.created('hoard', { name: `h${index}`, rank: index })),
      );
      const all = await items.search('hoard', []);
      expect(all.json).toEqual({ data: expect.any(Array) });
      expect(new Set(all.json.data.map((one: { id: number }) => one.id)).size).toBe(60);
      expect((await items.search('hoard', [], '?limit=7')).json.data).toHaveLength(7);
      expect((await items.search('hoard', [], '?limit=1000000000')).json.data).toHaveLength(60);
    });

    it.each(['-1', '0', '1e9', '1.5', '', '1000000001'])('refuses the limit %j', async (limit) => {
      const answer = await items.search('hoard', [], `?limit=${limit}`);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(answer.json.error.message).toMatch(new RegExp(`^limit: .* 1 to 1000000000; "${limit}"`));
    });

    it('knows no other parameter', async () => {
      const answer = await items.search('hoard', [], '?sort=name&after=x');
      expect([answer.status, problemsOf(answer)]).toEqual([400, ['sort: UNKNOWN_FIELD', 'after: UNKNOWN_FIELD']]);
    });
  });
}
