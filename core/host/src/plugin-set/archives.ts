import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { PluginError } from '../plugins/plugin-error';
import { keptPackage, type PluginDecisions } from '../plugins/state/local-copy';
import { contentHashesOf } from '../plugins/state/state-file';
import { packPackage, unpackPackage } from '../plugins/state/store/package-archive';
import { openStored, storeUnpacked } from '../plugins/state/store/package-store';

/** Of an archive, as it is in the database. */
export const maxArchiveBytes = 100 * 2 ** 20;

const chunkBytes = 2 ** 20;

/** As in a manifest: it names a folder. */
const pluginId = /^[a-z][a-z0-9-]{1,39}$/;

/** A package of the store whose archive other hosts need. */
export interface PackageToArchive {
  readonly id: string;
  readonly hash: string;
  /** Where the package was found, for the packages that npm has installed above it. */
  readonly source?: string | undefined;
}

/** The packages that decisions keep. */
export function packagesOf(decisions: PluginDecisions): readonly PackageToArchive[] {
  return [...decisions].flatMap(([id, decision]) => {
    const kept = keptPackage(decision);
    return kept === undefined
      ? []
      : { id, hash: kept.contentHash, source: decision.enabled ? decision.folder : undefined };
  });
}

/** Those of which the database has no archive. */
export async function withoutArchive(
  client: ClientBase,
  packages: readonly PackageToArchive[],
): Promise<readonly PackageToArchive[]> {
  const { rows } = await client.query<{ hash: string }>(
    'SELECT content_hash AS hash FROM gantry_plugin_archive WHERE content_hash = ANY ($1::text[])',
    [packages.map(({ hash }) => hash)],
  );
  const known = new Set(rows.map(({ hash }) => hash));
  return packages.filter(({ hash }) => !known.has(hash));
}

/**
 * Stores the archives of packages that the database lacks and the home has.
 * @throws PluginError PLUGIN_UNUSABLE for one that is too large
 */
export async function uploadArchives(
  client: ClientBase,
  home: string,
  packages: readonly PackageToArchive[],
  maxBytes = maxArchiveBytes,
): Promise<void> {
  for (const { id, hash, source } of await withoutArchive(client, packages)) {
    await uploadArchive(client, { home, id, hash, source, maxBytes });
  }
}

interface Upload {
  readonly home: string;
  readonly id: string;
  readonly hash: string;
  readonly source: string | undefined;
  readonly maxBytes: number;
}

