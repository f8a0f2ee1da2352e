/** For commands on the database, which serve nothing. */
export { resealPluginSettings } from './settings/plugin-settings';
export { pluginSettingsSchema } from './settings/tables';
