import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../src/postgres/start-postgres';
import { makeHome } from './homes';

/** Makes a database once and hands out copies of it: making one takes longer than most tests. */
export async function createPreparedHomes(): Promise<() => string> {
  const template = makeHome();
  await (await startPostgres({ home: template })).stop();
  return () => {
    const home = makeHome();
    mkdirSync(home);
    // Owners are kept, which Node's own copying does not do.
    execFileSync('cp', ['-a', join(template, 'postgres'), home]);
    return home;
  };
}
