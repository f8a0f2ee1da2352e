import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { PluginDecision } from '@gantry/contracts';
import { dropArchives, unpackArchives } from '../../src/plugin-set/archives';
import { withSetClient } from '../../src/plugin-set/stored-set';
import { hashContent, listPackageFiles, unpackPackage, type PluginError } from '@gantry/core-loader';
import { execute } from '../../../../../test/support/database';
import { useEmptyDatabase } from '../../../../../test/support/empty-database';
import { createPluginFolders, type PluginFolders } from '../../../../../test/support/plugin-folders';

const empty = useEmptyDatabase();
let folders: PluginFolders;
let home: string;
beforeEach(async () => {
  folders = await createPluginFolders();
  ({ home } = folders.sources);
});
afterEach(() => folders.remove());

/** As an earlier version has made it: the package, and what it needs next to it. */
async function archiveOf(folder: string): Promise<Buffer> {
  const archive = pack();
  for (const { path, target } of await listPackageFiles(folder)) {
    const name = `package/${path}`;
    if (target !== undefined) {
      archive.entry({ name, type: 'symlink', linkname: target });
      continue;
    }
    const { mode } = await lstat(join(folder, path));
    archive.entry({ name, mode: mode & 0o777 }, await readFile(join(folder, path)));
  }
  archive.entry({ name: 'node_modules/oars/package.json' }, '{}');
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** Stores it as an earlier version has done. @returns the decision that names it */
async function archive(id: string, folder: string): Promise<PluginDecision> {
  const contentHash = await hashContent(folder);
  const bytes = await archiveOf(folder);
  await withSetClient(empty.database.url, async (client) => {
    await client.query(
      `CREATE TABLE IF NOT EXISTS gantry_plugin_archive (content_hash text PRIMARY KEY, plugin text, sha256 text, size bigint, created_at timestamptz);
       CREATE TABLE IF NOT EXISTS gantry_plugin_archive_chunk (content_hash text, number bigint, bytes bytea, PRIMARY KEY (content_hash, number));
       CREATE TABLE IF NOT EXISTS gantry_plugin_package (id text PRIMARY KEY)`,
    );
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await client.query('INSERT INTO gantry_plugin_archive VALUES ($1, $2, $3, $4, now())', [
      ...[contentHash, id, sha256, bytes.length],
    ]);
    const half = Math.ceil(bytes.length / 2);
    for (const [number, part] of [bytes.subarray(0, half), bytes.subarray(half)].entries()) {
      await client.query('INSERT INTO gantry_plugin_archive_chunk VALUES ($1, $2, $3)', [contentHash, number, part]);
    }
  });
  return { enabled: true, version: '1.0.0', contentHash, host: 'elsewhere' };
}

async function unpack(decisions: Readonly<Record<string, PluginDecision>>): Promise<readonly PluginError[]> {
  const errors: PluginError[] = [];
  await withSetClient(empty.database.url, (client) =>
    unpackArchives(client, home, [new Map(Object.entries(decisions)), undefined], (error) => errors.push(error)),
  );
  return errors;
}

const storeOf = (of: string) => readdir(join(of, 'store')).catch(() => []);

describe('the archive of a package, of an earlier version', () => {
  it('gives a home the same files, links and modes, and what the package needs next to it', async () => {
    const folder = await folders.add('boats');
    await mkdir(join(folder, 'node_modules/oars'), { recursive: true });
    await writeFile(join(folder, 'node_modules/oars/index.js'), 'module.exports = 2;');
    await writeFile(join(folder, 'large.bin'), randomBytes(3 * 2 ** 20));
    await writeFile(join(folder, 'run.sh'), 'exit 0');
    await chmod(join(folder, 'run.sh'), 0o755);
    await symlink('index.js', join(folder, 'main.js'));

    expect(await unpack({ boats: await archive('boats', folder) })).toEqual([]);

    const [name = ''] = await storeOf(home);
    const unpacked = join(home, 'store', name, 'boats');
    expect((await readFile(join(unpacked, 'large.bin'))).equals(await readFile(join(folder, 'large.bin')))).toBe(true);
    expect(await readlink(join(unpacked, 'main.js'))).toBe('index.js');
    expect((await stat(join(unpacked, 'run.sh'))).mode & 0o111).toBe(0o111);
    expect(await readdir(join(dirname(unpacked), 'node_modules'))).toEqual(['oars']);
  });

  it.each([
    ['other bytes', `UPDATE gantry_plugin_archive_chunk SET bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 255)`],
    ['a part that is missing', 'DELETE FROM gantry_plugin_archive_chunk WHERE number = 1'],
    ['another sum', `UPDATE gantry_plugin_archive SET sha256 = 'none'`],
  ])('with %s is not used', async (_what, damage) => {
    const decision = await archive('boats', await folders.add('boats'));
    await execute(empty.database.url, damage);

    const errors = await unpack({ boats: decision });

    expect(errors).toMatchObject([{ code: 'PLUGIN_UNUSABLE' }]);
    expect(await storeOf(home)).toEqual([]);
  });

  it('of other files than the content hash names is not used', async () => {
    const decision = await archive('boats', await folders.add('boats'));
    const contentHash = `sha256-${randomBytes(32).toString('base64')}`;
    for (const table of ['gantry_plugin_archive', 'gantry_plugin_archive_chunk']) {
      await execute(empty.database.url, `UPDATE ${table} SET content_hash = '${contentHash}'`);
    }
    const other = { ...decision, contentHash };

    expect(await unpack({ '../boats': other })).toEqual([]);
    expect(await unpack({ boats: other })).toMatchObject([
      { message: expect.stringContaining(`; expected ${contentHash}`) as string },
    ]);
    expect(await storeOf(home)).toEqual([]);
  });

  it('is dropped once no host of an earlier version runs', async () => {
    expect(await dropArchives(empty.database.url)).toBe(false);
    await archive('boats', await folders.add('boats'));
    await execute(
      empty.database.url,
      `INSERT INTO gantry_running_host (id, name, plugins, seen_at) VALUES ('old', 'm1', '{}', now())`,
    );
    await expect(dropArchives(empty.database.url)).rejects.toMatchObject({
      code: 'PLUGIN_IN_USE',
      message: expect.stringContaining(' on m1,') as string,
    });
    await execute(empty.database.url, `UPDATE gantry_running_host SET version = '2.0.0'`);

    expect(await dropArchives(empty.database.url)).toBe(true);

    const { rows } = await withSetClient(empty.database.url, (client) =>
      client.query(`SELECT tablename FROM pg_tables WHERE tablename ~ '^gantry_plugin_(archive|package)'`),
    );
    expect(rows).toEqual([]);
  });
});

type Header = Parameters<ReturnType<typeof pack>['entry']>[0];

describe('an archive that is made by hand', () => {
  it.each<[string, readonly Header[]]>([
    ['has another folder', [{ name: 'other/out.js' }]],
    ['has a file beside the folders', [{ name: 'out.js' }]],
    ['has a link between the folders', [{ name: 'package/link', type: 'symlink', linkname: '../node_modules' }]],
    ['leads upwards', [{ name: '../out.js' }]],
    ['leads upwards within', [{ name: 'package/lib/../../out.js' }]],
    ['is absolute', [{ name: '/tmp/out.js' }]],
    ['names a drive', [{ name: 'c:out.js' }]],
    ['uses backslashes', [{ name: '..\\out.js' }]],
    ['has a link upwards', [{ name: 'package/link', type: 'symlink', linkname: '../../etc' }]],
    ['has an absolute link', [{ name: 'package/link', type: 'symlink', linkname: '/etc/passwd' }]],
    ['has a hard link', [{ name: 'package/link', type: 'link', linkname: 'package/package.json' }]],
    ['has a device', [{ name: 'package/device', type: 'character-device' }]],
    ['has a file twice', [{ name: 'package/out.js' }, { name: 'package/out.js' }]],
    [
      'writes through a link',
      [{ name: 'package/lib', type: 'symlink', linkname: '.' }, { name: 'package/lib/out.js' }],
    ],
    [
      'leads out by two links',
      [
        { name: 'package/a/b/up', type: 'symlink', linkname: '../..' },
        { name: 'package/a/b/out', type: 'symlink', linkname: 'up/..' },
      ],
    ],
    ['has what belongs to no package', [{ name: 'package/.git/config' }]],
  ])('and %s is refused, and nothing is written elsewhere', async (_what, headers) => {
    const archive = pack();
    for (const header of headers) {
      if (header.type === undefined) archive.entry(header, 'text');
      else archive.entry(header);
    }
    archive.finalize();
    const parts: Buffer[] = [];
    for await (const part of archive) parts.push(part as Buffer);
    const target = join(folders.root, 'target/package');
    await mkdir(join(folders.root, 'target'));
    const before = (await readdir(folders.root)).toSorted();

    const unpacked = unpackPackage(
      (async function* () {
        yield gzipSync(Buffer.concat(parts));
      })(),
      target,
      'The archive',
    );

    await expect(unpacked).rejects.toThrow();
    expect((await readdir(folders.root)).toSorted()).toEqual(before);
    expect(await readdir(join(folders.root, 'target'))).toEqual(['package.unpacked']);
  });
});
