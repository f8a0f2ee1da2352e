import { strict as assert } from 'node:assert';
import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPlatform } from '../../scripts/lib/gantry.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { makeShortenedServices } from '../support/shortened-services.mjs';
import { call, changePlugin, writeNextVersion } from './support/change-plugins.mjs';
import { pidOf } from './support/kill-servers.mjs';
import { checkOrders, driveOrder, outcomes } from './support/order-clients.mjs';
import { startSteadyLoad } from './support/steady-load.mjs';

/**
 * Claim: a type plugin and a service plugin are disabled, enabled and upgraded again and again at 200 requests a second, while orders are
 * on their way, and no request of another plugin fails, no order is lost, requests during a change take less than 100 ms (99 of 100),
 * and the last generation needs as much memory as the first.
 */
export const sizes = {
  // Other programs work on the machine at the same time, so that times say nothing.
  ci: { changes: 2, ordersAtOnce: 2, rate: 50, restMs: 0, hasTimeLimit: false },
  full: { changes: 300, ordersAtOnce: 12, rate: 200, restMs: 2_000, hasTimeLimit: true },
};

const maxP99Ms = 100;
const maxGrowth = 1.1;

const limits = {
  timeLimits: { paymentWait: 600_000, deliverySleep: 2_000, confirmationWait: 2_000 },
  paymentWaits: { '-unpaid': 5_000 },
};

