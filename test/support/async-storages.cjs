/**
 * Node.js before version 24 keeps a list of every AsyncLocalStorage that was used, and goes through it for each new promise. Each
 * test file loads the modules of the project again, and with them such storages: without this, the list grows with every file.
 */
const { AsyncLocalStorage } = require('node:async_hooks');

const used = new Set();

for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function remembered(...parameters) {
    used.add(this);
    return original.apply(this, parameters);
  };
}

/** Takes those that were used so far off the list. One that is used again is on it again. */
exports.disableAsyncStorages = function disableAsyncStorages() {
  for (const storage of used) storage.disable();
  used.clear();
};
