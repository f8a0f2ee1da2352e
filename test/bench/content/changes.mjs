/**
 * Costs of the change feed: creates, updates and imports on one host, in turn with its triggers and with them disabled; and how fast the
 * feed and the history of an item are read.
 */
import pg from 'pg';
import { inTurn, load, median } from '../lib/load.mjs';
import { startDatabase, startHost } from '../lib/servers.mjs';
import { analyse, fill } from './fill.mjs';

const items = '/api/cms/items/product';

/** @param {{ seconds: number, rounds: number, products: number, environment: object }} settings */
export async function compareChanges({ seconds, rounds, products, environment, note }) {
  const database = await startDatabase();
  try {
    const rows = Math.min(100_000, products);
    await (await startHost(database, environment)).stop();
    await fill(database.url, rows);
    const host = await startHost(database, environment);
    await analyse(database.url);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const writes = [];
      for (const scenario of scenarios(rows)) {
        note(scenario.name);
        writes.push(await compareWrites({ host, database, client, scenario, seconds, rounds }));
      }
      note('import');
      const imported = await compareImports({ host, database, client, rows, rounds: Math.min(rounds, 3) });
      note('reading');
      return { writes: [...writes, imported], reading: await measureReading({ host, client }) };
    } finally {
      await client.end();
      await host.stop();
    }
  } finally {
    await database.stop();
  }
}

function scenarios(rows) {
  const create = JSON.stringify({ code: 'N{n}', name: 'New product {n}', price: 12.5, catalog: 1 });
  return [
    { name: 'create', path: items, options: { bodies: [create] } },
    {
      name: 'update',
      path: `${items}/{id}`,
      options: { method: 'PATCH', highestId: rows, bodies: [JSON.stringify({ name: 'Changed {n}', price: 1.5 })] },
    },
  ];
}

async function compareWrites({ host, database, client, scenario: { name, path, options }, seconds, rounds }) {
  const measure = async (isOn, time = seconds) => {
    await switchFeed(client, isOn);
    const before = [host.cpuMs(), database.cpuMs()];
    const result = await load(`${host.address}${path}`, { seconds: time, ...options });
    const [own, ofDatabase] = [host.cpuMs() - before[0], database.cpuMs() - before[1]];
    return { ...result, hostCpuMs: own / result.requests, databaseCpuMs: ofDatabase / result.requests };
  };
  await measure(true, 1);
  await measure(false, 1);
  const pairs = await inTurn(
    rounds,
    () => measure(true),
    () => measure(false),
  );
  return {
    scenario: name,
    ratio: median(pairs.map(([on, off]) => on.perSecond / off.perSecond)),
    ...sidesOf(pairs, 'perSecond'),
    wrongAnswers: pairs.flat().reduce((sum, { wrong }) => sum + wrong, 0),
  };
}

/** Medians; processor time of both processes is less disturbed by others on the machine than what was achieved. */
function sidesOf(pairs, measure) {
  const side = (index, key) => median(pairs.map((pair) => pair[index][key]));
  return {
    withFeed: side(0, measure),
    without: side(1, measure),
    hostCpuMsWithFeed: side(0, 'hostCpuMs'),
    hostCpuMsWithout: side(1, 'hostCpuMs'),
    databaseCpuMsWithFeed: side(0, 'databaseCpuMs'),
    databaseCpuMsWithout: side(1, 'databaseCpuMs'),
  };
}

/** The ratio is one of times: more than 1 is slower. */
async function compareImports({ host, database, client, rows, rounds }) {
  const file = ['code,name,price', ...Array.from({ length: rows }, (_, n) => `I${n},Imported product ${n},${n}.25`)];
  const measure = async (isOn) => {
    await switchFeed(client, isOn);
    const before = [host.cpuMs(), database.cpuMs()];
    const startedAt = performance.now();
    const response = await fetch(
      `${host.address}/api/cms/imports/product?set=${encodeURIComponent('{"catalog":"cat1"}')}`,
      {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: file.join('\n'),
      },
    );
    const text = await response.text();
    const ms = performance.now() - startedAt;
    const cpu = { hostCpuMs: host.cpuMs() - before[0], databaseCpuMs: database.cpuMs() - before[1] };
    if (response.status !== 200) throw new Error(`The import answers ${response.status}: ${text}`);
    await switchFeed(client, false);
    await client.query(`DELETE FROM catalog_product WHERE code LIKE 'I%'`);
    await client.query('VACUUM catalog_product, gantry_search');
    return { ms, ...cpu };
  };
  const pairs = await inTurn(
    rounds,
    () => measure(true),
    () => measure(false),
  );
  return {
    scenario: `import of ${rows} rows (ms)`,
    ratio: median(pairs.map(([on, off]) => on.ms / off.ms)),
    ...sidesOf(pairs, 'ms'),
  };
}

async function switchFeed(client, isOn) {
  const { rows } = await client.query(
    `SELECT format('ALTER TABLE %s %s TRIGGER %I', tgrelid::regclass, $1::text, tgname) AS statement FROM pg_trigger
     WHERE tgname ~ '^(zz_)?gantry_change_' AND tgparentid = 0`,
    [isOn ? 'ENABLE' : 'DISABLE'],
  );
  await client.query(rows.map(({ statement }) => statement).join('; '));
}

const versions = 1_000;
const historyReads = 20;

async function measureReading({ host, client }) {
  await switchFeed(client, true);
  await client.query('VACUUM ANALYZE');
  const stored = await client.query('SELECT count(*)::int AS changes FROM gantry_change');
  const size = await client.query(
    `SELECT sum(pg_total_relation_size(inhrelid))::float8 AS bytes FROM pg_inherits WHERE inhparent = 'gantry_change'::regclass`,
  );
  const startedAt = performance.now();
  let read = 0;
  for (let after = '0.0.0', hasMore = true; hasMore;) {
    const { data, meta } = await (await fetch(`${host.address}/api/cms/changes?limit=1000&after=${after}`)).json();
    read += data.length;
    ({ next: after, hasMore } = meta);
  }
  const feedMs = performance.now() - startedAt;
  for (let version = 1; version < versions; version += 1) {
    await client.query('UPDATE catalog_product SET price = $1 WHERE id = 1', [version]);
  }
  const times = [];
  for (let count = 0; count < historyReads; count += 1) {
    const begin = performance.now();
    await (await fetch(`${host.address}${items}/1/history`)).arrayBuffer();
    times.push(performance.now() - begin);
  }
  return {
    changes: stored.rows[0].changes,
    bytesPerChange: size.rows[0].bytes / stored.rows[0].changes,
    readPerSecond: (read / feedMs) * 1_000,
    historyOf1000VersionsMs: median(times),
  };
}
