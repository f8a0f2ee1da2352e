import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** An empty database of one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/**
 * template0: nobody is ever connected to it, so that test files may create databases at the same time.
 * FILE_COPY takes a twelfth of the processor time of WAL_LOG, which copies every page through the shared buffers and the log.
 */
const source = 'TEMPLATE template0 STRATEGY FILE_COPY';

/**
 * Creates an empty database on the server of `GANTRY_TEST_DATABASE_URL`: PostgreSQL 15 or newer, whose user must be allowed
 * to create databases. `npm test` brings that server up and sets the variable.
 * @param options of CREATE DATABASE, such as `LC_CTYPE 'C'`
 */
export async function createTestDatabase(options = ''): Promise<TestDatabase> {
  const server = process.env['GANTRY_TEST_DATABASE_URL'];
  if (server === undefined || server === '') {
    throw new Error(
      'GANTRY_TEST_DATABASE_URL is not set: run the tests with `npm test`, or set it to a PostgreSQL server.',
    );
  }
  const name = `gantry_test_${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name} ${source} ${options}`);
  return { url: urlOf(server, name), drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Runs one statement on a connection that is opened for it. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
