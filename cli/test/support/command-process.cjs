/**
 * Runs the built command again and again in this one process. The words, settings and streams of each run take the place of those
 * of the process, so that it is `run` itself that reads and writes them.
 */
const { Console } = require('node:console');
const { join, sep } = require('node:path');
const { Readable, Writable } = require('node:stream');
const { setTimeout: delay } = require('node:timers/promises');
const url = require('node:url');
const { disableAsyncStorages } = require('../../../test/support/async-storages.cjs');
const watchdogs = require('../../dist/context/plugin-watchdog.js');
const { run } = require('../../dist/run.js');

const project = join(__dirname, '../../..');
const platform = ['cli', 'core', 'contracts', 'node_modules'].map((name) => join(project, name) + sep);
const isOfPlugin = (file) => !platform.some((folder) => file.startsWith(folder));

/** A command that has done its work closes its connections within a moment. */
const maxEndMs = 10_000;

let runs = 0;

/** The next one is sent after the answer. */
process.on('message', (asked) => void runCommand(asked).then((answer) => process.send(answer)));
process.once('disconnect', () => process.exit());

async function runCommand({ words, environment, input }) {
  forgetPlugins();
  disableAsyncStorages();
  const before = await activeResources();
  const [stdout, stderr] = [collect(), collect()];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv = [process.execPath, 'gantry', ...words];
  process.exitCode = undefined;
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  for (const [name, value] of Object.entries({ stdin, stdout, stderr })) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  globalThis.console = new Console(stdout, stderr);
  await run();
  const code = process.exitCode ?? 0;
  // It is that of the command, and not of this process.
  process.exitCode = undefined;
  return { code, stdout: stdout.text(), stderr: stderr.text(), left: await resourcesLeft(before) };
}

const { startPluginWatchdog } = watchdogs;
let watchdog;

/** One thread for all runs, because its start takes as long as a small command; another one where plugin code did not return. */
watchdogs.startPluginWatchdog = function startSharedWatchdog() {
  watchdog ??= startPluginWatchdog();
  const { notifyLauncher, stop } = watchdog;
  let entered = 0;
  return {
    notifyLauncher: (message) => {
      if (message.kind === 'entering') entered += 1;
      if (message.kind === 'left') entered -= 1;
      notifyLauncher(message);
    },
    stop: () => {
      if (entered === 0) return;
      stop();
      watchdog = undefined;
    },
  };
};

/** Resources of the command that would keep its process from ending, such as a connection or a timer. */
async function resourcesLeft(before) {
  const end = Date.now() + maxEndMs;
  for (;;) {
    const left = await activeResources();
    for (const name of before) if (left.includes(name)) left.splice(left.indexOf(name), 1);
    if (left.length === 0 || Date.now() > end) return left;
  }
}

/** Always with the timer of this function itself. */
async function activeResources() {
  await delay(5);
  return process.getActiveResourcesInfo();
}

/** Each run loads the plugins again: the classes of item types are for one connection only. (Of ES modules, the main file alone.) */
function forgetPlugins() {
  runs += 1;
  for (const file of Object.keys(require.cache)) if (isOfPlugin(file)) delete require.cache[file];
}

const { pathToFileURL } = url;
url.pathToFileURL = function urlOfRun(file, options) {
  const found = pathToFileURL(file, options);
  if (isOfPlugin(file)) found.search = `?run=${runs}`;
  return found;
};

/** A stream that is no terminal. */
function collect() {
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { isTTY: false, text: () => Buffer.concat(chunks).toString() });
}
