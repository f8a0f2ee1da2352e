import { execute } from '../../../support/database';

/**
 * Runs the action while nothing is kept for the search and the changes of a table, which takes PostgreSQL most of the time that it
 * needs for many rows.
 */
export async function withoutTriggers<T>(databaseUrl: string, table: string, action: () => Promise<T>): Promise<T> {
  await execute(databaseUrl, `ALTER TABLE ${table} DISABLE TRIGGER USER`);
  try {
    return await action();
  } finally {
    await execute(databaseUrl, `ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
}
