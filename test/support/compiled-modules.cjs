/**
 * Each test file has a separate module registry, for which jest loads and compiles every module again. Here installed packages
 * are loaded by Node.js, once for each worker, and for modules of the project jest gets the code that V8 compiled for an earlier
 * file, in this worker or in another one: a quarter of the processor time of the workers.
 *
 * What was compiled is stored when the test file ends, because V8 compiles a function when it is called first. The folder is
 * that of the test run (global-setup.cjs); without it, jest compiles as ever.
 */
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join, sep } = require('node:path');
const vm = require('node:vm');

const project = join(__dirname, '..', '..') + sep;
const runFolder = process.env.GANTRY_TEST_CODE_CACHE;
const folder = runFolder && join(runFolder, 'modules');
const compileOrdinarily = vm.compileFunction;
/** By name of file: the code, and the source of which it is. */
const stored = new Map();
/** Scripts of this test file for which nothing is stored. */
const fresh = new Map();

/** All but the test framework itself, which keeps the tests of a file in its modules. */
const installedPackage = /[\\/]node_modules[\\/](?!jest-circus[\\/])/;

vm.compileFunction = compileFunction;
// Without --experimental-vm-modules, there are none.
if (vm.SourceTextModule) {
  vm.SourceTextModule = inThisRealm(vm.SourceTextModule);
  vm.SyntheticModule = inThisRealm(vm.SyntheticModule);
}
if (folder) mkdirSync(folder, { recursive: true });

/** Stores what the test file that ends has compiled first. */
exports.storeCompiledModules = function storeCompiledModules() {
  for (const [name, { digest, script }] of fresh) {
    const code = script.createCachedData();
    stored.set(name, { digest, code });
    write(fileOf(digest), code);
  }
  fresh.clear();
};

function compileFunction(source, parameters, options = {}) {
  // Without a context, Node.js itself compiles a module.
  if (options.parsingContext === undefined) return compileOrdinarily.call(vm, source, parameters, options);
  const { filename } = options;
  if (installedPackage.test(filename)) return loadByNode;
  const compiledHere = { ...options, parsingContext: undefined };
  // Code that was stored does not find the callback for `import()`.
  if (!folder || !filename?.startsWith(project) || /\bimport\s*\(/.test(source)) {
    return compileOrdinarily.call(vm, source, parameters, compiledHere);
  }
  const head = `(function (${parameters.join(', ')}) { `;
  const digest = createHash('sha1').update(`${filename}\0${head}`).update(source).digest('hex');
  const cachedData = codeOf(filename, digest);
  const wrapped = `${head}${source}\n})`;
  // The head must not move the columns of a stack trace.
  const place = { filename, columnOffset: -head.length };
  const script = new vm.Script(wrapped, { ...place, ...(cachedData && { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected) fresh.set(filename, { digest, script });
  return script.runInThisContext();
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

function codeOf(name, digest) {
  const known = stored.get(name);
  if (known?.digest === digest) return known.code;
  try {
    const code = readFileSync(fileOf(digest));
    stored.set(name, { digest, code });
    return code;
  } catch {
    return undefined;
  }
}

function fileOf(digest) {
  return join(folder, digest);
}

/** A full disk only makes the tests slower. */
function write(file, code) {
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, code);
    renameSync(own, file);
  } catch {
    // The next file compiles it again.
  }
}
