import type { Database } from '@gantry/plugin-api';
import { z } from 'zod';
import { createSecret } from './secrets';

const signInSchema = z.object({ firstAdministrator: z.string().optional(), since: z.string() });
const installationSchema = z.string();

/** Stored once sign-in is required. */
export type SignInSetting = Readonly<z.infer<typeof signInSchema>>;

/** @returns undefined while the platform is open on its own machine */
export async function readSignIn(database: Database): Promise<SignInSetting | undefined> {
  return signInSchema.optional().parse(await readSetting(database, 'sign-in'));
}

/**
 * From now on, every request needs a credential. The first call decides; one that names an administrator adds it where the earlier
 * ones have named none, as sign-in by a provider is configured before anybody has signed in.
 */
export async function requireSignIn(database: Database, firstAdministrator: string | undefined): Promise<void> {
  await database.query(
    `INSERT INTO gantry_setting (name, value) VALUES ('sign-in', $1::jsonb)
     ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value || gantry_setting.value`,
    [JSON.stringify({ firstAdministrator, since: new Date().toISOString() })],
  );
}

/** Opens the platform again, on its own machine only. */
export async function removeSignIn(database: Database): Promise<boolean> {
  return removeSetting(database, 'sign-in');
}

/** @returns whether there was one */
export async function removeSetting(database: Database, name: string): Promise<boolean> {
  const removed = await database.query('DELETE FROM gantry_setting WHERE name = $1 RETURNING name', [name]);
  return removed.length > 0;
}

export async function writeSetting(database: Database, name: string, value: unknown): Promise<void> {
  await database.query(
    `INSERT INTO gantry_setting (name, value) VALUES ($1, $2::jsonb)
     ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
    [name, JSON.stringify(value)],
  );
}

/** A short text that differs between the installations of one machine: cookies do not differ by port. */
export async function readInstallationId(database: Database): Promise<string> {
  await insertSetting(
    database,
    'installation',
    createSecret()
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 8),
  );
  return installationSchema.parse(await readSetting(database, 'installation'));
}

async function insertSetting(database: Database, name: string, value: unknown): Promise<void> {
  await database.query(
    'INSERT INTO gantry_setting (name, value) VALUES ($1, $2::jsonb) ON CONFLICT (name) DO NOTHING',
    [name, JSON.stringify(value)],
  );
}

export async function readSetting(database: Database, name: string): Promise<unknown> {
  const [row] = await database.query<{ value: unknown }>('SELECT value FROM gantry_setting WHERE name = $1', [name]);
  return row?.value;
}
