import { identitySchema } from '../identity';
import type { PluginSchema } from '../database';
import { subscriptionSchema } from '../subscriptions';

/** The tables of the platform itself. */
export const platformSchemas: readonly PluginSchema[] = [identitySchema, subscriptionSchema];
