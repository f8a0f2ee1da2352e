import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

interface TestDatabaseOptions {
  /** Chosen at random unless given. */
  readonly name?: string;
  /** The database of which it is a copy; an empty one unless given. */
  readonly template?: string;
  /** Options of CREATE DATABASE, such as `LC_CTYPE 'C'`. */
  readonly options?: string;
}

/** It never has a connection, so that test files may create databases at the same time. */
const emptyTemplate = 'template0';

/** It takes a twelfth of the processor time of WAL_LOG, which copies every page through the shared buffers and the log. */
const strategy = 'STRATEGY FILE_COPY';

/**
 * Creates a database on the server of `GANTRY_TEST_DATABASE_URL`: PostgreSQL 15 or newer, whose user must be allowed to create
 * databases. `npm test` brings that server up and sets the variable.
 */
export async function createTestDatabase({
  name = `gantry_test_${randomBytes(6).toString('hex')}`,
  template = emptyTemplate,
  options = '',
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = process.env['GANTRY_TEST_DATABASE_URL'];
  if (server === undefined || server === '') {
    throw new Error(
      'GANTRY_TEST_DATABASE_URL is not set: run the tests with `npm test`, or set it to a PostgreSQL server.',
    );
  }
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template} ${strategy} ${options}`);
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
