/** One chunk: a reader of one of these pages mostly opens the other. */
export { PluginsPage } from './plugins-page';
export { SettingsPage } from './settings-page';
