import { idempotencySchema } from '@gantry/core-http/tables';
import { identitySchema } from '@gantry/core-identity/commands';
import type { PluginSchema } from '@gantry/core-database';
import { pluginSetSchema } from '@gantry/core-lifecycle/tables';
import { subscriptionSchema } from '@gantry/core-webhooks/commands';

/** The tables of the platform itself. */
export const platformSchemas: readonly PluginSchema[] = [
  identitySchema,
  idempotencySchema,
  subscriptionSchema,
  pluginSetSchema,
];
