export { ConfigError, parseConfig } from './config';
export type { HostConfig } from './config';
export { createHost } from './create-host';
export type { Host, HostOptions } from './create-host';
export { openContent } from './open-content';
export type { Content, ContentOptions } from './open-content';
export { disablePlugin, enablePlugin, inspectPlugins, PluginError } from './plugins';
