import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { discover } from '../../src/phases/discover';
import { createPluginFolders, type PluginFolders } from '../../../../test/support/plugin-folders';

describe('discover', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const found = async () =>
    (await discover(folders.sources)).packages.map(({ folder }) => folder.slice(folders.root.length + 1));

  it('finds the child folders of the plugin path whose package.json has a gantry member', async () => {
    await folders.add('recipes');
    expect(await found()).toEqual(['plugins/recipes']);
  });

  it('finds packages in a scope folder, as npm lays them out', async () => {
    await folders.add('recipes', { folder: 'plugins/@acme/recipes' });
    expect(await found()).toEqual(['plugins/@acme/recipes']);
  });

  it('ignores folders that are no packages, and packages that are no plugins', async () => {
    await folders.write('plugins/notes/readme.txt', 'hello');
    await folders.write('plugins/library/package.json', '{ "name": "library" }');
    await folders.write('plugins/file.txt', 'hello');
    expect(await discover(folders.sources)).toEqual({ packages: [], notes: [] });
  });

  it('notes a package that calls itself a plugin without a gantry member', async () => {
    await folders.write('plugins/half/package.json', '{ "name": "half", "keywords": ["gantry-plugin"] }');
    expect((await discover(folders.sources)).notes).toEqual([expect.stringContaining('no member "gantry"')]);
  });

  it.each(['index.js', 'src/index.ts'])('notes a folder with %s but no package.json', async (file) => {
    await folders.write(`plugins/begun/${file}`, '');
    expect((await discover(folders.sources)).notes).toEqual([
      expect.stringContaining(`${join(folders.root, 'plugins/begun')} has no package.json`),
    ]);
  });

  it('notes a plugin path that is itself a plugin', async () => {
    const plugin = await folders.add('recipes');
    const { notes } = await discover({ ...folders.sources, pluginPath: [plugin] });
    expect(notes).toEqual([expect.stringContaining(plugin)]);
  });

  it('does without the usual folders of a project, which it need not have', async () => {
    const usual = ['plugins', 'services'].map((name) => join(folders.root, 'project', name));
    const { notes } = await discover({ project: join(folders.root, 'project'), pluginPath: usual });
    expect(notes).toEqual([]);
  });

  it('notes a plugin path that does not exist', async () => {
    const { notes } = await discover({ ...folders.sources, pluginPath: [join(folders.root, 'nowhere')] });
    expect(notes).toEqual([expect.stringContaining(join(folders.root, 'nowhere'))]);
  });

  it.each([
    ['is no JSON', '{ "gantry": '],
    ['is a list', '[]'],
    ['is empty', ''],
  ])('reports a package.json that %s', async (_what, text) => {
    await folders.write('plugins/torn/package.json', text);
    const { packages } = await discover(folders.sources);
    expect(packages).toEqual([
      expect.objectContaining({
        folder: join(folders.root, 'plugins/torn'),
        problems: [expect.objectContaining({ code: 'PACKAGE_MALFORMED', phase: 'discover' })],
      }),
    ]);
  });

  it('reads a package.json that begins with a byte order mark', async () => {
    await folders.write('plugins/marked/package.json', '\uFEFF{ "gantry": {} }');
    expect((await discover(folders.sources)).packages).toEqual([
      expect.objectContaining({ json: { gantry: {} }, problems: [] }),
    ]);
  });

  it('reports a package.json that cannot be read', async () => {
    await mkdir(join(folders.root, 'plugins/folder/package.json'), { recursive: true });
    const { packages } = await discover(folders.sources);
    expect(packages.flatMap(({ problems }) => problems)).toEqual([
      expect.objectContaining({ code: 'PACKAGE_UNREADABLE' }),
    ]);
  });

  it('reports a link that leads nowhere', async () => {
    await symlink(join(folders.root, 'gone'), join(folders.root, 'plugins/link'));
    const { packages } = await discover(folders.sources);
    expect(packages.flatMap(({ problems }) => problems)).toEqual([
      expect.objectContaining({ code: 'PACKAGE_UNREADABLE', reason: expect.stringContaining('broken symbolic link') }),
    ]);
  });

  it('finds a package once, however many links lead to it', async () => {
    const folder = await folders.add('recipes', { folder: 'elsewhere/recipes' });
    await symlink(folder, join(folders.root, 'plugins/one'));
    await symlink(folder, join(folders.root, 'plugins/two'));
    expect(await found()).toEqual(['elsewhere/recipes']);
  });

  it('finds installed dependencies of the project that are plugins, also above it', async () => {
    await folders.add('recipes', { folder: 'node_modules/@acme/recipes' });
    await folders.add('reviews', { folder: 'project/node_modules/reviews' });
    await folders.write('project/node_modules/library/package.json', '{ "name": "library" }');
    await folders.write(
      'project/package.json',
      JSON.stringify({
        dependencies: { '@acme/recipes': '1.0.0', library: '1.0.0', absent: '1.0.0' },
        devDependencies: { reviews: '1.0.0', '../plugins/recipes': '1.0.0' },
      }),
    );
    const { packages } = await discover({ project: join(folders.root, 'project'), pluginPath: [] });
    expect(packages.map(({ folder }) => folder)).toEqual([
      join(folders.root, 'node_modules/@acme/recipes'),
      join(folders.root, 'project/node_modules/reviews'),
    ]);
  });

  it('does not load an installed package that the project does not name', async () => {
    await folders.add('recipes', { folder: 'node_modules/recipes' });
    await folders.write('package.json', '{}');
    expect(await found()).toEqual([]);
  });

  it('notes a package.json of the project that cannot be read, and continues', async () => {
    await folders.write('package.json', '{');
    await folders.add('recipes');
    const { packages, notes } = await discover(folders.sources);
    expect([packages.length, notes]).toEqual([1, [expect.stringContaining(join(folders.root, 'package.json'))]]);
  });

  it('notes a package.json of the project that is no file, and continues', async () => {
    await folders.write('package.json/inside.txt', '');
    await folders.add('recipes');
    const { packages, notes } = await discover(folders.sources);
    expect([packages.length, notes]).toEqual([1, [expect.stringContaining('EISDIR')]]);
  });

  it('reports unreadable folders by their path when permissions are missing', async () => {
    await folders.add('recipes');
    await chmod(join(folders.root, 'plugins/recipes/package.json'), 0o000);
    const { packages } = await discover(folders.sources);
    // The superuser reads everything.
    const expected = process.getuid?.() === 0 ? [] : ['PACKAGE_UNREADABLE'];
    expect(packages.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual(expected);
  });
});
