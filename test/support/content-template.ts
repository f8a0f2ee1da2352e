import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, execute } from './database';

/** Set by global-setup.cjs where the server of the test run ends with it, and with it the template. */
const run = process.env['GANTRY_TEST_FOLDER'];
const template = 'gantry_template_content';

/** Tables that a start writes about the host, and not about the content. */
const ownOfHost = 'gantry_plugin_set, gantry_setting, gantry_known_type';

/**
 * The database whose copies have the tables of the content plugins: to make these takes PostgreSQL a third of a second of processor
 * time. It is made when a second host of the test run asks for it.
 * @param makeTables runs a host with the content plugins on a database
 * @returns undefined while there is none
 */
export async function findContentTemplate(
  makeTables: (databaseUrl: string) => Promise<void>,
): Promise<string | undefined> {
  if (run === undefined || process.env['GANTRY_TEST_TEMPLATES'] !== 'yes') return undefined;
  const ready = join(run, 'template-ready');
  if (existsSync(ready)) return template;
  if (isFirst(join(run, 'template-wanted')) || !isFirst(join(run, 'template-begun'))) return undefined;
  const { url } = await createTestDatabase({ name: template });
  await makeTables(url);
  await execute(url, `TRUNCATE ${ownOfHost} RESTART IDENTITY`);
  // Without it, a process of PostgreSQL may be connected while the database is copied.
  await execute(process.env['GANTRY_TEST_DATABASE_URL'] ?? '', `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  writeFileSync(ready, '');
  return template;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
