import { identitySchema } from '../identity';
import type { PluginSchema } from '../database';
import { subscriptionSchema } from '../subscriptions/tables';

/** The tables of the platform itself. */
export const platformSchemas: readonly PluginSchema[] = [identitySchema, subscriptionSchema];
