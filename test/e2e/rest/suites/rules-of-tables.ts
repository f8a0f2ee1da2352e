import { execute } from '../../../support/database';
import type { TestHost } from '../../../support/platform';
import { itemsOf } from '../../../support/rest-client';

/** Rules that a migration gave a table. */
export function describeRulesOfTables(host: TestHost): void {
  const items = itemsOf(host);

  describe('a CHECK that a migration gave a table', () => {
    it('refuses values with an error of the client, and leaves nothing behind', async () => {
      const table = 'ALTER TABLE catalog_catalog';
      await execute(host.databaseUrl, `${table} ADD CONSTRAINT short_code CHECK (length(code) < 10)`);

      try {
        const answer = await items.create('catalog', { code: 'much-too-long', name: 'Long' });

        expect(answer.status).toBe(400);
        expect(answer.json.error).toMatchObject({
          code: 'VALIDATION_FAILED',
          message: expect.stringContaining('constraint of the table'),
        });
        expect((await items.list('catalog')).json.data).toEqual([]);
      } finally {
        await execute(host.databaseUrl, `${table} DROP CONSTRAINT short_code`);
      }
    });
  });
}
