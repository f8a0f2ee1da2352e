import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gantry, run, startPlatform } from '../../scripts/lib/gantry.mjs';
import { checkContent, checkOrders, settleOrders } from './support/backup-checker.mjs';
import { startLoad } from './support/backup-load.mjs';
import { createRandom } from './support/random.mjs';

/**
 * Data that were acknowledged before a backup begins are in the platform that is restored from it, with its images and orders,
 * however busy the platform was and however many backups were killed before; and no order is refunded or mailed twice.
 */
export const sizes = {
  ci: { backups: 1, kills: 3, loadMs: 2_500, rows: 20_000, writers: 4 },
  full: { backups: 12, kills: 100, loadMs: 10_000, rows: 500_000, writers: 12 },
};

export default async function prove({ seed, size, log }) {
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-backup-'));
  chmodSync(folder, 0o711);
  const started = [];
  const up = async (home) => {
    const platform = await startPlatform(home);
    started.push(platform);
    return platform;
  };
  try {
    const { backups, known } = await backUpUnderLoad({ folder, size, random: createRandom(seed), up });
    log(`${known.items.size} items, ${known.orders.size} orders while ${backups.length} backups were taken`);
    const sums = { items: 0, images: 0, orders: 0, refunds: 0 };
    for (const backup of backups) {
      const found = await checkBackup({ ...backup, restored: `${backup.target}-home`, known, up });
      for (const name of Object.keys(sums)) sums[name] += found[name];
      log(`${backup.target}: paused for ${backup.report.temporalPausedMs} ms, ${JSON.stringify(found)}`);
    }
    const longest = Math.max(...backups.map(({ report }) => report.temporalPausedMs));
    return (
      `${backups.length} backups under load and ${size.kills} killed ones: ${sums.items} items, ${sums.images} images and ` +
      `${sums.orders} orders acknowledged before are all there, ${sums.refunds} refunded once; Temporal paused for ${longest} ms at most`
    );
  } finally {
    await Promise.all(started.map((platform) => platform.stop()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function backUpUnderLoad({ folder, size, random, up }) {
  const home = join(folder, 'home');
  const platform = await up(home);
  const load = await startLoad({ ...platform, ...size });
  const backups = [];
  for (let index = 0; index < size.backups; index += 1) {
    await delay(size.loadMs);
    await killBackups({ folder, home, load, random, kills: Math.ceil(size.kills / size.backups) });
    backups.push(await takeBackup(join(folder, `backup-${index}`), home, load));
  }
  await delay(size.loadMs / 5);
  const known = await load.stop();
  await platform.stop();
  return { backups, known };
}

/** Killed at any moment, a backup leaves nothing of its name or a complete one; the platform and its Temporal continue. */
async function killBackups({ folder, home, load, random, kills }) {
  for (let index = 0; index < kills; index += 1) {
    const target = join(folder, 'killed');
    const { child, ended } = gantry(['backup', target, '--home', home]);
    await Promise.race([delay(random() * 2_000), ended]);
    child.kill(random() < 0.5 ? 'SIGKILL' : 'SIGINT');
    await ended;
    // It may be killed after its last step.
    if (existsSync(target)) await run(['verify', target]);
    rmSync(target, { recursive: true, force: true });
    await load.assertGoesOn();
  }
}

async function takeBackup(target, home, load) {
  const begin = performance.now();
  const { code, output } = await gantry(['backup', target, '--home', home, '--json']).ended;
  if (code !== 0) throw new Error(`gantry backup failed: ${output}`);
  const { data: report } = JSON.parse(output);
  if (report.temporalPausedMs > 2_000) throw new Error(`Temporal was paused for ${report.temporalPausedMs} ms.`);
  await load.assertGoesOn();
  return { target, begin, report };
}

async function checkBackup({ target, begin, restored, known, up }) {
  await run(['verify', target]);
  await run(['restore', target, '--home', restored]);
  const platform = await up(restored);
  const content = await checkContent({ ...platform, known, begin });
  const orders = await checkOrders({ ...platform, known, begin });
  await run(['resume', '--home', restored]);
  const refunds = await settleOrders({ ...platform, orders });
  await platform.stop();
  rmSync(restored, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  return { ...content, orders: orders.length, refunds };
}
