import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPlatform } from '../../scripts/lib/gantry.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { startOnDatabase } from './support/start-on-database.mjs';
import { createRandom } from './support/random.mjs';

/**
 * Claim: of five hosts that start on one empty database, the one that makes the schema is killed (kill -9) at a random moment; the others
 * finish, with one schema, one plugin set, and nothing that is there twice.
 */
export const sizes = {
  ci: { hosts: 5, rounds: 1 },
  full: { hosts: 5, rounds: 20 },
};

/** @param {{ seed: number, size: { hosts: number, rounds: number }, log: (line: string) => void }} options */
export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-hosts-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const random = createRandom(seed);
  const plugins = join(folder, 'plugins');
  mkdirSync(plugins);
  for (const name of ['catalog', 'articles', 'events', 'media']) {
    symlinkSync(join(root, 'plugins', name), join(plugins, name), 'junction');
  }
  // It brings the PostgreSQL; its own database is not used.
  const server = await startPlatform(join(folder, 'server'), { GANTRY_PLUGIN_PATH: join(folder, 'none') });
  try {
    // How a schema that one host alone has made looks.
    const expected = await oneRound({ server, folder, plugins, name: 'alone', hosts: 1 });
    for (let round = 1; round <= size.rounds; round += 1) {
      const name = `round${round}`;
      const found = await oneRound({ server, folder, plugins, name, hosts: size.hosts, random });
      assert.deepEqual(found.schema, expected.schema, 'The schema is another one than that of a host alone');
      assert.deepEqual(found.rows, expected.rows, 'Some rows are there twice, or not at all');
      log(`${round}: killed ${found.killed}; ${size.hosts - 1} hosts finished within ${found.seconds} s`);
    }
    const { columns, indexes, constraints, triggers } = expected.schema;
    const sizesOf = `${columns.length} columns, ${indexes.length} indexes, ${constraints.length} constraints and ${triggers.length} triggers`;
    return `${size.rounds} times ${size.hosts} hosts on an empty database, the migrating one killed: the others finish, with the ${sizesOf} of one alone`;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** @param random without it, none is killed */
async function oneRound({ server, folder, plugins, name, hosts, random }) {
  const url = new URL(server.databaseUrl);
  await query(server.databaseUrl, `CREATE DATABASE ${name}`);
  url.pathname = name;
  const databaseUrl = url.href;
  if (random !== undefined) await query(databaseUrl, slowTables);
  const begin = performance.now();
  const started = Array.from({ length: hosts }, (_, index) =>
    startOnDatabase({ home: join(folder, name, String(index)), databaseUrl, plugins }),
  );
  try {
    const killed = random === undefined ? undefined : await killMigrating(databaseUrl, started, random);
    const others = started.filter((host) => host !== killed?.host);
    await Promise.all(others.map((host) => host.ready));
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
    for (const { address } of await Promise.all(others.map((host) => host.ready))) await assertServes(address);
    return { schema: await readSchema(databaseUrl), rows: await countRows(databaseUrl), killed: killed?.at, seconds };
  } finally {
    await Promise.all(started.map((host) => host.stop()));
    await query(server.databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** On a busy machine, hosts would make all tables between two looks of `killMigrating`. */
const slowTables = `
  CREATE SCHEMA proof;
  CREATE FUNCTION proof.wait() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.1); END';
  CREATE EVENT TRIGGER proof_wait ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION proof.wait()`;

/** The one that holds the lock of the schema, after some of the tables are there. */
async function killMigrating(databaseUrl, started, random) {
  const afterTables = Math.floor(random() * 25);
  let host;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const deadline = performance.now() + 180_000; ; await delay(2)) {
      for (const one of started) one.assertNoFailure();
      assert.ok(performance.now() < deadline, 'no host has begun to make the schema');
      const { rows } = await client.query(holder);
      const [{ tables, port }] = rows;
      // It holds the lock again and again, and may not hold it at this moment.
      if (port !== null) host = started.find((one) => one.usesPort(port)) ?? host;
      if (host === undefined || tables < afterTables) continue;
      await host.kill();
      await client.query('DROP SCHEMA proof CASCADE');
      return { host, at: `after ${tables} tables` };
    }
  } finally {
    await client.end();
  }
}

/** Who holds an advisory lock, by the port of its connection, and how far the schema is. */
const holder = `
  SELECT (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public') AS tables,
    (SELECT client_port FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND pg_stat_activity.datname = current_database() LIMIT 1) AS port`;

async function assertServes(address) {
  const response = await fetch(`${address}/api/cms/items/types`, { headers: { connection: 'close' } });
  const { data } = await response.json();
  assert.equal(response.status, 200);
  assert.ok(data.some(({ type }) => type === 'product'));
}

/** Of all tables but that of the running hosts, which has a row for each of them: hosts make some rows when there are none. */
async function countRows(databaseUrl) {
  const tables = await query(
    databaseUrl,
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'gantry_running_host' ORDER BY 1`,
  );
  const counts = tables.map(({ tablename }) => `SELECT '${tablename}' AS name, count(*)::int FROM "${tablename}"`);
  const rows = await query(databaseUrl, counts.join(' UNION ALL '));
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}

/** All that a schema consists of, without what is different in every database. */
async function readSchema(databaseUrl) {
  const list = async (sql) => (await query(databaseUrl, sql)).map(({ line }) => line);
  return {
    columns: await list(`SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1`),
    indexes: await list(`SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
    constraints: await list(`SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1`),
    triggers: await list(`SELECT pg_get_triggerdef(oid) AS line FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`),
  };
}

async function query(databaseUrl, sql) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
