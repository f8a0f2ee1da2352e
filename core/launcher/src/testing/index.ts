export { openTestServers } from './test-servers';
export type { TestServers, TestServersOptions } from './test-servers';
