/**
 * Saves a third of the processor time of a process that a test starts: processes store modules, their compiled code and
 * resolved paths in a folder of the test run, from where later ones read them. clean-environment.cjs makes every such process load this file
 * first; one without GANTRY_TEST_CODE_CACHE loads its modules as it does outside of tests.
 *
 * Only modules of builds and installed packages are stored, because nothing changes them during a run. Every run starts with
 * an empty folder.
 */
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, isAbsolute, join, sep } = require('node:path');
const { Script } = require('node:vm');
const { isMainThread, workerData } = require('node:worker_threads');
const { cacheCheckProcesses } = require('./check-processes.cjs');

const project = join(__dirname, '..', '..') + sep;
const folder = process.env.GANTRY_TEST_CODE_CACHE;
/** Fewer new modules than these are not worth writing the file again. */
const minNewModules = 20;
/** `(function (exports, require, module, __filename, __dirname) { `, which must not move the columns of a stack trace. */
const columnOffset = -Module.wrap('').indexOf('\n');
/** Node.js starts a thread of its own for resolve hooks, which loads fewer modules than reading the file is worth. */
const isThreadOfNode = !isMainThread && workerData === null;
/**
 * It finds out that it does not run at Cloudflare by `navigator`, which Node.js 21 has, or else by a Response, for which Node.js 20
 * loads its HTTP client: 30 ms of processor time of every process with a database.
 */
const pgStream = join('node_modules', 'pg', 'lib', 'stream.js');
/** The module that the process was started with. */
let main;

exports.installInCheck = installInCheck;

if (folder !== undefined && !isThreadOfNode && existsSync(folder)) {
  install(join(folder, nameOfFile()));
  cacheCheckProcesses(folder);
}

/** A check process is killed when it has answered. */
function installInCheck(run) {
  if (isThreadOfNode) return;
  const store = install(join(run, nameOfFile()));
  const { send } = process;
  process.send = function sendStored(message, ...rest) {
    if (message.kind === 'checked' || message.kind === 'check-failed') store();
    return send.call(this, message, ...rest);
  };
}

/** V8 takes code only from a process with the same flags, and a process loads few modules that those of other programs load. */
function nameOfFile() {
  const words = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')];
  const flags = words.filter((word) => word.startsWith('--') && !/^--(inspect-port|require)\b/.test(word));
  const program = basename(process.argv[1] ?? '');
  return createHash('sha1')
    .update([program, ...flags.toSorted()].join('\0'))
    .digest('hex');
}

function install(file) {
  const stored = readStored(file);
  const fresh = { paths: {}, modules: new Map() };
  keepPaths(stored.paths, fresh.paths);
  keepCode(stored, fresh.modules);
  const store = () => fresh.modules.size >= minNewModules && writeStored(file, stored, fresh);
  // Threads of a process load little, and may end at the same time as it.
  if (isMainThread) process.on('exit', store);
  return store;
}

/** Modules of one folder that require the same name get the same file. */
function keepPaths(storedPaths, freshPaths) {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function resolveStored(request, parent, isMain, options) {
    if (isMain || options !== undefined || !isUnchanging(parent?.filename)) {
      return resolve.call(this, request, parent, isMain, options);
    }
    const key = `${parent.path}\0${request}`;
    const known = storedPaths[key] ?? freshPaths[key];
    if (known !== undefined) return known;
    const path = resolve.call(this, request, parent, isMain, options);
    if (isAbsolute(path) && isUnchanging(path)) freshPaths[key] = path;
    return path;
  };
}

function keepCode(stored, freshModules) {
  const load = Module._extensions['.js'];
  Module._extensions['.js'] = function loadStored(module, filename) {
    if (module.id === '.') main = module;
    const isWithoutNavigator = filename.endsWith(pgStream) && globalThis.navigator === undefined;
    if (isWithoutNavigator) globalThis.navigator = { userAgent: process.release.name };
    const known = stored.find(filename);
    if (known === undefined) load.call(this, module, filename);
    else run(compile(known.source.toString(known.encoding), filename, known.code), module, filename);
    if (isWithoutNavigator) delete globalThis.navigator;
  };
  const compileOrdinarily = Module.prototype._compile;
  Module.prototype._compile = function compileToStore(source, filename, format) {
    const script = canBeStored(source, filename, format) ? tryCompile(source, filename) : undefined;
    if (script === undefined) return compileOrdinarily.call(this, source, filename, format);
    freshModules.set(filename, { script, source });
    return run(script, this, filename);
  };
}

/** `import()` and a first line for a shell need what only the loader of Node.js does. */
function canBeStored(source, filename, format) {
  return format !== 'module' && isUnchanging(filename) && !source.startsWith('#!') && !/\bimport\s*\(/.test(source);
}

/** Undefined for an ES module without a name that says so, and for a file with an error, which Node.js has to report. */
function tryCompile(source, filename) {
  try {
    return compile(source, filename);
  } catch {
    return undefined;
  }
}

function compile(source, filename, cachedData) {
  return new Script(Module.wrap(source), { filename, columnOffset, cachedData });
}

function run(script, module, filename) {
  const require = (id) => module.require(id);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  require.resolve.paths = (request) => Module._resolveLookupPaths(request, module);
  require.main = main;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  const body = script.runInThisContext();
  return body.call(module.exports, module.exports, require, module, filename, dirname(filename));
}

function isUnchanging(filename) {
  return (
    typeof filename === 'string' &&
    filename.startsWith(project) &&
    (filename.includes(`${sep}node_modules${sep}`) || filename.includes(`${sep}dist${sep}`)) &&
    !filename.includes(`${sep}fixtures${sep}`) &&
    /\.c?js$/.test(filename)
  );
}

/**
 * The file: length of the index, index as JSON, then code and source of all modules. One that cannot be read or written, as by
 * another user or on a full disk, only makes the process slower.
 */
function readStored(file) {
  try {
    const bytes = readFileSync(file);
    const start = 4 + bytes.readUInt32LE(0);
    const { paths, modules } = JSON.parse(bytes.toString('utf8', 4, start));
    const find = (name) => {
      const found = modules[name];
      if (found === undefined) return undefined;
      const [from, middle, end, encoding] = found;
      const code = bytes.subarray(start + from, start + middle);
      return { code, source: bytes.subarray(start + middle, start + end), encoding };
    };
    return { paths, names: Object.keys(modules), find };
  } catch {
    return { paths: {}, names: [], find: () => undefined };
  }
}

function writeStored(file, stored, fresh) {
  const all = stored.names.map((name) => [name, stored.find(name)]);
  for (const [name, { script, source }] of fresh.modules) all.push([name, toStore(script, source)]);
  const modules = {};
  let length = 0;
  for (const [name, { code, source, encoding }] of all) {
    const middle = length + code.length;
    modules[name] = [length, middle, (length = middle + source.length), encoding];
  }
  const index = Buffer.from(JSON.stringify({ paths: { ...stored.paths, ...fresh.paths }, modules }));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(index.length);
  // Other processes read and write at the same time: the last one that ends wins.
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, Buffer.concat([head, index, ...all.flatMap(([, { code, source }]) => [code, source])]));
    renameSync(own, file);
  } catch {
    rmSync(own, { force: true });
  }
}

/** A character of a text in latin1 is a byte, which is the fastest to read. */
function toStore(script, source) {
  const encoding = /^[\0-\xff]*$/.test(source) ? 'latin1' : 'utf8';
  return { code: script.createCachedData(), source: Buffer.from(source, encoding), encoding };
}
