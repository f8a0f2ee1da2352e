import type { RequestSchema } from './routes/request-schema';

/**
 * The settings of the plugin, which administrators change on the page *Plugins* while the platform runs.
 * @public
 */
export interface Settings {
  /**
   * The values now, as the schema gives them: those that were set, and defaults. From memory; a change that another host stores is here
   * within seconds.
   * @param schema the `settings` of the definition, from which the values have their types
   * @throws GantryError UNAVAILABLE in `register`, before they are read
   */
  get<T>(schema: RequestSchema<T>): T;
}
