import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { createDatabase, type HostDatabase } from '../../src/database/create-database';
import { hasItems } from '../../src/items/has-items';
import { createRecordedLogger } from '../database/support/recorded-logger';

let testDatabase: TestDatabase;
let database: HostDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.url, logger: createRecordedLogger() });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

describe('hasItems', () => {
  const types = Array.from({ length: 1_000 }, (_, index) => ({ table: `many "types" ${index}` }));

  it('is false without types', async () => {
    expect(await hasItems(database, [])).toBe(false);
  });

  it('tells of one item among a thousand types', async () => {
    for (const { table } of types) {
      await database.query({ sql: `CREATE TABLE "${table.replaceAll('"', '""')}" (id bigint PRIMARY KEY)` });
    }
    expect(await hasItems(database, types)).toBe(false);

    await database.query({ sql: 'INSERT INTO "many ""types"" 999" VALUES (1)' });
    expect(await hasItems(database, types)).toBe(true);
  });
});
