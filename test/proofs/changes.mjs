import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPlatform } from '../../scripts/lib/gantry.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { checkChanges } from './support/change-checker.mjs';
import { startClients } from './support/change-clients.mjs';
import { pidOf, untilReady } from './support/kill-servers.mjs';
import { createRandom } from './support/random.mjs';

/**
 * Items and the change feed agree exactly, however often host, PostgreSQL and Temporal are killed (kill -9) while clients write over REST and
 * imports run: each version of each item has one row, the rows of an item continue each other, the last one equals the item,
 * no acknowledged write is without its row, and a program that follows the feed gets every row once, in order.
 */
export const sizes = {
  // Without services, there is no Temporal to wait for.
  ci: { clients: 16, writes: 500, kills: 6, importedRows: 400, hasServices: false },
  full: { clients: 16, writes: 20_000, kills: 200, importedRows: 1_000, hasServices: true },
};

export default async function prove({ seed, size, log }) {
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-changes-'));
  chmodSync(folder, 0o711);
  const home = join(folder, 'home');
  const environment = size.hasServices ? {} : { GANTRY_PLUGIN_PATH: join(root, 'plugins') };
  const platform = await startPlatform(home, environment);
  try {
    const clients = await startClients({ ...platform, ...size, seed });
    const { load } = clients;
    const kills = await killServers({ home, ...platform, ...size, clients, random: createRandom(seed), log });
    await untilWritten(clients, size.writes);
    const importsBefore = load.imports;
    await until(() => load.imports > importsBefore, 'no import succeeds any more', clients);
    await clients.stopWriting();
    const { rows, items } = await checkChanges({ ...platform, clients });
    return (
      `${load.acknowledged.length} acknowledged writes and ${load.imports} imports, ${kills}: ` +
      `${rows} changes agree with ${items} items, and a reader got each of them once`
    );
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** One after the other, at random moments; most of them when the platform serves again, some before. */
async function killServers({ home, databaseUrl, address, kills, writes, hasServices, clients, random, log }) {
  const counts = { host: 0, postgres: 0, [session]: 0, ...(hasServices ? { temporal: 0 } : {}) };
  for (let count = 0; count < kills;) {
    clients.assertNoFailure();
    const { acknowledged } = clients.load;
    // Kills are spread over the writes.
    await untilWritten(clients, Math.min((writes * count) / kills, acknowledged.length + writes / kills));
    await delay(random() * 500);
    const kinds = Object.keys(counts);
    const kind = kinds[Math.floor(random() * kinds.length)];
    const pid = kind === session ? await pidOfSession(databaseUrl) : pidOf(home, kind);
    if (pid === undefined || !kill(pid)) continue;
    count += 1;
    counts[kind] += 1;
    if (random() < 0.85) await untilReady(address);
  }
  await untilReady(address);
  const text = Object.entries(counts).map(([kind, count]) => `${count} kills of ${kind}`);
  log(text.join(', '));
  return text.join(', ');
}

const session = 'a session of PostgreSQL';

async function pidOfSession(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
       ORDER BY backend_xid IS NULL, random() LIMIT 1`,
    );
    return rows[0]?.pid;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function kill(pid) {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

async function untilWritten(clients, writes) {
  const { load } = clients;
  await until(() => load.acknowledged.length >= writes, 'nothing is acknowledged any more', clients);
}

const limitMs = 120_000;

async function until(isReached, failure, clients) {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; await delay(50)) {
    clients?.assertNoFailure();
    if (await isReached()) return;
  }
  throw new Error(`${failure} (for ${limitMs / 1_000} s)`);
}
