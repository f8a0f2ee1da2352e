import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findUpgradeSource } from '../../src/packages/upgrade-source';
import { preparePackage } from '../../src/packages/prepare-package';
import { enablePlugin, findUpgradable, removeOrphanedDrafts } from '@gantry/core-loader';
import { installPackage } from '../../src/packages/package-commands';
import {
  createTarball,
  npmEnvironment,
  openSampleRegistry,
  sampleManifest,
  samplePackage,
  type SampleRegistry,
} from '../../../../../test/support/sample-registry';
import { createPluginFolders, type PluginFolders } from '../../../../../test/support/plugin-folders';

let folders: PluginFolders;
let registry: SampleRegistry;
beforeAll(async () => {
  registry = await openSampleRegistry();
});
afterAll(() => registry.close());
beforeEach(async () => {
  folders = await createPluginFolders();
});
afterEach(() => folders.remove());

function options() {
  const { home, project } = folders.sources;
  return { home, project, environment: npmEnvironment(registry, folders.root), by: 'ada' };
}

async function writeTarball(id: string, version = '1.2.0'): Promise<string> {
  const file = join(folders.root, `${id}-${version}.tgz`);
  await writeFile(file, await createTarball(samplePackage(id, { version })));
  return file;
}

async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(join(folders.sources.home, path)).catch(() => []);
}

describe('a package that is prepared', () => {
  it('is in the store, with the integrity that the registry names and who has fetched it', async () => {
    const integrity = await registry.publish(sampleManifest('recipes'), samplePackage('recipes'));

    const prepared = await preparePackage('@acme/recipes@^1.0.0', options());

    expect(prepared).toMatchObject({
      plugin: 'recipes',
      displayName: 'Sample recipes',
      installed: {
        ...{ packageName: '@acme/recipes', version: '1.2.0', source: 'registry', from: '@acme/recipes@1.2.0' },
        ...{ integrity, by: 'ada' },
      },
    });
    expect(await readdir(prepared.folder)).toEqual(['index.js', 'package.json']);
    expect((await namesIn('store')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is refused when the tarball is not the one that the registry has published', async () => {
    await registry.publish(sampleManifest('swapped'), samplePackage('swapped'));
    await registry.replaceTarball('@acme/swapped', '1.2.0');

    await expect(preparePackage('@acme/swapped@1.2.0', options())).rejects.toMatchObject({
      code: 'PLUGIN_NOT_FETCHED',
      message: expect.stringMatching(/integrity|EINTEGRITY|sha512/i) as string,
    });
    expect(await namesIn('store')).toEqual([]);
  });

  it('is not meant by a bare word', async () => {
    const requests = registry.requests.length;

    await expect(preparePackage('recipes', options())).rejects.toMatchObject({
      code: 'PLUGIN_UNKNOWN',
      remedy: expect.stringMatching(/npm:recipes .*\.\/recipes /),
    });
    await expect(preparePackage('recipes.tar@1.0.0', options())).rejects.toMatchObject({ code: 'PLUGIN_UNKNOWN' });
    expect(registry.requests).toHaveLength(requests);
  });

  it('from a folder has what it finds above that folder, and does not need the folder', async () => {
    const folder = await folders.add('recipes', {
      folder: 'elsewhere/recipes',
      json: { dependencies: { oars: '*' } },
    });
    await folders.write('elsewhere/node_modules/oars/package.json', '{"name":"oars","version":"1.0.0"}');

    const prepared = await preparePackage(folder, options());

    expect(prepared.installed).toMatchObject({ source: 'folder', from: folder });
    expect(prepared.installed).not.toHaveProperty('integrity');
    expect(await readdir(join(prepared.folder, 'node_modules'))).toEqual(['oars']);
  });

  it('is refused by the name that a person has given, when its manifest is not valid', async () => {
    const file = join(folders.root, 'broken.tgz');
    await writeFile(
      file,
      await createTarball({ 'package/package.json': '{"name":"x","version":"1.0.0","gantry":{}}' }),
    );

    await expect(preparePackage(file, options())).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      remedy: expect.stringContaining(`${file}/package.json`) as string,
    });
  });

  it('leaves no draft when its process was killed, and a start removes the notes of earlier versions', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const store = join(folders.sources.home, 'store');
    for (const name of [`.draft-${pid}-half`, `.draft-${process.pid}-used`]) {
      await mkdir(join(store, name, 'package'), { recursive: true });
      await symlink('/etc', join(store, name, 'link'));
    }

    await folders.write('home/prepared/one.json', '{}');

    await removeOrphanedDrafts(folders.sources.home);

    expect(await namesIn('prepared')).toEqual([]);
    expect(await namesIn('store')).toEqual([`.draft-${process.pid}-used`]);
  });
});

describe('the package of an upgrade', () => {
  async function sourceOf(plugin: string, to?: string) {
    return findUpgradeSource(plugin, await findUpgradable(folders.sources, plugin), to, options());
  }

  it('is the newest one of the registry, or the version that is named', async () => {
    await registry.publish(sampleManifest('boats', { version: '1.0.0' }), samplePackage('boats', { version: '1.0.0' }));
    await installPackage(folders.sources, await preparePackage('@acme/boats@1.0.0', options()), true);

    expect(await sourceOf('boats')).toEqual({ kind: 'newest', version: '1.0.0' });
    await registry.publish(sampleManifest('boats', { version: '1.1.0' }), samplePackage('boats', { version: '1.1.0' }));

    expect(await sourceOf('boats')).toEqual({ kind: 'source', source: 'npm:@acme/boats@1.1.0' });
    expect(await sourceOf('boats', '0.9.0')).toEqual({ kind: 'source', source: 'npm:@acme/boats@0.9.0' });
    expect(await sourceOf('boats', './boats.tgz')).toEqual({ kind: 'source', source: './boats.tgz' });
  });

  it('has to be named where the plugin did not come from a registry', async () => {
    await installPackage(folders.sources, await preparePackage(await writeTarball('boats'), options()), true);
    const folder = await folders.add('recipes');
    await enablePlugin(folders.sources, 'recipes');
    await folders.write('package.json', '{"dependencies":{"sample-cakes":"*"}}');
    await folders.add('cakes', { folder: 'node_modules/sample-cakes' });

    for (const to of [undefined, '2.0.0']) {
      await expect(sourceOf('boats', to)).rejects.toMatchObject({ code: 'PLUGIN_NOT_INSTALLED' });
    }
    await expect(sourceOf('recipes')).rejects.toMatchObject({
      message: expect.stringContaining(` 1.0.0, in ${folder}`),
      remedy: expect.stringContaining('gantry plugins enable recipes') as string,
    });
    await expect(sourceOf('cakes')).rejects.toMatchObject({
      remedy: expect.stringContaining('npm update sample-cakes && gantry plugins enable cakes') as string,
    });
  });
});
