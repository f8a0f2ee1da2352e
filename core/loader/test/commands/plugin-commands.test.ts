import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { disablePlugin, enablePlugin } from '../../src/commands/plugin-commands';
import { inspectPlugins } from '../../src/commands/inspect-plugins';
import { createPluginFolders, type PluginFolders } from '../../../../test/support/plugin-folders';

describe('plugins while no platform runs', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const states = async () =>
    Object.fromEntries(
      (await inspectPlugins(folders.sources)).plugins.map(({ id, state, problems }) => [
        id,
        [state, ...problems.map(({ code }) => code)].join(' '),
      ]),
    );

  it('inspects without running code: a sound plugin is stopped', async () => {
    await folders.add('recipes', { files: { 'index.js': 'process.exit(1)' } });
    const { plugins } = await inspectPlugins(folders.sources);
    expect(plugins).toEqual([
      {
        id: 'recipes',
        displayName: 'Sample recipes',
        packageName: 'sample-recipes',
        version: '1.0.0',
        folder: join(folders.root, 'plugins/recipes'),
        state: 'stopped',
        phase: 'order',
        problems: [],
        dependsOn: {},
        contributes: { itemTypes: [], taskQueues: [], routes: [] },
        timings: { discover: expect.any(Number), validate: expect.any(Number), order: expect.any(Number) },
      },
    ]);
  });

  it('know no module of the platform, whose id no plugin can have', async () => {
    const id = 'gantry.history';
    await expect(disablePlugin(folders.sources, id)).rejects.toMatchObject({ code: 'PLUGIN_UNKNOWN' });
    await expect(enablePlugin(folders.sources, id)).rejects.toMatchObject({ code: 'PLUGIN_UNKNOWN' });

    await folders.add(id);
    expect(await states()).toEqual({ [id]: 'incompatible MANIFEST_INVALID' });
    await expect(enablePlugin(folders.sources, id)).rejects.toMatchObject({ code: 'PLUGIN_UNUSABLE' });
  });

  it('never leaves out a package, however broken: it is listed by the best available name', async () => {
    await folders.write('plugins/torn/package.json', '{');
    await folders.write('plugins/bare/package.json', '{ "name": "@acme/bare", "gantry": {} }');
    await folders.add('Wrong-Id');
    expect(await states()).toEqual({
      torn: 'failed PACKAGE_MALFORMED',
      '@acme/bare': expect.stringMatching(/^incompatible MANIFEST_INVALID/),
      'Wrong-Id': 'incompatible MANIFEST_INVALID',
    });
  });

  it('reports the first problems of a package that has many, and how many more there are', async () => {
    await folders.add('recipes', {
      gantry: { contributes: { itemTypes: Array.from({ length: 500 }, (_, index) => `Wrong${index}`) } },
    });
    const [report] = (await inspectPlugins(folders.sources)).plugins;
    expect(report?.problems).toHaveLength(21);
    expect(report?.problems.at(-1)).toMatchObject({ code: 'MANIFEST_INVALID', reason: '… and 480 more problems' });
  });

  it('refuses both packages of one id and names both folders', async () => {
    const first = await folders.add('recipes');
    const second = await folders.add('recipes', { folder: 'plugins/copy' });
    const { plugins } = await inspectPlugins(folders.sources);
    expect(plugins.map(({ state, folder }) => [state, folder])).toEqual([
      ['failed', second],
      ['failed', first],
    ]);
    for (const { problems } of plugins) {
      expect(problems).toEqual([
        expect.objectContaining({ code: 'PLUGIN_ID_TAKEN', reason: expect.stringContaining(`${second} and ${first}`) }),
      ]);
    }
  });

  it('disables and enables a plugin, from the next start on', async () => {
    await folders.add('recipes');
    expect(await disablePlugin(folders.sources, 'recipes')).toMatchObject({
      state: 'disabled',
      problems: [{ code: 'PLUGIN_DISABLED', remedy: 'gantry plugins enable recipes' }],
    });
    expect(await states()).toEqual({ recipes: 'disabled PLUGIN_DISABLED' });
    expect(await enablePlugin(folders.sources, 'recipes')).toMatchObject({ state: 'stopped', problems: [] });
  });

  it('does not load a package that changed since it was enabled, when the store has no copy, until it is enabled again', async () => {
    const folder = await folders.add('recipes');
    await enablePlugin(folders.sources, 'recipes');
    await writeFile(join(folder, 'index.js'), '// changed');
    await rm(join(folders.sources.home, 'store'), { recursive: true });
    const { plugins } = await inspectPlugins(folders.sources);
    expect(plugins[0]).toMatchObject({
      state: 'incompatible',
      problems: [
        { code: 'PLUGIN_CHANGED', phase: 'validate', remedy: expect.stringContaining('gantry plugins enable recipes') },
      ],
    });
    expect(await enablePlugin(folders.sources, 'recipes')).toMatchObject({ state: 'stopped' });
  });

  it('says which version was enabled when the package has another', async () => {
    await folders.add('recipes');
    await enablePlugin(folders.sources, 'recipes');
    await folders.add('recipes', { json: { version: '1.1.0' } });
    await rm(join(folders.sources.home, 'store'), { recursive: true });
    const { plugins } = await inspectPlugins(folders.sources);
    expect(plugins[0]?.problems[0]).toMatchObject({
      code: 'PLUGIN_CHANGED',
      reason: expect.stringMatching(/ 1\.0\.0 .* 1\.1\.0/),
    });
  });

  it('lets a package change that nobody ever enabled by command', async () => {
    const folder = await folders.add('recipes');
    await writeFile(join(folder, 'index.js'), '// changed');
    expect(await states()).toEqual({ recipes: 'stopped' });
  });

  it('refuses an unknown id and names those there are', async () => {
    await folders.add('recipes');
    const expected = {
      code: 'PLUGIN_UNKNOWN',
      message: expect.stringMatching(/ recipe; .* recipes$/),
      remedy: expect.stringContaining('GANTRY_PLUGIN_PATH'),
    };
    await expect(enablePlugin(folders.sources, 'recipe')).rejects.toMatchObject(expected);
    await expect(disablePlugin(folders.sources, 'recipe')).rejects.toMatchObject(expected);
  });

  it('refuses to disable what others need and names them, the ones behind them too', async () => {
    await folders.add('base');
    await folders.add('middle', { gantry: { dependsOn: { base: '*' } } });
    await folders.add('top', { gantry: { dependsOn: { middle: '*' } } });
    // As on a host that runs required plugins only.
    await expect(disablePlugin({ ...folders.sources, only: [] }, 'base')).rejects.toMatchObject({
      code: 'PLUGIN_NEEDED',
    });
    await expect(disablePlugin(folders.sources, 'base')).rejects.toMatchObject({
      code: 'PLUGIN_NEEDED',
      message: expect.stringMatching(/ base .*: middle, top /),
      remedy: expect.stringContaining('gantry plugins disable top; gantry plugins disable middle'),
    });
    await disablePlugin(folders.sources, 'top');
    await disablePlugin(folders.sources, 'middle');
    expect(await disablePlugin(folders.sources, 'base')).toMatchObject({ state: 'disabled' });
  });

  it('disables what others need only optionally', async () => {
    await folders.add('base');
    await folders.add('user', { gantry: { optionalDependsOn: { base: '*' } } });
    await disablePlugin(folders.sources, 'base');
    expect(await states()).toEqual({ base: 'disabled PLUGIN_DISABLED', user: 'stopped' });
  });

  it('shows who is blocked by a disabled plugin', async () => {
    await folders.add('base');
    await disablePlugin(folders.sources, 'base');
    await folders.add('user', { gantry: { dependsOn: { base: '*' } } });
    expect(await states()).toEqual({ base: 'disabled PLUGIN_DISABLED', user: 'blocked DEPENDENCY_DISABLED' });
  });

  it('refuses to disable a required plugin', async () => {
    await folders.add('base', { gantry: { required: true } });
    await expect(disablePlugin(folders.sources, 'base')).rejects.toMatchObject({ code: 'PLUGIN_REQUIRED' });
  });

  it('refuses to enable a package whose manifest is wrong, or whose id another has', async () => {
    await folders.add('broken', { json: { main: './nowhere.js' } });
    await folders.add('double');
    await folders.add('double', { folder: 'plugins/again' });
    await expect(enablePlugin(folders.sources, 'broken')).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringContaining('nowhere.js'),
    });
    await expect(enablePlugin(folders.sources, 'double')).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      remedy: expect.stringContaining('Remove'),
    });
  });

  it('notes a plugin that was enabled and is gone', async () => {
    await folders.write(
      'home/plugins.json',
      '{"formatVersion":1,"plugins":{"gone":{"enabled":true,"version":"1.0.0","contentHash":"x"}}}',
    );
    expect((await inspectPlugins(folders.sources)).notes).toEqual([
      expect.stringContaining('gone was enabled by command'),
    ]);
  });

  it('leaves a contested name to the plugin that was enabled by command', async () => {
    await folders.add('newcomer', { gantry: { contributes: { itemTypes: ['recipe'] } } });
    await folders.add('recipes', { gantry: { contributes: { itemTypes: ['recipe'] } } });
    expect(await states()).toEqual({ newcomer: 'stopped', recipes: 'failed TYPE_CODE_TAKEN' });
    await enablePlugin(folders.sources, 'recipes');
    expect(await states()).toEqual({ newcomer: 'failed TYPE_CODE_TAKEN', recipes: 'stopped' });
  });

  it('leaves a contested name to a required plugin before all others', async () => {
    await folders.add('early', { gantry: { contributes: { itemTypes: ['recipe'] } } });
    await folders.add('late', { gantry: { required: true, contributes: { itemTypes: ['recipe'] } } });
    expect(await states()).toEqual({ early: 'failed TYPE_CODE_TAKEN', late: 'stopped' });
  });

  it('blocks who depends on a plugin that lost a name', async () => {
    await folders.add('a', { gantry: { id: 'aa', contributes: { itemTypes: ['recipe'] } } });
    await folders.add('bb', { gantry: { contributes: { itemTypes: ['recipe'] } } });
    await folders.add('cc', { gantry: { dependsOn: { bb: '*' } } });
    expect(await states()).toEqual({ aa: 'stopped', bb: 'failed TYPE_CODE_TAKEN', cc: 'blocked DEPENDENCY_FAILED' });
  });
});
