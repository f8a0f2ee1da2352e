export { describePlugin } from './describe-plugin';
export type { PluginTestOptions } from './options';
export { testPlugin } from './test-plugin';
export type { CheckResult } from './test-plugin';
