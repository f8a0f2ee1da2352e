/**
 * Jest's environment of Node.js, with a code cache. Jest compiles a module again for every test file that loads it; with what V8
 * produced at the first compilation in the same worker, every later one takes a tenth of the processor time.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** By file name: the source, the names of its parameters and what V8 produced from them. */
const compiled = new Map();
const { compileFunction } = vm;

vm.compileFunction = function compileOnce(source, parameters = [], options = {}) {
  const { filename } = options;
  if (filename === undefined) return compileFunction(source, parameters, options);
  const names = parameters.join();
  const known = compiled.get(filename);
  if (known?.source === source && known.names === names) {
    return compileFunction(source, parameters, { ...options, cachedData: known.cachedData });
  }
  const compiledFunction = compileFunction(source, parameters, { ...options, produceCachedData: true });
  compiled.set(filename, { source, names, cachedData: compiledFunction.cachedData });
  return compiledFunction;
};

module.exports = TestEnvironment;
