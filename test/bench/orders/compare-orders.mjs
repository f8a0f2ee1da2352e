import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from '@temporalio/client';
import { makeShortenedServices } from '../../support/shortened-services.mjs';
import { inTurn, median } from '../lib/load.mjs';
import { startBareServices, startDatabase, startHost } from '../lib/servers.mjs';
import { startTemporal } from '../lib/temporal.mjs';
import { driveOrders } from './drive-orders.mjs';

/** A consignment sleeps for a moment; all other waits end by signals. */
const shortened = { timeLimits: { deliverySleep: 1 } };

/**
 * The host against a bare process of the SDK: four workers each, the same workflow bundles and the same rows, one Temporal
 * and one PostgreSQL; each side works in a separate namespace, in turn.
 */
export async function compareOrders({ orders, latencyOrders, atOnce, rounds, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-orders-'));
  const [database, temporal, plugins] = await Promise.all([
    startDatabase(),
    startTemporal(['host', 'bare']),
    makeShortenedServices(folder, shortened),
  ]);
  const environment = (namespace) => ({
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: namespace,
    GANTRY_PLUGIN_PATH: plugins,
    BENCH_PLUGINS: plugins,
  });
  try {
    note('starts');
    const start = await compareStarts(database, environment, { rounds });
    const sides = {
      host: await openSide(await startHost(database, environment('host')), temporal, 'host'),
      bare: await openSide(await startBareServices(database, environment('bare')), temporal, 'bare'),
    };
    note('memory of idle workers');
    const memory = await compareMemory(sides);
    note('orders');
    // The first orders compile code and fill caches.
    for (const side of [sides.host, sides.bare]) await driveOrders(side.client, { orders: 20, atOnce });
    const cost = await compareCost(sides, { orders, atOnce, rounds });
    note('orders over HTTP');
    for (const side of [sides.host, sides.bare]) {
      await driveOrders(side.client, { orders: 20, atOnce, address: side.process.address });
    }
    const overHttp = await compareCost(sides, { orders, atOnce, rounds, byRoutes: true });
    note('one order at a time');
    const latency = await compareLatency(sides, { orders: latencyOrders, rounds });
    await Promise.all([sides.host.process.stop(), sides.bare.process.stop()]);
    return { cost, overHttp, latency, start, memory };
  } finally {
    await Promise.all([temporal.stop(), database.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openSide(process, temporal, namespace) {
  return { process, client: new Client({ connection: temporal.connection, namespace }) };
}

/** From nothing to all workers polling, on servers that run; of the host also with the content plugins and pages. */
async function compareStarts(database, environment, { rounds }) {
  const services = environment('host');
  const platform = { ...services, GANTRY_PLUGIN_PATH: ['plugins', services.GANTRY_PLUGIN_PATH].join(delimiter) };
  // Makes the tables.
  await measureStart(startHost(database, platform));
  const pairs = await inTurn(
    rounds,
    () => measureStart(startHost(database, services)),
    () => measureStart(startBareServices(database, environment('bare'))),
  );
  const whole = [];
  for (let round = 0; round < rounds; round += 1) whole.push(await measureStart(startHost(database, platform)));
  return {
    ...medians('platform', whole),
    ...medians(
      'servicesOnly',
      pairs.map(([host]) => host),
    ),
    ...medians(
      'bare',
      pairs.map(([, bare]) => bare),
    ),
  };
}

async function measureStart(starting) {
  const started = await starting;
  const cpuMs = started.cpuMs();
  await started.stop();
  return { readyMs: started.readyMs, cpuMs };
}

/** Time until ready, and the processor time in it, which a busy machine changes less. */
function medians(name, starts) {
  return {
    [`${name}Ms`]: median(starts.map(({ readyMs }) => readyMs)),
    [`${name}CpuMs`]: median(starts.map(({ cpuMs }) => cpuMs)),
  };
}

/** After a while without work, in which what the start needed can be given back. */
async function compareMemory({ host, bare }) {
  await idle(10_000);
  const hostMb = host.process.memory();
  const bareMb = bare.process.memory();
  return { hostMb, bareMb, ratio: hostMb / bareMb };
}

async function compareCost({ host, bare }, { orders, atOnce, rounds, byRoutes = false }) {
  const run = async ({ process, client }) => {
    const before = process.cpuMs();
    const startedAt = performance.now();
    await driveOrders(client, { orders, atOnce, ...(byRoutes ? { address: process.address } : {}) });
    return {
      cpuMs: (process.cpuMs() - before) / orders,
      perSecond: (orders * 1000) / (performance.now() - startedAt),
    };
  };
  const pairs = await inTurn(
    rounds,
    () => run(host),
    () => run(bare),
  );
  return {
    orders,
    atOnce,
    hostCpuMsPerOrder: median(pairs.map(([own]) => own.cpuMs)),
    bareCpuMsPerOrder: median(pairs.map(([, other]) => other.cpuMs)),
    ratio: median(pairs.map(([own, other]) => own.cpuMs / other.cpuMs)),
    hostOrdersPerSecond: median(pairs.map(([own]) => own.perSecond)),
    bareOrdersPerSecond: median(pairs.map(([, other]) => other.perSecond)),
  };
}

/** The two sides take turns order by order, so that both meet the same machine. */
async function compareLatency({ host, bare }, { orders, rounds }) {
  const one = async ({ client }) => (await driveOrders(client, { orders: 1, atOnce: 1 }))[0];
  const pairs = await inTurn(
    orders * rounds,
    () => one(host),
    () => one(bare),
  );
  const hostMs = median(pairs.map(([own]) => own));
  const bareMs = median(pairs.map(([, other]) => other));
  return { orders: pairs.length, hostMs, bareMs, ratio: hostMs / bareMs };
}

function idle(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
