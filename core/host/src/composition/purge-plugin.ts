import {
  purgePlugin as purge,
  readPluginSurvey as survey,
  type PluginSurvey,
  type PurgeOptions,
} from '@gantry/core-database';
import { platformSchemas } from './platform-schemas';

/** Reads the tables and rows of a plugin in a database. @throws GantryError UNAVAILABLE */
export function readPluginSurvey(options: Pick<PurgeOptions, 'databaseUrl' | 'plugin'>): Promise<PluginSurvey> {
  return survey({ ...options, owners: platformSchemas });
}

/**
 * Deletes all that the platform stores of a plugin, in one transaction.
 * @returns what there was
 * @throws GantryError CONFLICT while a host runs it, or items that stay refer to its items
 */
export function purgePlugin(options: Omit<PurgeOptions, 'owners'>): Promise<PluginSurvey> {
  return purge({ ...options, owners: platformSchemas });
}
