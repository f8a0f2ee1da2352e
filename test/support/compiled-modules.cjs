/**
 * Each test file has a separate module registry, for which jest loads and compiles every module again. Here installed packages are
 * loaded by Node.js, once for each worker: with the shared realm (environment.cjs), half of the processor time of the workers.
 */
const vm = require('node:vm');

const compileOrdinarily = vm.compileFunction;

/** All but the test framework itself, which keeps the tests of a file in its modules. */
const installedPackage = /[\\/]node_modules[\\/](?!jest-circus[\\/])/;

/** From now on, in this worker. */
exports.loadPackagesOnce = function loadPackagesOnce() {
  vm.compileFunction = compileFunction;
  // Without --experimental-vm-modules, there are none.
  if (!vm.SourceTextModule) return;
  vm.SourceTextModule = inThisRealm(vm.SourceTextModule);
  vm.SyntheticModule = inThisRealm(vm.SyntheticModule);
};

function compileFunction(source, parameters, options = {}) {
  // Without a context, Node.js itself compiles a module.
  if (options.parsingContext === undefined) return compileOrdinarily.call(vm, source, parameters, options);
  if (installedPackage.test(options.filename)) return loadByNode;
  return compileOrdinarily.call(vm, source, parameters, { ...options, parsingContext: undefined });
}

/** A class of ES modules whose last parameter has the context. */
function inThisRealm(Module) {
  return class extends Module {
    constructor(...parameters) {
      const options = parameters.pop();
      super(...parameters, { ...options, context: undefined });
    }
  };
}

/** In place of a function with the source of a module. */
function loadByNode(module) {
  module.exports = require(module.filename);
}
