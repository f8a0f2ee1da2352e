/**
 * A quarter of the processor time of jest's workers: each test file has a separate module registry, for which jest compiles
 * every module again. Here it gets the code that V8 compiled for an earlier file, in this worker or in another one.
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

if (folder) {
  mkdirSync(folder, { recursive: true });
  vm.compileFunction = compileFunction;
}

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
  const { filename, parsingContext } = options;
  // Code that was stored does not find the callback for `import()`.
  if (parsingContext === undefined || !filename?.startsWith(project) || /\bimport\s*\(/.test(source)) {
    return compileOrdinarily.call(vm, source, parameters, options);
  }
  const head = `(function (${parameters.join(', ')}) { `;
  const digest = createHash('sha1').update(`${filename}\0${head}`).update(source).digest('hex');
  const cachedData = codeOf(filename, digest);
  const wrapped = `${head}${source}\n})`;
  // The head must not move the columns of a stack trace.
  const place = { filename, columnOffset: -head.length };
  const script = new vm.Script(wrapped, { ...place, ...(cachedData && { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected) fresh.set(filename, { digest, script });
  return script.runInContext(parsingContext);
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
