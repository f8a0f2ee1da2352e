import { createDatabase, createStderrLogger } from '@gantry/host';
import { ok, warn, type Check } from './check';

type Database = ReturnType<typeof createDatabase>;

/** The needs of searches for parts of words on the database: an index, and to know letters and their case. */
export async function checkSearch(url: string): Promise<readonly Check[]> {
  const database = createDatabase({ url, logger: createStderrLogger('silent') });
  try {
    return [await checkTrigram(database), await checkLetters(database)];
  } finally {
    await database.close();
  }
}

async function checkTrigram(database: Database): Promise<Check> {
  const rows = await database.query({ sql: "SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'" });
  if (rows.length > 0) return ok('pg_trgm', 'is installed: searches for parts of words use an index');
  return warn(
    'pg_trgm',
    'is not installed: searches for parts of words read the whole table.',
    'Install the contrib package of PostgreSQL.',
  );
}

/**
 * Case comes from the provider of the database's locale, which may be ICU or PostgreSQL itself; what pg_trgm takes for a letter
 * always from LC_CTYPE. Asked for what they do, because the names of locales differ between systems.
 */
async function checkLetters(database: Database): Promise<Check> {
  const [row = []] = await database.query({
    sql: `SELECT 'Ä' ILIKE 'ä', datctype NOT IN ('C', 'POSIX'), datctype
            FROM pg_database WHERE datname = current_database()`,
  });
  const [isCaseKnown, isIndexed, ctype] = row;
  if (isCaseKnown === false) {
    return warn(
      'Locale',
      `CONTAINS ignores case for a to z only, not for ä or ж: the LC_CTYPE of the database is ${String(ctype)}.`,
      remedy,
    );
  }
  if (isIndexed === false) {
    return warn(
      'Locale',
      `Searches for parts of words use the index for a to z only: the LC_CTYPE of the database is ${String(ctype)}.`,
      remedy,
    );
  }
  return ok('Locale', `case is ignored in all scripts (LC_CTYPE ${String(ctype)})`);
}

const remedy =
  "The LC_CTYPE of a database cannot be changed. Create another database with CREATE DATABASE gantry TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C.UTF-8', and move the content with pg_dump and psql.";
