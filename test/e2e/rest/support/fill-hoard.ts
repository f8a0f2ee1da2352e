import { execute } from '../../../support/database';
import { withoutTriggers } from '../../../support/without-triggers';

/** Makes so many items of the type that has many. Nothing is kept of them for search and changes. */
export function fillHoard(databaseUrl: string, rows: number): Promise<void> {
  const insert = `INSERT INTO workbench_hoard (name, rank) SELECT 'name ' || n, n FROM generate_series(1, ${rows}) n`;
  return execute(databaseUrl, withoutTriggers(insert));
}
