import type { ClientBase } from 'pg';
import { messageOf } from '../../launcher-error';

/**
 * Runs statements inside the client's transaction. One that fails is tried again after the others, as long as that helps:
 * what it needs, such as the view that another view reads, may come later in the list.
 * @throws Error with the first statement that cannot be run.
 */
export async function applyStatements(client: ClientBase, statements: readonly string[]): Promise<void> {
  let left = statements;
  while (left.length > 0) {
    const failed: { readonly statement: string; readonly error: unknown }[] = [];
    for (const statement of left) {
      await client.query('SAVEPOINT statement');
      try {
        await client.query(statement);
        await client.query('RELEASE SAVEPOINT statement');
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT statement');
        failed.push({ statement, error });
      }
    }
    const [first] = failed;
    if (first !== undefined && failed.length === left.length) {
      throw new Error(`PostgreSQL refuses a statement: ${messageOf(first.error)} (${first.statement.slice(0, 500)})`, {
        cause: first.error,
      });
    }
    left = failed.map(({ statement }) => statement);
  }
}
