import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../src/postgres/start-postgres';
import { makeHome } from './homes';

/** Set by global-setup.cjs; removed after the test run with all that is in it. */
const run = process.env['GANTRY_TEST_FOLDER'];

/** Hands out copies of a database that is made once: making one takes longer than most tests. */
export function usePreparedHomes(): () => string {
  let template = '';
  beforeAll(async () => {
    template = await findTemplate();
  });
  return () => {
    const home = makeHome();
    mkdirSync(home);
    // Owners are kept, which Node's own copying does not do.
    execFileSync('cp', ['-a', join(template, 'postgres'), home]);
    return home;
  };
}

/** One for all test files of a run, of the first that needs it. */
async function findTemplate(): Promise<string> {
  const shared = join(run ?? '', 'prepared-home');
  if (run !== undefined && existsSync(shared)) return shared;
  const template = makeHome();
  await (await startPostgres({ home: template })).stop();
  // Copies that start at the same time need different ones.
  rmSync(join(template, 'postgres/port'));
  if (run === undefined) return template;
  try {
    renameSync(template, shared);
    return shared;
  } catch {
    // Another file was earlier, or the folders are on different disks.
    return template;
  }
}
