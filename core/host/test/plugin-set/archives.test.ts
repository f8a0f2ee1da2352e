import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { PluginDecision } from '@gantry/contracts';
import { fetchPackages, packagesOf, removeUnusedArchives, uploadArchives } from '../../src/plugin-set/archives';
import { withSetClient } from '../../src/plugin-set/stored-set';
import { unpackPackage, type PluginDecisions } from '../../src/plugins';
import { storePackage } from '../../src/plugins/state/store/package-store';
import { execute } from '../../../../test/support/database';
import { useEmptyDatabase } from '../database/support/empty-database';
import { createPluginFolders, type PluginFolders } from '../plugins/support/plugin-folders';

const empty = useEmptyDatabase();
let folders: PluginFolders;
let home: string;
let other: string;
beforeEach(async () => {
  folders = await createPluginFolders();
  ({ home } = folders.sources);
  other = join(folders.root, 'other');
});
afterEach(() => folders.remove());

/** The decision of another host that enables what is in the store of the home. */
async function pinned(id: string, folder: string): Promise<PluginDecisions> {
  const { contentHash } = await storePackage(home, id, folder);
  return new Map([[id, { enabled: true, version: '1.0.0', contentHash, host: 'elsewhere' }]]);
}

function upload(decisions: PluginDecisions, maxBytes?: number): Promise<void> {
  return withSetClient(empty.database.url, (client) => uploadArchives(client, home, packagesOf(decisions), maxBytes));
}

function fetchInto(target: string, decisions: PluginDecisions): Promise<void> {
  return withSetClient(empty.database.url, (client) => fetchPackages(client, target, decisions));
}

async function storedFolder(of: string, id: string): Promise<string> {
  const [name = ''] = await readdir(join(of, 'store'));
  return join(of, 'store', name, id);
}

describe('the archive of a package', () => {
  it('gives another home the same files, links and modes', async () => {
    const folder = await folders.add('boats');
    await mkdir(join(folder, 'node_modules/oars'), { recursive: true });
    await writeFile(join(folder, 'node_modules/oars/index.js'), 'module.exports = 2;');
    await writeFile(join(folder, 'large.bin'), randomBytes(3 * 2 ** 20));
    await writeFile(join(folder, 'run.sh'), 'exit 0');
    await chmod(join(folder, 'run.sh'), 0o755);
    await symlink('index.js', join(folder, 'main.js'));
    const decisions = await pinned('boats', folder);

    await upload(decisions);
    await upload(decisions);
    await fetchInto(other, decisions);

    const fetched = await storedFolder(other, 'boats');
    const [sent, received] = await Promise.all([folder, fetched].map((one) => readFile(join(one, 'large.bin'))));
    expect(received?.equals(sent ?? Buffer.alloc(0))).toBe(true);
    expect(await readFile(join(fetched, 'node_modules/oars/index.js'), 'utf8')).toBe('module.exports = 2;');
    expect(await readlink(join(fetched, 'main.js'))).toBe('index.js');
    expect((await stat(join(fetched, 'run.sh'))).mode & 0o111).toBe(0o111);
    await expect(fetchInto(other, decisions)).resolves.toBeUndefined();
  });

  it('contains what npm has installed above the package, with what that needs, and nothing that the host provides', async () => {
    const install = (path: string, version: string, dependencies: object = {}): Promise<string> =>
      folders.write(`node_modules/${path}/package.json`, JSON.stringify({ version, dependencies }));
    await install('oars', '1.0.0', { wood: '^2.0.0', missing: '*' });
    await install('oars/node_modules/paint', '3.0.0');
    await install('wood', '1.0.0');
    await install('@trees/oak', '1.0.0', { wood: '^2.0.0', oars: '*' });
    await install('@trees/oak/node_modules/wood', '2.0.0');
    await install('sequelize', '6.0.0');
    await install('unused', '1.0.0');
    const needed = { oars: '*', wood: '^1.0.0', '@trees/oak': '*', sequelize: '*' };
    const folder = await folders.add('boats', { folder: 'node_modules/boats', json: { dependencies: needed } });
    const { contentHash } = await storePackage(home, 'boats', folder);
    const pin = { enabled: true, version: '1.0.0', contentHash } as const;

    await upload(new Map([['boats', { ...pin, folder }]]));
    await fetchInto(other, new Map([['boats', { ...pin, host: 'elsewhere' }]]));

    const modules = join(dirname(await storedFolder(other, 'boats')), 'node_modules');
    const files = (await readdir(modules, { recursive: true })).filter((path) => path.endsWith('package.json'));
    expect(files.toSorted()).toEqual([
      '@trees/oak/node_modules/wood/package.json',
      '@trees/oak/package.json',
      'oars/node_modules/paint/package.json',
      'oars/package.json',
      'wood/package.json',
    ]);
  });

  it('that is too large is refused, with what to do, and leaves nothing in the database', async () => {
    const folder = await folders.add('boats');
    await writeFile(join(folder, 'large.bin'), randomBytes(3 * 2 ** 20));

    await expect(upload(await pinned('boats', folder), 2 * 2 ** 20)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringMatching(/boats .* 2 MB/) as string,
      remedy: expect.stringContaining('--omit=dev') as string,
    });
    const { rows } = await withSetClient(empty.database.url, (client) =>
      client.query('SELECT content_hash FROM gantry_plugin_archive_chunk'),
    );
    expect(rows).toEqual([]);
  });

  it.each([
    ['other bytes', `UPDATE gantry_plugin_archive_chunk SET bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 255)`],
    ['a part that is missing', 'DELETE FROM gantry_plugin_archive_chunk'],
    ['another sum', `UPDATE gantry_plugin_archive SET sha256 = 'none'`],
  ])('with %s is not used', async (_what, damage) => {
    const decisions = await pinned('boats', await folders.add('boats'));
    await upload(decisions);
    await execute(empty.database.url, damage);

    await expect(fetchInto(other, decisions)).rejects.toMatchObject({ code: 'PLUGIN_UNUSABLE' });
    expect(await readdir(join(other, 'store'))).toEqual([]);
  });

  it('of other files than the content hash names is not used', async () => {
    const decisions = await pinned('boats', await folders.add('boats'));
    await upload(decisions);
    const hash = `sha256-${randomBytes(32).toString('base64')}`;
    for (const table of ['gantry_plugin_archive', 'gantry_plugin_archive_chunk']) {
      await execute(empty.database.url, `UPDATE ${table} SET content_hash = '${hash}'`);
    }
    const pin: PluginDecision = { enabled: true, version: '1.0.0', contentHash: hash, host: 'elsewhere' };

    await expect(fetchInto(other, new Map([['boats', pin]]))).rejects.toMatchObject({
      message: expect.stringContaining('does not have the content') as string,
    });
    await expect(fetchInto(other, new Map([['../boats', pin]]))).rejects.toMatchObject({ code: 'PLUGIN_NOT_FETCHED' });
  });

  it('goes when no set names it', async () => {
    const first = await pinned('boats', await folders.add('boats'));
    const second = await pinned('rafts', await folders.add('rafts'));
    await upload(new Map([...first, ...second]));

    await withSetClient(empty.database.url, (client) =>
      removeUnusedArchives(client, { decisions: new Map(), previous: second }),
    );

    const { rows } = await withSetClient(empty.database.url, (client) =>
      client.query(`SELECT plugin FROM gantry_plugin_archive JOIN gantry_plugin_archive_chunk USING (content_hash)`),
    );
    expect(rows).toEqual([{ plugin: 'rafts' }]);
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