/** @param {{ seed: number, size: { changes: number, ordersAtOnce: number, rate: number, restMs: number }, log: (line: string) => void }} options */
export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-cycles-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const plugins = await makePlugins(folder);
  const home = join(folder, 'home');
  const platform = await startPlatform(home, { GANTRY_PLUGIN_PATH: plugins });
  let load;
  try {
    const items = await createItems(platform);
    const orders = keepOrdering(platform.address, size.ordersAtOnce);
    load = startSteadyLoad(platform.address, { rate: size.rate, seed, ...items });
    await delay(size.restMs);
    const changes = await runCycles({ platform, home, plugins, orders, log, ...size });
    const [sent] = await Promise.all([load.stop(), orders.stop()]);
    log(await checkOrders(platform.databaseUrl, orders.placed));
    return judge({ sent, orders, log, ...size, changes });
  } finally {
    load?.end();
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** All shipped plugins; those that are changed are copies. */
async function makePlugins(folder) {
  const plugins = await makeShortenedServices(folder, limits);
  // The store finds what npm has installed above a plugin.
  rmSync(join(plugins, 'consignment/node_modules'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const name of ['catalog', 'articles', 'events', 'media', 'admin-ui']) {
    symlinkSync(join(root, 'plugins', name), join(plugins, name), 'junction');
  }
  cpSync(join(root, 'test/samples/recipes'), join(plugins, 'recipes'), { recursive: true });
  return plugins;
}

async function createItems(platform) {
  const create = async (type, values) => {
    const { status, body } = await call(platform, 'POST', `/api/cms/items/${type}`, values);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id;
  };
  const catalog = await create('catalog', { code: 'cycles', name: 'Cycles' });
  const products = [];
  for (let number = 0; number < 50; number += 1) {
    products.push(
      await create('product', { code: `first-${number}`, name: `name ${number % 20}`, catalog, price: number }),
    );
  }
  return { catalog, products };
}

/** So many orders at a time, of each outcome. */
function keepOrdering(address, count) {
  const names = Object.keys(outcomes);
  const placed = [];
  let isOver = false;
  let failure;
  const work = Array.from({ length: count }, async () => {
    while (!isOver) {
      const orderId = `cycle-${placed.length}-${names[placed.length % names.length]}`;
      placed.push(orderId);
      await driveOrder(address, orderId);
    }
  });
  for (const one of work) {
    one.catch((error) => {
      failure ??= error;
    });
  }
  return {
    placed,
    assertNoFailure: () => {
      if (failure !== undefined) throw failure;
    },
    stop: async () => {
      isOver = true;
      await Promise.all(work);
    },
  };
}

async function runCycles({ platform, home, plugins, changes: count, restMs, orders, log }) {
  const changes = [];
  while (changes.length < count) {
    orders.assertNoFailure();
    const [step, id] = cycle[changes.length % cycle.length];
    const memory = memoryOf(home);
    if (step === 'upgrade') writeNextVersion(join(plugins, id));
    const change = await changePlugin(platform, id, step === 'disable' ? 'disable' : 'enable');
    assert.equal(change.phase, 'done', JSON.stringify(change));
    changes.push({ ...change, step, plugin: id, memory });
    const took = seconds(change.end - change.begin);
    const parts = `check ${seconds(change.accepted - change.begin)}, start ${seconds(change.served - change.accepted)}`;
    const before = `host before it ${memory.host} MiB, launcher ${memory.launcher} MiB`;
    log(`${step} ${id}: ${took} (${parts}), ${before}, load of the machine ${loadavg()[0].toFixed(1)}`);
    await delay(restMs);
  }
  return changes;
}

/** Steps of a cycle: after six changes, all is as before, with later versions. */
const cycle = [
  ['upgrade', 'consignment'],
  ['disable', 'recipes'],
  ['enable', 'recipes'],
  ['disable', 'consignment'],
  ['enable', 'consignment'],
  ['upgrade', 'recipes'],
];

function memoryOf(home) {
  const launcher = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')).launcher?.pid;
  return { host: residentMiB(pidOf(home, 'host')), launcher: residentMiB(launcher) };
}

function residentMiB(pid) {
  if (pid === undefined) return Number.NaN;
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Math.round((Number(pages) * 4_096) / 2 ** 20);
}

function judge({ sent, changes, orders, rate, hasTimeLimit, log }) {
  const failures = sent.flatMap(({ failure }) => failure ?? []);
  const within = (from, to, of = changes) =>
    sent.filter(({ due }) => of.some((change) => due >= change[from] && due <= change[to])).map(({ ms }) => ms);
  log(
    `the clients themselves were late by ${percentile(
      sent.map(({ late }) => late),
      0.99,
    )} ms (99 of 100)`,
  );
  log(`plugins are checked: ${describe(within('begin', 'accepted'))}`);
  log(`the next generation starts: ${describe(within('accepted', 'served'))}`);
  log(`it serves, and the one before ends: ${describe(within('served', 'end'))}`);
  for (const step of new Set(changes.map((change) => change.step))) {
    log(
      `${step}: ${describe(
        within(
          'begin',
          'end',
          changes.filter((change) => change.step === step),
        ),
      )}`,
    );
  }
  assert.deepEqual([failures.length, ...failures.slice(0, 10)], [0]);
  const p99 = percentile(within('begin', 'end'), 0.99);
  const { first, last } = memoryOfGenerations(changes);
  if (hasTimeLimit) {
    assert.ok(p99 < maxP99Ms, `99 of 100 requests during changes took up to ${p99} ms, with a load of ${loadavg()[0]}`);
    assert.ok(last <= first * maxGrowth, `Generations need ${last} MiB at the end, and needed ${first} MiB at first`);
  }
  return (
    `${changes.length} changes, ${sent.length} requests at ${rate} a second: 0 failed, 99 of 100 during changes within ${p99} ms; ` +
    `${orders.placed.length} orders, 0 lost; generations of ${first} MiB at first and ${last} MiB at the end`
  );
}

/** Of generations that run all plugins, after some seconds. */
function memoryOfGenerations(changes) {
  const found = changes
    .filter(({ step, plugin }) => `${step} ${plugin}` === 'disable recipes')
    .map(({ memory }) => memory.host);
  const count = Math.min(5, Math.ceil(found.length / 2));
  return { first: percentile(found.slice(0, count), 0.5), last: percentile(found.slice(-count), 0.5) };
}

function describe(times) {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => percentile(times, part));
  return `${times.length} requests, half within ${p50} ms, 99 of 100 within ${p99} ms, all within ${most} ms`;
}

function percentile(values, part) {
  const sorted = Float64Array.from(values).toSorted();
  return Math.round((sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0) * 10) / 10;
}

function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}
