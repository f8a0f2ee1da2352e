import { Client } from 'pg';
import { eventually } from '../../../support/eventually';
import { startTestHost, type TestHost } from '../../../support/platform';
import { itemsOf, send, type Answer } from '../../../support/rest-client';
import { workbench } from '../support/workbench';

/** A database whose connections are cut, or whose statements take too long. */
export function describeSlowDatabase(host: TestHost): void {
  describe('connections that are cut', () => {
    const items = itemsOf(host);

    /** Ends every connection of the host. */
    async function cut(): Promise<void> {
      const client = new Client({ connectionString: host.databaseUrl });
      await client.connect();
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await client.end();
    }

    it('are answered by 503 at most, leave nothing half written, and are created again', async () => {
      const members = [await items.created('person', {}), await items.created('person', {})];
      let isOver = false;
      const cutting = (async () => {
        for (let round = 0; round < 25; round += 1) await cut();
        isOver = true;
      })();
      const answers: Answer[] = [];
      for (let round = 0; !isOver || round < 5; round += 1) {
        const batch = await Promise.all([
          ...Array.from({ length: 8 }, (_, index) => items.create('team', { name: `team ${round} ${index}`, members })),
          items.list('team', '?limit=5'),
          items.search('team', [], '?limit=5'),
          items.get(`person/${members[0]}`),
          items.patch('person', members[1] ?? 0, { nickname: `round ${round}` }),
        ]);
        answers.push(...batch);
      }
      await cutting;

      const odd = answers.filter((answer) => ![200, 201, 503].includes(answer.status));
      expect(odd.map((answer) => answer.text)).toEqual([]);
      const away = answers.filter((answer) => answer.status === 503);
      expect(
        away.every((answer) => answer.headers['retry-after'] === '5' && answer.json.error.code === 'UNAVAILABLE'),
      ).toBe(true);

      await eventually(async () => (await send(host.address, '/readyz')).status === 200);
      const stored = (await items.list('team', '?limit=1000')).json.data as readonly {
        id: number;
        values: { members: unknown[] };
      }[];
      expect(stored.filter((team) => team.values.members.length !== 2)).toEqual([]);
      const ids = new Set(stored.map((team) => team.id));
      const acknowledged = answers
        .filter((answer) => answer.status === 201)
        .map((answer) => answer.json.data.id as number);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    });
  });

  describe('statements that take too long', () => {
    let hurried: TestHost;
    let blocker: Client;

    beforeAll(async () => {
      const databaseUrl = `${host.databaseUrl}?options=-c%20statement_timeout%3D700`;
      hurried = await startTestHost({ ...workbench, databaseUrl });
      blocker = new Client({ connectionString: host.databaseUrl });
      await blocker.connect();
    });

    afterAll(async () => {
      await blocker.end();
      await hurried.stop();
    });

    it('are a 503, and go through once nothing is in their way', async () => {
      const items = itemsOf(hurried);
      const id = await items.created('event', { code: 'blocked' });
      await blocker.query('BEGIN; LOCK TABLE events_event IN ACCESS EXCLUSIVE MODE');
      const answers = await Promise.all([
        items.list('event'),
        items.search('event', []),
        items.get(`event/${id}`),
        items.create('event', { code: 'other' }),
        items.patch('event', id, { name: 'x' }),
        items.remove('event', id),
      ]);
      await blocker.query('ROLLBACK');
      const [listed, , ...rest] = answers;
      for (const answer of [listed, ...rest]) {
        expect([answer?.status, answer?.json.error.code, answer?.headers['retry-after']]).toEqual([
          503,
          'UNAVAILABLE',
          '5',
        ]);
      }
      expect((await items.patch('event', id, { name: 'x' })).status).toBe(200);
    });
  });
}
