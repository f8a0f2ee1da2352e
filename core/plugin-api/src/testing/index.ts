export { describePlugin } from './describe-plugin';
export type { PluginTestOptions } from './options';
export { testFieldKind } from './test-field-kind';
export type { FieldKindTestOptions } from './test-field-kind';
export { testPlugin } from './test-plugin';
export type { CheckResult } from './test-plugin';
export type { Answer, Payload, PlatformClient, RequestOptions } from './platform-client';
export { startTestPlatform } from './start-test-platform';
export type { TestActor, TestClock, TestItems, TestPlatform, TestPlatformOptions } from './start-test-platform';
