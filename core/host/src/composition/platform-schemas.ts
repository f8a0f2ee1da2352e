import { idempotencySchema } from '@gantry/core-http/tables';
import { identitySchema } from '@gantry/core-identity/commands';
import type { PluginSchema } from '@gantry/core-database';
import { pluginSetSchema } from '../plugin-set/tables';
import { subscriptionSchema } from '@gantry/core-webhooks/commands';

/** The tables of the platform itself. */
export const platformSchemas: readonly PluginSchema[] = [
  identitySchema,
  idempotencySchema,
  subscriptionSchema,
  pluginSetSchema,
];
