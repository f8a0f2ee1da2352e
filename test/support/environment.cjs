const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');
const { cacheCheckProcesses } = require('./check-processes.cjs');
const { storeCompiledModules } = require('./compiled-modules.cjs');
const { keepGlobals } = require('./kept-globals.cjs');

const codeCache = process.env.GANTRY_TEST_CODE_CACHE;
if (codeCache !== undefined) cacheCheckProcesses(codeCache);

/**
 * The environment for Node.js of jest, without a separate realm (docs/decisions/0052): test files run with the globals of their
 * worker, so that installed packages are loaded once for each worker (compiled-modules.cjs). What a file changes in the
 * globals and in `process` is undone when it ends.
 */
module.exports = class Environment extends TestEnvironment {
  constructor(options, context) {
    super(options, context);
    this.undo = keepGlobals();
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    const config = options.projectConfig;
    const timerConfig = { idToRef: (timer) => timer, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({
      config,
      global: globalThis,
      moduleMocker: this.moduleMocker,
      timerConfig,
    });
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  async teardown() {
    storeCompiledModules();
    await super.teardown();
    // Jest takes this for the sign that nothing of the file may be loaded any more.
    this.global = null;
    this.undo();
  }
};
