import { Client } from 'pg';
import type { TestHost } from '../../../support/platform';
import { itemsOf, problemsOf, send } from '../../../support/rest-client';

/** Deleting items. */
export function describeRemove(host: TestHost): void {
  const items = itemsOf(host);

  describe('deleting an item', () => {
    it('answers 204 with no body, and then 404', async () => {
      const id = await items.created('article', { title: 'Short-lived' });
      const answer = await items.remove('article', id);
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
      const again = await items.remove('article', id);
      expect([again.status, again.json.error.code, again.json.error.message]).toEqual([
        404,
        'ITEM_NOT_FOUND',
        `Article not found: ${id}`,
      ]);
      expect((await items.get(`article/${id}`)).status).toBe(404);
    });

    it('is refused while others refer to it, with every referring type and field and how many', async () => {
      const person = await items.created('person', { nickname: 'Wanted' });
      const team = await items.created('team', { name: 'A', lead: person, members: [person] });
      const other = await items.created('team', { name: 'B', members: [person] });
      const friend = await items.created('person', { boss: person, friends: [person] });
      const last = await items.created('person', { nickname: 'Last', boss: person });

      const named = (id: number, label: string) => ({ id: String(id), label });

      const answer = await items.remove('person', person);
      expect([answer.status, answer.json.error]).toEqual([
        409,
        {
          code: 'ITEM_REFERENCED',
          message: expect.stringContaining('2 Person (boss), 1 Person (friends), 1 Team (lead), 2 Team (members).'),
          details: [
            {
              path: 'person.boss',
              code: 'REFERENCED_BY',
              message: expect.stringContaining('2'),
              items: [named(friend, String(friend)), named(last, 'Last')],
            },
            {
              path: 'person.friends',
              code: 'REFERENCED_BY',
              message: expect.stringContaining('1'),
              items: [named(friend, String(friend))],
            },
            {
              path: 'team.lead',
              code: 'REFERENCED_BY',
              message: expect.stringContaining('1'),
              items: [named(team, 'A')],
            },
            {
              path: 'team.members',
              code: 'REFERENCED_BY',
              message: expect.stringContaining('2'),
              items: [named(team, 'A'), named(other, 'B')],
            },
          ],
          requestId: expect.any(String),
        },
      ]);
      expect((await items.row('person', person)).values.nickname).toBe('Wanted');
      expect((await items.row('team', team)).values.members).toHaveLength(1);
    });

    it('can be foreseen: the item names what refers to it, with the first of them', async () => {
      const person = await items.created('person', { nickname: 'Wanted' });
      expect((await items.get(`person/${person}/references`)).json).toEqual({ data: [] });
      const team = await items.created('team', { name: 'A', lead: person, members: [person] });

      const answer = await items.get(`person/${person}/references`);

      const entry = {
        type: 'team',
        displayName: 'Team',
        count: 1,
        isCapped: false,
        items: [{ id: String(team), label: 'A' }],
      };
      expect([answer.status, answer.json.data]).toEqual([
        200,
        [
          { ...entry, field: 'lead', fieldDisplayName: expect.any(String) },
          { ...entry, field: 'members', fieldDisplayName: expect.any(String) },
        ],
      ]);
      const gone = await items.get('person/999999/references');
      expect([gone.status, gone.json.error.code]).toEqual([404, 'ITEM_NOT_FOUND']);
    });

    it('counts what refers to it up to a thousand', async () => {
      const person = await items.created('person', {});
      const client = new Client({ connectionString: host.databaseUrl });
      await client.connect();
      await client.query(`INSERT INTO workbench_person (boss_id) SELECT $1 FROM generate_series(1, 1001)`, [person]);
      await client.end();

      const [entry] = (await items.get(`person/${person}/references`)).json.data;
      expect([entry.count, entry.isCapped, entry.items.length]).toEqual([1_000, true, 3]);
    });

    it('names the first three of many, with the beginning of a long label', async () => {
      const person = await items.created('person', {});
      const teams = [];
      for (let index = 0; index < 4; index += 1) {
        teams.push(await items.created('team', { name: `${index} `.padEnd(250, 'x'), members: [person] }));
      }

      const [detail] = (await items.remove('person', person)).json.error.details;

      expect(detail.message).toBe('4 items refer to it');
      expect(detail.items).toEqual(
        teams.slice(0, 3).map((id, index) => ({ id: String(id), label: `${index} `.padEnd(200, 'x') })),
      );
    });

    it('takes its own references with it and nothing else', async () => {
      const article = await items.created('article', { title: 'Kept' });
      const component = await items.created('trendingarticlecomponent', { title: 'Top', articles: [article] });
      expect((await items.remove('article', article)).status).toBe(409);
      expect((await items.remove('trendingarticlecomponent', component)).status).toBe(204);
      expect((await items.remove('article', article)).status).toBe(204);
    });

    it('works for two items that refer to each other once one lets go', async () => {
      const first = await items.created('person', {});
      const second = await items.created('person', { boss: first });
      await items.patch('person', first, { boss: second });
      expect([(await items.remove('person', first)).status, (await items.remove('person', second)).status]).toEqual([
        409, 409,
      ]);
      await items.patch('person', first, { boss: null });
      expect([(await items.remove('person', second)).status, (await items.remove('person', first)).status]).toEqual([
        204, 204,
      ]);
    });

    it('runs the hooks of the model', async () => {
      const id = await items.created('guarded', { name: 'kept' });
      const answer = await items.remove('guarded', id);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
      // The sentence of the model.
      expect(answer.json.error.message).toContain('it must be kept');
    });

    it.each(['0', 'abc', '-1', '1.5', '9223372036854775808', '9223372036854775807'])(
      'of the id %s answers 404',
      async (id) => {
        const answer = await items.remove('article', id);
        expect([answer.status, answer.json.error.code]).toEqual([404, 'ITEM_NOT_FOUND']);
      },
    );

    it('either wins against a new reference or is refused, and loses nothing', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 15 }, async (_, index) => {
          const boss = await items.created('person', { nickname: `boss ${index}` });
          const [removed, created] = await Promise.all([
            items.remove('person', boss),
            items.create('person', { boss }),
          ]);
          return `${removed.status} ${created.status} ${problemsOf(created).join()}`;
        }),
      );
      const possible = ['204 400 boss: REFERENCE_NOT_FOUND', '409 201 '];
      expect(outcomes.filter((outcome) => !possible.includes(outcome))).toEqual([]);
    });

    it('refuses a body that is no JSON', async () => {
      const id = await items.created('article', { title: 'With a body' });
      const path = `/api/cms/items/article/${id}`;
      const headers = { 'content-type': 'text/plain' };
      expect((await send(host.address, path, { method: 'DELETE', headers, body: 'x' })).status).toBe(415);
      expect((await items.get(`article/${id}`)).status).toBe(200);
    });
  });
}
