/**
 * Code cache (code-cache.cjs) for the processes in which plugins are checked. They see almost nothing of the environment, so that
 * those which a test or its platform starts load a file in the folder of the test run first.
 */
const childProcess = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const name = 'check-process.cjs';
const entry = /[\\/]dist[\\/]check[\\/]check-process\.js$/;

/** Makes that file. */
exports.prepareCheckProcesses = function prepareCheckProcesses(folder) {
  const cache = JSON.stringify(join(__dirname, 'code-cache.cjs'));
  writeFileSync(join(folder, name), `require(${cache}).installInCheck(__dirname);\n`);
};

/** From now on check processes of this process load it. */
exports.cacheCheckProcesses = function cacheCheckProcesses(folder) {
  const { spawn } = childProcess;
  childProcess.spawn = function spawnCached(program, args, ...rest) {
    const at = Array.isArray(args) ? args.findIndex((word) => entry.test(word)) : -1;
    const own = at === -1 ? args : args.toSpliced(at, 0, '--require', join(folder, name));
    return spawn.call(this, program, own, ...rest);
  };
};
