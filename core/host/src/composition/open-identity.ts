import type { Logger } from '@gantry/plugin-api';
import { isLoopbackHost, type HostConfig } from '../config';
import { bringUpToDate, createDatabase } from '../database';
import { createIdentity, identitySchema, type Identity } from '../identity';

export interface OpenedIdentity {
  readonly identity: Identity;
  close(): Promise<void>;
}

/** Users, sessions and tokens for a command, on the database itself. @throws SchemaError, GantryError UNAVAILABLE */
export async function openIdentity(config: HostConfig, logger: Logger): Promise<OpenedIdentity> {
  await bringUpToDate({ databaseUrl: config.databaseUrl, plugins: [identitySchema], logger });
  const database = createDatabase({ url: config.databaseUrl, logger });
  try {
    const isExposed = !isLoopbackHost(config.host);
    const identity = await createIdentity({ database, logger, sessions: config.sessions, isExposed });
    return {
      identity,
      close: async () => {
        identity.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
