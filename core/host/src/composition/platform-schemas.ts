import { idempotencySchema } from '../idempotency/tables';
import { identitySchema } from '../identity/tables';
import type { PluginSchema } from '@gantry/core-database';
import { pluginSetSchema } from '../plugin-set/tables';
import { subscriptionSchema } from '../subscriptions/tables';

/** The tables of the platform itself. */
export const platformSchemas: readonly PluginSchema[] = [
  identitySchema,
  idempotencySchema,
  subscriptionSchema,
  pluginSetSchema,
];
