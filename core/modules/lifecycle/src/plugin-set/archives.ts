import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { runningHostTable, silentAfterSeconds, tableExists } from '@gantry/core-database';
import {
  PluginError,
  keptPackage,
  type PluginDecisions,
  unpackPackage,
  openStored,
  storeUnpacked,
} from '@gantry/core-loader';
import { withSetClient } from './stored-set';

/** Of earlier versions, which kept the packages of the current and the previous plugin set in the database. */
const archiveTables = ['gantry_plugin_archive_chunk', 'gantry_plugin_archive', 'gantry_plugin_package'] as const;

/** As in a manifest: it names a folder. */
const pluginId = /^[a-z][a-z0-9-]{1,39}$/;

/**
 * Unpacks the archives that an earlier version has stored in the database into the store of the home: after an upgrade, the
 * packages of the plugin set are nowhere else on a host that has fetched none of them.
 * @param onDamage given the error of a package that is not unpacked
 * @throws PluginError never
 */
export async function unpackArchives(
  client: ClientBase,
  home: string,
  sets: readonly (PluginDecisions | undefined)[],
  onDamage: (error: PluginError) => void,
): Promise<void> {
  if (!(await tableExists(client, 'gantry_plugin_archive'))) return;
  for (const [id, decision] of sets.flatMap((set) => [...(set ?? [])])) {
    const kept = keptPackage(decision);
    if (kept === undefined || !pluginId.test(id) || (await openStored(home, kept.contentHash)) !== undefined) continue;
    try {
      await unpackArchive(client, home, id, kept.contentHash);
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      onDamage(error);
    }
  }
}

async function unpackArchive(client: ClientBase, home: string, id: string, hash: string): Promise<void> {
  const { rows } = await client.query<{ sha256: string }>(
    'SELECT sha256 FROM gantry_plugin_archive WHERE content_hash = $1',
    [hash],
  );
  const [archive] = rows;
  if (archive === undefined) return;
  const origin = `The archive of the plugin ${id} in the database`;
  const chunks = readChunks(client, hash, archive.sha256, origin);
  await storeUnpacked(home, id, hash, (folder) => unpackPackage(chunks, folder, origin));
}

async function* readChunks(client: ClientBase, hash: string, expected: string, origin: string): AsyncIterable<Buffer> {
  const sum = createHash('sha256');
  for (let number = 0; ; number += 1) {
    const { rows } = await client.query<{ bytes: Buffer }>(
      'SELECT bytes FROM gantry_plugin_archive_chunk WHERE content_hash = $1 AND number = $2',
      [hash, number],
    );
    const [row] = rows;
    if (row === undefined) break;
    sum.update(row.bytes);
    yield row.bytes;
  }
  if (sum.digest('hex') === expected) return;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} is damaged`,
    'Install the plugin again, or enable it on the host that has its folder',
  );
}

/**
 * Drops the tables of the archives. Hosts of this version have unpacked them when they started.
 * @returns whether there were any
 * @throws PluginError PLUGIN_IN_USE while a host of an earlier version runs
 */
export function dropArchives(databaseUrl: string): Promise<boolean> {
  return withSetClient(databaseUrl, drop);
}

async function drop(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT name FROM ${runningHostTable}
     WHERE version IS NULL AND seen_at > now() - interval '${silentAfterSeconds} s' ORDER BY name`,
  );
  if (rows.length > 0) {
    throw new PluginError(
      'PLUGIN_IN_USE',
      `A host of an earlier version runs on this database, on ${rows.map(({ name }) => name).join(', ')}, and fetches packages from the archives`,
      `Upgrade that host first; a host that was killed counts for ${silentAfterSeconds} s`,
    );
  }
  let found = false;
  for (const table of archiveTables) {
    found = (await tableExists(client, table)) || found;
    await client.query(`DROP TABLE IF EXISTS ${table}`);
  }
  return found;
}
