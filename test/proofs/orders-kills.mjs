/**
 * Orders on a real platform whose host, Temporal and PostgreSQL are killed with kill -9 while the orders continue: every order that was
 * paid ends delivered or refunded (the ones that need a decision by one of the two operations), none is refunded twice or both,
 * and the row of every order is there.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPlatform } from '../../scripts/lib/gantry.mjs';
import { makeShortenedServices } from '../support/shortened-services.mjs';
import { pidOf, untilReady } from './support/kill-servers.mjs';
import { checkOrders, driveOrder, outcomes } from './support/order-clients.mjs';
import { createRandom } from './support/random.mjs';

export const sizes = { ci: { orders: 12, kills: 3 }, full: { orders: 200, kills: 30 } };

const limits = {
  timeLimits: {
    emailStartToClose: 5_000,
    paymentStartToClose: 5_000,
    shippingStartToClose: 5_000,
    // How an order ends must not depend on how long the platform could not be reached.
    paymentWait: 600_000,
    deliverySleep: 2_000,
    confirmationWait: 2_000,
  },
  paymentWaits: { '-unpaid': 5_000 },
};

/** @param {{ seed: number, size: { orders: number, kills: number }, log: (line: string) => void }} options */
export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-orders-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
  chmodSync(folder, 0o755);
  const plugins = await makeShortenedServices(folder, limits);
  const platform = await startPlatform(join(folder, 'home'), { GANTRY_PLUGIN_PATH: plugins });
  try {
    const names = Object.keys(outcomes);
    const orders = Array.from({ length: size.orders }, (_, index) => `kill-${index}-${names[index % names.length]}`);
    let isDone = false;
    const driving = Promise.all(orders.map((orderId) => driveOrder(platform.address, orderId))).finally(() => {
      isDone = true;
    });
    const killing = killServers({
      home: join(folder, 'home'),
      address: platform.address,
      ...size,
      random: createRandom(seed),
      log,
      isOver: () => isDone,
    });
    const [, kills] = await Promise.all([driving, killing]);
    return `${await checkOrders(platform.databaseUrl, orders)} after ${kills} kills`;
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/**
 * One after the other, each at a random moment: mostly after the platform has recovered from the one before, as it would on any
 * machine, and sometimes before that.
 */
async function killServers({ home, address, kills, random, log, isOver }) {
  const servers = ['host', 'temporal', 'postgres'];
  let count = 0;
  while (count < kills && !isOver()) {
    await delay(1_000 + random() * 3_000);
    const server = servers[count % servers.length];
    const pid = pidOf(home, server);
    if (pid === undefined) continue;
    process.kill(pid, 'SIGKILL');
    count += 1;
    log(`killed ${server}`);
    const deadline = performance.now() + 120_000;
    while ([undefined, pid].includes(pidOf(home, server))) {
      if (performance.now() > deadline) throw new Error(`${server} did not come back`);
      await delay(100);
    }
    if (random() < recoveryShare) await untilReady(address, ['ready']);
  }
  return count;
}

const recoveryShare = 0.75;
