const { createContext } = require('node:vm');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { disableAsyncStorages } = require('./async-storages.cjs');
const { loadPackagesOnce } = require('./compiled-modules.cjs');
const { keepGlobals } = require('./kept-globals.cjs');

loadPackagesOnce();

/** Jest asks for one; nothing is compiled in it (compiled-modules.cjs). */
const context = createContext({});

/**
 * An environment for Node.js without a separate realm (docs/decisions/0052): test files run with the globals of their worker, so
 * that installed packages are loaded once for each worker. What a file changes in the globals and in `process` is undone when it
 * ends.
 */
module.exports = class Environment {
  constructor({ projectConfig: config }) {
    this.undo = keepGlobals();
    this.global = globalThis;
    const parts = { config, global: globalThis };
    this.moduleMocker = new ModuleMocker(globalThis);
    const timerConfig = { idToRef: (timer) => timer, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({ ...parts, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers(parts);
  }

  async setup() {}

  async teardown() {
    disableAsyncStorages();
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    // Jest takes this for the sign that nothing of the file may be loaded any more.
    this.global = null;
    this.undo();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return context;
  }
};
