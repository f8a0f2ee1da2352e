import { Client } from 'pg';
import type { TestHost } from '../../../support/platform';
import { itemsOf, send, type Answer } from '../../../support/rest-client';

/** Tables that another version renames. */
export function describeRenamedTable(host: TestHost): void {
  /** A newer version of a plugin renames its tables while the host before still gets requests. */
  describe('a table or column that is renamed under a host', () => {
    const items = itemsOf(host);
    let id: number;

    const query = async (sql: string): Promise<void> => {
      const client = new Client({ connectionString: host.databaseUrl });
      await client.connect();
      await client.query(sql).finally(() => client.end());
    };
    /** Twice: the second time a statement is prepared already. */
    const requests = async (): Promise<readonly Answer[]> => {
      const answers: Answer[] = [];
      for (let round = 0; round < 2; round += 1) {
        answers.push(
          await items.get(`catalog/${id}`),
          await items.list('catalog'),
          await items.search('catalog', [{ field: 'name', operator: 'CONTAINS', value: 'oo' }]),
          await items.create('catalog', { code: `new-${round}`, name: 'New' }),
          await items.patch('catalog', id, { name: 'Tools' }),
          await send(host.address, '/api/cms/imports/catalog', {
            method: 'POST',
            headers: { 'content-type': 'text/csv' },
            body: 'code,name\nnew-3,New\n',
          }),
          await items.remove('catalog', id),
        );
      }
      return answers;
    };

    beforeAll(async () => {
      id = await items.created('catalog', { code: 'tools', name: 'Tools' });
      await items.get(`catalog/${id}`);
    });

    it.each([
      ['the table', 'TABLE catalog_catalog RENAME TO catalog_other', 'TABLE catalog_other RENAME TO catalog_catalog'],
      ['a column', 'TABLE catalog_catalog RENAME name TO title', 'TABLE catalog_catalog RENAME title TO name'],
    ])('%s: requests are answered with 503 and can be sent again', async (_what, there, back) => {
      await query(`ALTER ${there}`);
      try {
        const answers = await requests();
        expect(answers.map(({ status, json }) => [status, json?.error?.code])).toEqual(
          answers.map(() => [503, 'UNAVAILABLE']),
        );
        expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(answers.map(() => '5'));
      } finally {
        await query(`ALTER ${back}`);
      }
      expect((await items.get(`catalog/${id}`)).status).toBe(200);
    });
  });
}
