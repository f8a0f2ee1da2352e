import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { dumpDatabase } from '../../src/backup/database/dump-database';
import { loadDatabase } from '../../src/backup/database/load-database';
import { createTestDatabase } from '../../../../test/support/database';
import { startTestHost } from '../../../../test/support/platform';

const never = new AbortController().signal;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-test-set-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function rows(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as readonly unknown[];
  } finally {
    await client.end();
  }
}

describe('the plugin set of a database that was restored from a backup', () => {
  it('is the same, with the archives of its packages, which a new host fetches', async () => {
    const [source, target] = [await createTestDatabase(), await createTestDatabase()];
    const first = await startTestHost({
      plugins: ['plugins/articles', 'test/samples/recipes'],
      databaseUrl: source.url,
    });
    const enabled = await fetch(`${first.address}/api/platform/plugins/recipes/enable`, { method: 'POST' });
    expect(enabled.status).toBe(200);
    await first.stop();
    const manifest = await dumpDatabase({ url: source.url, folder, signal: never, atSnapshot: (take) => take() });
    await loadDatabase({ url: target.url, folder, manifest, signal: never });

    const archives = 'SELECT content_hash, md5(bytes) FROM gantry_plugin_archive_chunk ORDER BY 1, number';
    expect(await rows(target.url, archives)).toEqual(await rows(source.url, archives));
    const second = await startTestHost({ plugins: ['plugins/articles'], databaseUrl: target.url });
    expect(second.report.plugins.find(({ id }) => id === 'recipes')).toMatchObject({ state: 'started' });
    await second.stop();
    await Promise.all([source.drop(), target.drop()]);
  }, 120_000);
});
