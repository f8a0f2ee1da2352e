/**
 * A jest transformer for modules of installed packages: a test file gets them from Node.js instead of from the module registry
 * that jest makes for each file, so that a worker process loads them once. For packages that keep nothing of a test file.
 */
module.exports = {
  process: (_source, filename) => ({ code: `module.exports = requireOnce(${JSON.stringify(filename)});` }),
};
