import { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { isUnavailable } from '../src/database-errors';
import { limitCheckouts } from '../src/connections/limit-checkouts';

let testDatabase: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

beforeEach(() => {
  pool = new Pool({ connectionString: testDatabase.url, max: 1 });
  pool.on('error', () => undefined);
  limitCheckouts(pool, 100);
});

afterEach(() => pool.end());

afterAll(() => testDatabase.drop());

describe('a pool that limits how long its connections are held', () => {
  it('fails a statement that takes longer, and opens another connection', async () => {
    const sleeping = pool.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    expect(isUnavailable(await sleeping)).toBe(true);
    const { rows } = await pool.query('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('leaves alone a connection that is used again and again', async () => {
    const pids = new Set<number>();
    for (const end = performance.now() + 500; performance.now() < end;) {
      const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid FROM pg_sleep(0.01)');
      for (const { pid } of rows) pids.add(pid);
    }
    expect(pids.size).toBe(1);
  });
});
