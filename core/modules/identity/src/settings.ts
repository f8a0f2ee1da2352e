import type { Database } from '@gantry/plugin-api';
import { z } from 'zod';
import { addToSetting, insertSetting, readSetting, removeSetting } from '@gantry/core-database';
import { createSecret } from './tokens/secrets';

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
export function requireSignIn(database: Database, firstAdministrator: string | undefined): Promise<void> {
  return addToSetting(database, 'sign-in', { firstAdministrator, since: new Date().toISOString() });
}

/** Opens the platform again, on its own machine only. */
export function removeSignIn(database: Database): Promise<boolean> {
  return removeSetting(database, 'sign-in');
}

/** A short text that differs between the installations of one machine: cookies do not differ by port. */
export async function readInstallationId(database: Database): Promise<string> {
  const made = createSecret().replaceAll(/[^A-Za-z0-9]/g, '');
  await insertSetting(database, 'installation', made.slice(0, 8));
  return installationSchema.parse(await readSetting(database, 'installation'));
}
