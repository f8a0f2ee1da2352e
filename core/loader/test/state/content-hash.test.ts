import { chmod, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashContent } from '../../src/state/store/content-hash';
import { createPluginFolders, type PluginFolders } from '../../../../test/support/plugin-folders';

describe('hashContent', () => {
  let folders: PluginFolders;
  let folder: string;
  beforeEach(async () => {
    folders = await createPluginFolders();
    folder = await folders.add('recipes', {
      files: { 'index.js': 'one', 'lib/a.js': 'two', 'node_modules/dep/index.js': 'three' },
    });
  });
  afterEach(() => folders.remove());

  it('is the same for the same files, wherever they are and whenever they were written', async () => {
    const before = await hashContent(folder);
    await rename(folder, join(folders.root, 'moved'));
    expect(await hashContent(join(folders.root, 'moved'))).toBe(before);
    expect(before).toMatch(/^sha256-.{44}$/);
  });

  it.each([
    ['a file', () => writeFile(join(folder, 'lib/a.js'), 'TWO')],
    ['the manifest', () => writeFile(join(folder, 'package.json'), '{}')],
    ['a file of its own dependencies', () => writeFile(join(folder, 'node_modules/dep/index.js'), 'else')],
    ['by a new file', () => writeFile(join(folder, 'lib/b.js'), '')],
    ['by a file less', () => rm(join(folder, 'lib/a.js'))],
    ['by a file of another name', () => rename(join(folder, 'lib/a.js'), join(folder, 'lib/b.js'))],
    ['by a new link', () => symlink('index.js', join(folder, 'link.js'))],
  ])('changes with %s', async (_what, change) => {
    const before = await hashContent(folder);
    await change();
    expect(await hashContent(folder)).not.toBe(before);
  });

  it.each([
    ['a link to a file', 'link.js', 'lib/a.js'],
    ['a link to a folder', 'link', 'lib'],
    ['a folder whose name begins with a point', '.cache', undefined],
  ])('changes with a file behind %s', async (_what, path, target) => {
    await folders.write('plugins/recipes/.cache/a.js', 'one');
    if (target !== undefined) await symlink(join(folder, target), join(folder, path));
    const before = await hashContent(folder);
    await writeFile(join(folder, path === 'link.js' ? path : `${path}/a.js`), 'else');
    expect(await hashContent(folder)).not.toBe(before);
  });

  it.each([
    ['file', 'shared.js'],
    ['folder', 'shared'],
  ])('refuses a link to a %s outside of the package', async (what, target) => {
    await folders.write('shared.js', 'one');
    await folders.write('shared/index.js', 'one');
    await symlink(join(folders.root, target), join(folder, 'linked'));
    await expect(hashContent(folder)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringContaining(` to ${folders.root}/${target}`) as string,
      remedy: expect.stringContaining(` ${what} `) as string,
    });
  });

  it('does not change with what git and caches write, nor with permissions', async () => {
    const before = await hashContent(folder);
    await folders.write('plugins/recipes/.git/HEAD', 'ref');
    await folders.write('plugins/recipes/node_modules/.cache/x', 'y');
    await chmod(join(folder, 'index.js'), 0o755);
    expect(await hashContent(folder)).toBe(before);
  });

  it('comes to an end when a link leads back to its own folder', async () => {
    await symlink(folder, join(folder, 'self'));
    expect(await hashContent(folder)).toMatch(/^sha256-/);
  });
});
