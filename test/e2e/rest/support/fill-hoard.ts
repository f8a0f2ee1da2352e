import { execute } from '../../../support/database';
import { withoutTriggers } from './without-triggers';

/** Makes so many items of the type that has many. */
export function fillHoard(databaseUrl: string, rows: number): Promise<void> {
  return withoutTriggers(databaseUrl, 'workbench_hoard', () =>
    execute(
      databaseUrl,
      `INSERT INTO workbench_hoard (name, rank) SELECT 'name ' || n, n FROM generate_series(1, ${rows}) n`,
    ),
  );
}
