import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpDatabase } from '../../src/backup/database/dump-database';
import { loadDatabase } from '../../src/backup/database/load-database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { startTestHost, type TestHost } from '../../../../test/support/platform';
import { send, sendJson } from '../../../../test/support/rest-client';

const never = new AbortController().signal;
let folder: string;
const databases: TestDatabase[] = [];
const hosts: TestHost[] = [];

async function start(): Promise<{ readonly url: string; readonly address: string }> {
  const database = await createTestDatabase();
  databases.push(database);
  return { url: database.url, address: await open(database.url) };
}

async function open(databaseUrl: string): Promise<string> {
  const host = await startTestHost({ plugins: ['plugins/catalog'], databaseUrl });
  hosts.push(host);
  return host.address;
}

async function labelsFound(address: string, q: string): Promise<readonly string[]> {
  const { json } = await send(address, `/api/cms/search?q=${encodeURIComponent(q)}`, { method: 'POST' });
  const groups = json.data as readonly { readonly items: readonly { readonly label: string }[] }[];
  return groups.flatMap(({ items }) => items.map(({ label }) => label));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-test-search-'));
});

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  await Promise.all(databases.splice(0).map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('the search of a platform that was restored from a backup', () => {
  it('finds what was stored before, and what is created, renamed and deleted after', async () => {
    const source = await start();
    const catalogs = '/api/cms/items/catalog';
    const before = await sendJson(source.address, 'POST', catalogs, { code: 'garden', name: 'Garden tools' });
    const gone = await sendJson(source.address, 'POST', catalogs, { code: 'gone', name: 'Garden chairs' });
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
    const manifest = await dumpDatabase({ url: source.url, folder, signal: never, atSnapshot: (take) => take() });
    const target = await createTestDatabase();
    databases.push(target);
    await loadDatabase({ url: target.url, folder, manifest, signal: never });

    const address = await open(target.url);
    // What has the text at the beginning of its code comes first.
    expect(await labelsFound(address, 'garden')).toEqual(['Garden tools', 'Garden chairs']);
    await sendJson(address, 'POST', catalogs, { code: 'kitchen', name: 'Kitchen garden' });
    await sendJson(address, 'PATCH', `${catalogs}/${before.json.data.id}`, { name: 'House' });
    await send(address, `${catalogs}/${gone.json.data.id}`, { method: 'DELETE' });

    expect([await labelsFound(address, 'kitchen gard'), await labelsFound(address, 'house')]).toEqual([
      ['Kitchen garden'],
      ['House'],
    ]);
    expect(await labelsFound(address, 'chairs')).toEqual([]);
  }, 120_000);
});
