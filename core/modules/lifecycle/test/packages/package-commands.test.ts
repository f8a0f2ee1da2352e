import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackage, uninstallPlugin, upgradePackage } from '../../src/packages/package-commands';
import { preparePackage, type PreparedPackage } from '../../src/packages/prepare-package';
import { disablePlugin, enablePlugin, inspectPlugins, readDecisions } from '@gantry/core-loader';
import { createTarball } from '../../../../../test/support/sample-registry';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../../test/support/plugin-folders';

let folders: PluginFolders;
beforeEach(async () => {
  folders = await createPluginFolders();
});
afterEach(() => folders.remove());

async function prepare(id: string, version = '1.0.0', gantry: object = {}): Promise<PreparedPackage> {
  const json = {
    ...{ name: `@acme/${id}`, version, main: './index.js' },
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: { manifestVersion: 1, id, displayName: `Sample ${id}`, ...gantry },
  };
  const file = join(folders.root, `${id}-${version}.tgz`);
  const files = { 'package/package.json': JSON.stringify(json), 'package/index.js': definitionOf(id) };
  await writeFile(file, await createTarball(files));
  const { home, project } = folders.sources;
  return preparePackage(file, { home, project, environment: {}, by: 'ada' });
}

async function listed() {
  const { plugins } = await inspectPlugins(folders.sources);
  return plugins.map(({ id, version, state }) => `${id} ${version} ${state}`);
}

describe('a package that is installed', () => {
  it('is a plugin of the platform without a folder, and can be disabled and enabled again', async () => {
    const prepared = await prepare('recipes');
    await installPackage(folders.sources, prepared, true);
    expect(await listed()).toEqual(['recipes 1.0.0 stopped']);
    expect((await inspectPlugins(folders.sources)).plugins[0]?.installed).toEqual(prepared.installed);

    await disablePlugin(folders.sources, 'recipes');
    expect(await listed()).toEqual(['recipes 1.0.0 disabled']);

    await enablePlugin(folders.sources, 'recipes');
    expect(await listed()).toEqual(['recipes 1.0.0 stopped']);
    expect((await readDecisions(folders.sources.home)).get('recipes')).toMatchObject({
      enabled: true,
      installed: prepared.installed,
    });
  });

  it('may stay disabled', async () => {
    await installPackage(folders.sources, await prepare('recipes'), false);

    expect(await listed()).toEqual(['recipes 1.0.0 disabled']);
  });

  it('is refused where the plugin is there already, with the command that replaces it', async () => {
    const folder = await folders.add('recipes');
    const prepared = await prepare('recipes', '2.0.0');
    await expect(installPackage(folders.sources, prepared, true)).rejects.toMatchObject({
      code: 'PLUGIN_INSTALLED',
      message: expect.stringContaining(` 1.0.0, in ${folder}`),
      remedy: expect.stringContaining(`gantry plugins upgrade recipes --to ${prepared.installed.from}`),
    });

    await installPackage(folders.sources, await prepare('boats'), true);
    await expect(installPackage(folders.sources, await prepare('boats', '2.0.0'), true)).rejects.toMatchObject({
      code: 'PLUGIN_INSTALLED',
      message: expect.stringMatching(/ boats .* 1\.0\.0, installed$/),
    });
  });

  it('is decided once by two commands at the same time', async () => {
    const both = await Promise.allSettled(
      [await prepare('recipes'), await prepare('recipes', '2.0.0')].map((one) =>
        installPackage(folders.sources, one, true),
      ),
    );

    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: expect.stringMatching(/^PLUGIN_(SET_CHANGED|INSTALLED)$/) as string },
    });
  });
});

describe('an upgrade', () => {
  it('takes the place of the installed version, and keeps a disabled plugin disabled', async () => {
    await installPackage(folders.sources, await prepare('recipes'), false);

    expect(await upgradePackage(folders.sources, await prepare('recipes', '2.0.0'))).toMatchObject({ from: '1.0.0' });

    expect(await listed()).toEqual(['recipes 2.0.0 disabled']);
    expect(await upgradePackage(folders.sources, await prepare('recipes', '2.0.0'))).toMatchObject({ isSame: true });
  });

  it('of a plugin in a folder takes its place, and says so', async () => {
    const folder = await folders.add('recipes');
    await upgradePackage(folders.sources, await prepare('recipes', '2.0.0'));

    const { plugins } = await inspectPlugins(folders.sources);

    expect(plugins).toMatchObject([{ id: 'recipes', version: '2.0.0', state: 'stopped' }]);
    expect(plugins[0]?.notes).toEqual([expect.stringContaining(`gantry plugins upgrade recipes --to ${folder}`)]);
    await enablePlugin(folders.sources, 'recipes');
    expect(await listed()).toEqual(['recipes 2.0.0 stopped']);
  });

  it('of what is not there is refused', async () => {
    await expect(upgradePackage(folders.sources, await prepare('recipes'))).rejects.toMatchObject({
      code: 'PLUGIN_UNKNOWN',
      remedy: expect.stringContaining('gantry plugins install'),
    });
  });
});

describe('an uninstallation', () => {
  it('is for what is disabled, unless it may disable, and leaves a decision', async () => {
    await installPackage(folders.sources, await prepare('recipes'), true);
    await expect(uninstallPlugin(folders.sources, 'recipes', false)).rejects.toMatchObject({ code: 'PLUGIN_IN_USE' });

    await uninstallPlugin(folders.sources, 'recipes', true);

    expect(await listed()).toEqual([]);
    expect((await readDecisions(folders.sources.home)).get('recipes')).toEqual({ enabled: false });
    await folders.add('recipes');
    expect(await listed()).toEqual(['recipes 1.0.0 disabled']);
  });

  it('is refused while others need the plugin', async () => {
    await installPackage(folders.sources, await prepare('base'), true);
    await folders.add('recipes', { gantry: { dependsOn: { base: '^1.0.0' } } });

    await expect(uninstallPlugin(folders.sources, 'base', true)).rejects.toMatchObject({
      code: 'PLUGIN_NEEDED',
      message: expect.stringMatching(/ base .*: recipes /),
    });
  });

  it('of a plugin in a folder is refused, with what to do', async () => {
    const folder = await folders.add('recipes');
    await folders.write('package.json', '{"dependencies":{"sample-cakes":"*"}}');
    await folders.add('cakes', { folder: 'node_modules/sample-cakes' });

    await expect(uninstallPlugin(folders.sources, 'recipes', true)).rejects.toMatchObject({
      code: 'PLUGIN_NOT_INSTALLED',
      message: expect.stringContaining(folder) as string,
    });
    await expect(uninstallPlugin(folders.sources, 'cakes', true)).rejects.toMatchObject({
      remedy: expect.stringContaining('npm uninstall sample-cakes') as string,
    });
    await expect(uninstallPlugin(folders.sources, 'boats', true)).rejects.toMatchObject({ code: 'PLUGIN_UNKNOWN' });
  });
});
