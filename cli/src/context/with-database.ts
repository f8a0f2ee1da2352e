import type { HostConfig } from '@gantry/host/config';
import { openDatabase } from '@gantry/launcher/open-database';
import { settingsOf, type CommandContext } from './command-context';

/** Runs work with settings whose database answers; where `mustExist` is set, of a platform that was started before. */
export async function withDatabase<T>(
  context: CommandContext,
  purpose: string,
  signal: AbortSignal,
  work: (config: HostConfig) => Promise<T>,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<T> {
  const settings = settingsOf(context);
  const { home } = settings;
  const database = await openDatabase({ home, purpose, environment: context.environment, signal, mustExist });
  try {
    return await work({ ...settings, databaseUrl: database.url });
  } finally {
    await database.close();
  }
}
