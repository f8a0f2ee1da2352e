import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './database';

export interface EmptyDatabase {
  readonly database: TestDatabase;
  /** A connection to look into it. */
  readonly client: Client;
  /** Removes all tables. */
  empty(): Promise<void>;
}

/** A database of the test file that is empty before each test, unless it is only emptied when the test says so. */
export function useEmptyDatabase({ isEmptiedBeforeEach = true } = {}): EmptyDatabase {
  const current: { database?: TestDatabase; client?: Client } = {};
  beforeAll(async () => {
    current.database = await createTestDatabase();
    current.client = new Client({ connectionString: current.database.url });
    await current.client.connect();
  });
  const empty = async (): Promise<void> => {
    await present(current.client).query(
      'DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC',
    );
  };
  if (isEmptiedBeforeEach) beforeEach(empty);
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
    empty,
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Only known while tests run.');
  return value;
}
