/**
 * Runs the built plugin loader in a separate process, because jest replaces Node.js' module system.
 * With a request as first argument, it runs that one and prints one line of JSON. Without, it answers requests that it is sent, one
 * after the other.
 */
const { declaredPatterns } = require('@gantry/core-content');
const { createPluginRegistry } = require('@gantry/core-loader');

async function main() {
  const [, , request] = process.argv;
  if (request === undefined) {
    answerRequests();
    return;
  }
  const run = await runOne(JSON.parse(request), (message) => process.send?.(message));
  process.stdout.write(JSON.stringify(run));
  // Plugins may have left timers behind; what they send no longer matters.
  process.disconnect?.();
}

function answerRequests() {
  process.on('message', (request) => {
    void runOne(request, () => undefined).then(
      (run) => process.send({ run }),
      ({ stack, code }) => process.send({ error: `${stack} ${code}` }),
    );
  });
  process.once('disconnect', () => process.exit());
}

async function runOne(request, send) {
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
      send(message);
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
  await registry.loadPlugins();
  for (const { plugin, phase, problem } of request.fail ?? []) registry.fail(plugin, phase, problem);
  await registry.link(async () => undefined);
  const registered = registry.registeredPlugins().map(summaryOf);
  const required = await outcomeOf(() => registry.start());
  const reports = registry.reports();
  const served = Object.fromEntries(
    [...reports.map(({ id }) => id), 'unheard-of'].map((id) => [id, registry.served(id)]),
  );
  await registry.stop();
  const stopped = Object.fromEntries(registry.reports().map(({ id, state }) => [id, state]));
  return { reports, registered, served, required, stopped, messages, lines, traces: globalThis.traces };
}

function summaryOf({ manifest, definition, routes, mounts }) {
  return {
    id: manifest.id,
    types: definition.itemTypes.map(({ name }) => name),
    routes: routes.map(({ method, path }) => `${method} ${path}`),
    mounts: mounts.map(({ prefix }) => prefix),
  };
}

async function outcomeOf(work) {
  try {
    await work();
    return null;
  } catch ({ code, message, remedy }) {
    return { code, message, remedy };
  }
}

void main();
