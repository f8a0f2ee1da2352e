import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { dumpDatabase } from '../../src/backup/database/dump-database';
import { loadDatabase } from '../../src/backup/database/load-database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { startTestHost, type TestHost } from '../../../../test/support/platform';
import { sendJson } from '../../../../test/support/rest-client';

const never = new AbortController().signal;
const catalogs = '/api/cms/items/catalog';
let folder: string;
const databases: TestDatabase[] = [];
const hosts: TestHost[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-test-changes-'));
});

afterEach(async () => {
  await stopHosts();
  await Promise.all(databases.splice(0).map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('the change feed of a platform that was restored from a backup', () => {
  it('continues in a new epoch, behind the rows from before, whose transaction ids are higher', async () => {
    const source = await createDatabase();
    let address = await open(source.url);
    const { json } = await sendJson(address, 'POST', catalogs, { code: 'garden', name: 'Garden' });
    await stopHosts();
    await run(source.url, `UPDATE gantry_change SET transaction_id = transaction_id + 1000000000`);
    const manifest = await dumpDatabase({ url: source.url, folder, signal: never, atSnapshot: (take) => take() });
    const target = await createDatabase();
    await loadDatabase({ url: target.url, folder, manifest, signal: never });

    address = await open(target.url);
    await sendJson(address, 'PATCH', `${catalogs}/${json.data.id}`, { name: 'House' });

    expect(await changesOf(target.url)).toEqual(['1 false', '2 true']);
    expect(await partitionsOf(target.url)).toEqual(await partitionsOf(source.url));
    const again = await createDatabase();
    await loadDatabase({ url: again.url, folder, manifest, signal: never });
    expect(await epochOf(again.url)).toBeGreaterThan(await epochOf(target.url));
  }, 120_000);

  it('begins a new epoch also when another tool has brought it from a server that was ahead, and once only', async () => {
    const database = await createDatabase();
    let address = await open(database.url);
    const { json } = await sendJson(address, 'POST', catalogs, { code: 'garden', name: 'Garden' });
    await stopHosts();
    await open(database.url);
    expect(await epochOf(database.url)).toBe(1);
    await stopHosts();
    await run(database.url, `UPDATE gantry_change SET transaction_id = transaction_id + 1000000000`);

    address = await open(database.url);
    await sendJson(address, 'PATCH', `${catalogs}/${json.data.id}`, { name: 'House' });

    expect(await changesOf(database.url)).toEqual(['1 false', '2 true']);
    const epoch = await epochOf(database.url);
    await stopHosts();
    await open(database.url);
    expect(await epochOf(database.url)).toBe(epoch);
  }, 120_000);
});

/** Version, and whether the row is of a later epoch than the first, in the order of positions. */
async function changesOf(url: string): Promise<readonly unknown[]> {
  const rows = await run(
    url,
    `SELECT version || ' ' || (epoch > 1) AS text FROM gantry_change ORDER BY epoch, transaction_id, sequence`,
  );
  return rows.map(({ text }) => text);
}

async function partitionsOf(url: string): Promise<readonly unknown[]> {
  return run(
    url,
    `SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) AS bound,
       (SELECT count(*) FROM pg_index x JOIN pg_inherits xi ON xi.inhrelid = x.indexrelid WHERE x.indrelid = c.oid) AS indexes
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'gantry_change'::regclass ORDER BY c.relname`,
  );
}

/** Of rows that are written from now on, also through partitions that are made later. */
async function epochOf(url: string): Promise<number> {
  const rows = await run(
    url,
    `SELECT DISTINCT pg_get_expr(d.adbin, d.adrelid)::int AS epoch FROM pg_attrdef d
     JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE a.attname = 'epoch' AND d.adrelid::regclass::text ~ '^gantry_change'`,
  );
  expect(rows).toHaveLength(1);
  return Number(rows[0]?.['epoch']);
}

async function createDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

async function open(databaseUrl: string): Promise<string> {
  const host = await startTestHost({ plugins: ['plugins/catalog'], databaseUrl });
  hosts.push(host);
  return host.address;
}

async function stopHosts(): Promise<void> {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
}

async function run(url: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
