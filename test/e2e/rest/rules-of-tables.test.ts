import { Client } from 'pg';
import { contentPlugins, useTestHost } from '../../support/platform';
import { itemsOf } from '../../support/rest-client';

const host = useTestHost({ plugins: contentPlugins });
const items = itemsOf(host);

describe('a CHECK that a migration gave a table', () => {
  it('refuses values with an error of the client, and leaves nothing behind', async () => {
    const client = new Client({ connectionString: host.databaseUrl });
    await client.connect();
    await client.query(`ALTER TABLE catalog_catalog ADD CONSTRAINT short_code CHECK (length(code) < 10)`);
    await client.end();

    const answer = await items.create('catalog', { code: 'much-too-long', name: 'Long' });

    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'Failed to create Catalog: the values violate a constraint of the table',
    });
    expect((await items.list('catalog')).json.data).toEqual([]);
  });
});