async function uploadArchive(client: ClientBase, { home, id, hash, source, maxBytes }: Upload): Promise<void> {
  const stored = await openStored(home, hash);
  if (stored === undefined) return;
  await client.query('BEGIN');
  try {
    // Waits for another host that stores the same one.
    const { rowCount } = await client.query(
      `INSERT INTO gantry_plugin_archive (content_hash, plugin, sha256, size, created_at)
       VALUES ($1, $2, '', 0, now()) ON CONFLICT (content_hash) DO NOTHING`,
      [hash, id],
    );
    if (rowCount !== 0) await writeChunks(client, { id, hash, source, maxBytes, folder: stored.folder });
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function writeChunks(
  client: ClientBase,
  { id, hash, maxBytes, source, folder }: Omit<Upload, 'home'> & { readonly folder: string },
): Promise<void> {
  const sum = createHash('sha256');
  let size = 0;
  let number = 0;
  for await (const chunk of inChunks(packPackage({ folder, source }))) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(id, maxBytes);
    sum.update(chunk);
    await client.query('INSERT INTO gantry_plugin_archive_chunk (content_hash, number, bytes) VALUES ($1, $2, $3)', [
      hash,
      number,
      chunk,
    ]);
    number += 1;
  }
  await client.query('UPDATE gantry_plugin_archive SET sha256 = $2, size = $3 WHERE content_hash = $1', [
    hash,
    sum.digest('hex'),
    size,
  ]);
}

async function* inChunks(stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(part);
    size += part.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(parts);
    [parts, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(parts);
}

/**
 * Fetches the packages of a set that the home lacks, and verifies them. Those of this host itself are found by their folder, too.
 * @throws PluginError PLUGIN_NOT_FETCHED, PLUGIN_UNUSABLE for one that is enabled
 */
export async function fetchPackages(client: ClientBase, home: string, decisions: PluginDecisions): Promise<void> {
  for (const [id, decision] of decisions) {
    const kept = keptPackage(decision);
    if (kept === undefined || (await openStored(home, kept.contentHash)) !== undefined) continue;
    try {
      const isFetched = await fetchPackage(client, home, id, kept.contentHash);
      const isOwn = decision.installed === undefined && decision.enabled && decision.host === undefined;
      if (!isFetched && !isOwn) throw notFetched(id, kept.version);
    } catch (error) {
      // A plugin that does not run is missing in the list, and keeps no other one from running.
      if (decision.enabled || !(error instanceof PluginError)) throw error;
    }
  }
}

/** The same for the packages that were installed, which no folder of this host has. */
export async function fetchInstalled(client: ClientBase, home: string, decisions: PluginDecisions): Promise<void> {
  await fetchPackages(client, home, new Map([...decisions].filter(([, { installed }]) => installed !== undefined)));
}

/**
 * Fetches a package into the store of the home, unless it is there.
 * @returns whether it is there now
 * @throws PluginError PLUGIN_UNUSABLE
 */
export async function fetchArchive(client: ClientBase, home: string, id: string, hash: string): Promise<boolean> {
  return (await openStored(home, hash)) !== undefined || fetchPackage(client, home, id, hash);
}

/** @returns whether the database has it */
async function fetchPackage(client: ClientBase, home: string, id: string, hash: string): Promise<boolean> {
  const { rows } = await client.query<{ sha256: string }>(
    'SELECT sha256 FROM gantry_plugin_archive WHERE content_hash = $1',
    [hash],
  );
  const [archive] = rows;
  if (archive === undefined || !pluginId.test(id)) return false;
  const origin = `The archive of the plugin ${id} in the database`;
  const chunks = readChunks(
    client,
    hash,
    () => {
      throw new PluginError(
        'PLUGIN_UNUSABLE',
        `${origin} is damaged`,
        'Enable the plugin again on a host that has its folder',
      );
    },
    archive.sha256,
  );
  await storeUnpacked(home, id, hash, (folder) => unpackPackage(chunks, folder, origin));
  return true;
}

async function* readChunks(
  client: ClientBase,
  hash: string,
  refuse: () => never,
  expected: string,
): AsyncIterable<Buffer> {
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
  if (sum.digest('hex') !== expected) refuse();
}

/** Removes the archives that neither set names, and that are not kept for a request that installs them. */
export async function removeUnusedArchives(
  client: ClientBase,
  { decisions, previous }: { readonly decisions: PluginDecisions; readonly previous?: PluginDecisions | undefined },
): Promise<void> {
  const named = [...contentHashesOf(decisions), ...contentHashesOf(previous)];
  await client.query('DELETE FROM gantry_plugin_package WHERE expires_at < now()');
  for (const table of ['gantry_plugin_archive_chunk', 'gantry_plugin_archive']) {
    await client.query(
      `DELETE FROM ${table} WHERE content_hash <> ALL ($1::text[] || ARRAY(SELECT content_hash FROM gantry_plugin_package))`,
      [named],
    );
  }
}

function tooLarge(id: string, maxBytes: number): PluginError {
  return new PluginError(
    'PLUGIN_UNUSABLE',
    `The archive of the plugin ${id} is larger than ${Math.round(maxBytes / 2 ** 20)} MB, the maximum that the database keeps for other hosts`,
    'Install only what the plugin needs when it runs (npm install --omit=dev), or bundle it',
  );
}

function notFetched(id: string, version: string): PluginError {
  return new PluginError(
    'PLUGIN_NOT_FETCHED',
    `The plugin ${id} ${version} was enabled on another host, and the database has no archive of it`,
    'Start the host on which it was enabled, or enable the plugin again there',
  );
}
