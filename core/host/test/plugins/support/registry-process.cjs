/**
 * Runs the built plugin loader in a separate process, because jest replaces Node.js' module system.
 * Reads a request from the first argument and prints one line of JSON.
 */
const { declaredPatterns } = require('../../../dist/content/compile/declared-patterns');
const { createPluginRegistry } = require('../../../dist/plugins');

async function main() {
  const request = JSON.parse(process.argv[2]);
  globalThis.traces = [];
  const messages = [];
  const lines = [];
  const log = (level) => (fields, message) => lines.push({ level, ...fields, message });
  const registry = createPluginRegistry({
    config: request.sources,
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    quarantines: request.quarantines ?? [],
    notifyLauncher: (message) => {
      messages.push(message);
      process.send?.(message);
    },
    readPatterns: declaredPatterns,
    services: {
      items: () => ({}),
      database: { query: async () => [], transaction: async (work) => work() },
      temporal: { namespace: 'default', client: async () => ({}) },
      platform: { pluginUis: async () => [] },
      now: () => new Date(0),
    },
    environment: request.environment ?? {},
    timeouts: request.timeouts,
  });
  await registry.loadAll();
  for (const { plugin, phase, problem } of request.fail ?? []) registry.fail(plugin, phase, problem);
  await registry.link(async () => undefined);
  const registered = registry.registered().map(summaryOf);
  await registry.start();
  const reports = registry.reports();
  const served = Object.fromEntries(
    [...reports.map(({ id }) => id), 'unheard-of'].map((id) => [id, registry.served(id)]),
  );
  const required = outcomeOf(() => registry.assertRequired());
  await registry.stop();
  const stopped = Object.fromEntries(registry.reports().map(({ id, state }) => [id, state]));
  const run = { reports, registered, served, required, stopped, messages, lines, traces: globalThis.traces };
  process.stdout.write(JSON.stringify(run));
  // Plugins may have left timers behind; what they send no longer matters.
  process.disconnect?.();
}

function summaryOf({ manifest, definition, routes, mounts }) {
  return {
    id: manifest.id,
    types: definition.itemTypes.map(({ name }) => name),
    routes: routes.map(({ method, path }) => `${method} ${path}`),
    mounts: mounts.map(({ prefix }) => prefix),
  };
}

function outcomeOf(work) {
  try {
    work();
    return null;
  } catch ({ code, message, remedy }) {
    return { code, message, remedy };
  }
}

void main();
