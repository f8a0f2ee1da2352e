/** The limit that `jest.setTimeout` sets for a file. Jest keeps it in the globals, which the next file of the worker has, too. */
const limit = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Remembers the globals and what tests change in `process`. @returns a function that puts all of it back */
exports.keepGlobals = function keepGlobals() {
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const environment = { ...process.env };
  const { exit, exitCode } = process;
  const folder = process.cwd();
  const listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  return () => {
    putBack(globals);
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    Object.assign(process, { exit, exitCode });
    process.chdir(folder);
    for (const name of process.eventNames()) removeOthers(name, listeners.get(name) ?? []);
  };
};

/** Globals that jest keeps under other symbols stay: they are the same for every file. */
function putBack(globals) {
  Reflect.deleteProperty(globalThis, limit);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!(name in globals)) Reflect.deleteProperty(globalThis, name);
  }
  for (const [name, before] of Object.entries(globals)) {
    const now = Object.getOwnPropertyDescriptor(globalThis, name);
    const isSame = now !== undefined && now.value === before.value && now.get === before.get;
    if (!isSame) Reflect.defineProperty(globalThis, name, before);
  }
}

function removeOthers(name, kept) {
  for (const listener of process.rawListeners(name)) {
    if (!kept.includes(listener)) process.removeListener(name, listener);
  }
}
