import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database';

/** A database of the test file that is empty before each test, and a connection to look into it. */
export function useEmptyDatabase(): { readonly database: TestDatabase; readonly client: Client } {
  const current: { database?: TestDatabase; client?: Client } = {};
  beforeAll(async () => {
    current.database = await createTestDatabase();
    current.client = new Client({ connectionString: current.database.url });
    await current.client.connect();
  });
  beforeEach(async () => {
    await current.client?.query(
      'DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC',
    );
  });
  afterAll(async () => {
    await current.client?.end();
    await current.database?.drop();
  });
  return {
    get database() {
      return present(current.database);
    },
    get client() {
      return present(current.client);
    },
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Only known while tests run.');
  return value;
}
