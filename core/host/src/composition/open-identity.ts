import { deleteWebhooksOf, listWebhooksOf, resealWebhooks, subscriptionSchema } from '@gantry/core-webhooks/commands';
import { pluginSettingsSchema, resealPluginSettings } from '@gantry/core-lifecycle/commands';
import type { Permission } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { isExposed, type HostConfig } from '../config';
import { bringUpToDate, createDatabase, type HostDatabase } from '@gantry/core-database';
import { createIdentity, identitySchema, type Identity } from '@gantry/core-identity/commands';
import { createSecretBox } from '@gantry/core-common';

export interface OpenedIdentity {
  readonly identity: Identity;
  close(): Promise<void>;
}

/** Users, sessions and tokens for a command, on the database itself. @throws SchemaError, GantryError UNAVAILABLE */
export async function openIdentity(config: HostConfig, logger: Logger): Promise<OpenedIdentity> {
  await bringUpToDate({
    databaseUrl: config.databaseUrl,
    plugins: [identitySchema, subscriptionSchema, pluginSettingsSchema],
    logger,
  });
  const database = createDatabase({ url: config.databaseUrl, logger });
  try {
    const identity = await identityOf(config, database, logger);
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

/** Users, sessions and tokens on a database that has their tables. */
export function identityOf(
  config: HostConfig,
  database: HostDatabase,
  logger: Logger,
  permissions: () => readonly Permission[] = () => [],
): Promise<Identity> {
  return createIdentity({
    database,
    logger,
    sessions: config.sessions,
    isExposed: isExposed(config),
    secretBox: createSecretBox(config.home, config.secretKey),
    permissions,
    reseal: [resealWebhooks, resealPluginSettings],
    webhooks: { list: listWebhooksOf, delete: deleteWebhooksOf },
  });
}
