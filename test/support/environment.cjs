const { TestEnvironment } = require('jest-environment-node');
const { cacheCheckProcesses } = require('./check-processes.cjs');
const { storeCompiledModules } = require('./compiled-modules.cjs');

const codeCache = process.env.GANTRY_TEST_CODE_CACHE;
if (codeCache !== undefined) cacheCheckProcesses(codeCache);

/** The environment for Node.js of jest, with the function that load-once.cjs needs and modules that are compiled once. */
module.exports = class Environment extends TestEnvironment {
  constructor(...parameters) {
    super(...parameters);
    this.global.requireOnce = require;
  }

  async teardown() {
    storeCompiledModules();
    await super.teardown();
  }
};
