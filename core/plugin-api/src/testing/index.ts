export { describePlugin } from './describe-plugin';
export type { PluginTestOptions } from './options';
export { testFieldKind } from './test-field-kind';
export type { FieldKindTestOptions } from './test-field-kind';
export { testPlugin } from './test-plugin';
export type { CheckResult } from './test-plugin';
