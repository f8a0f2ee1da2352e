import { mkdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { discover } from '../../src/phases/discover';
import { readUiFolder } from '../../src/record/ui-folder';
import { validate } from '../../src/phases/validate';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../test/support/plugin-folders';
import { reportOf, runRegistry } from '../support/run-registry';

const ui = {
  apiVersion: 1,
  entry: './pages/index.js',
  pages: [{ path: '', title: 'Palette' }],
  fields: ['paint.colour', 'IMAGE'],
  cells: ['paint.colour'],
  itemActions: [{ type: 'paint', name: 'lighter', title: 'Mix a lighter one' }],
};
const code = { 'index.js': definitionOf('paints') };
const built = { ...code, 'pages/index.js': 'export default 1;' };

describe('the pages of a plugin', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const problems = async (member: unknown): Promise<readonly string[]> => {
    await folders.add('paints', { gantry: { ui: member }, files: built });
    const [found] = (await discover(folders.sources)).packages;
    if (found === undefined) throw new Error('nothing discovered');
    return (await validate(found, '1.0.0')).problems.map(({ code: problem, reason }) => `${problem}: ${reason}`);
  };

  it('are in the report as the manifest names them, with the address of their module', async () => {
    await folders.add('paints', { gantry: { ui }, files: built });

    const report = reportOf(await runRegistry({ sources: folders.sources }), 'paints');

    expect(report.ui).toEqual({
      apiVersion: 1,
      pages: [{ path: '', title: 'Palette', icon: 'plug' }],
      fields: ui.fields,
      cells: ui.cells,
      itemActions: ui.itemActions,
      address: expect.stringMatching(/^\/plugins\/paints\/1[.]0[.]0-[0-9a-f]{12}\/ui\/index[.]js$/),
    });
  });

  it.each([
    ['no object', 'ui'],
    ['without a version', { entry: './pages/index.js' }],
    ['with a version that is not a number', { ...ui, apiVersion: '1' }],
    ['without an entry', { apiVersion: 1 }],
    ['whose entry is in the folder of the package itself', { ...ui, entry: './index.js' }],
    ['whose entry leads out of the package', { ...ui, entry: './pages/../../other/index.js' }],
    ['whose entry is an absolute path', { ...ui, entry: '/etc/pages/index.js' }],
    ['whose entry is no script', { ...ui, entry: './pages/index.html' }],
    ['with a page that has no title', { ...ui, pages: [{ path: 'all' }] }],
    ['with a page that leads elsewhere', { ...ui, pages: [{ path: '../plugins', title: 'All' }] }],
    ['with the same page twice', { ...ui, pages: [ui.pages[0], ui.pages[0]] }],
    ['with a control for something that is no field', { ...ui, fields: ['colour of a paint'] }],
    ['with a cell for something that is no field', { ...ui, cells: [5] }],
    ['with a control for a field type that is none', { ...ui, fields: ['COLOUR'] }],
    ['with an action of no type', { ...ui, itemActions: [{ name: 'lighter', title: 'Lighter' }] }],
    ['with the same action twice', { ...ui, itemActions: [ui.itemActions[0], ui.itemActions[0]] }],
    ['with a member that no manifest has', { ...ui, menus: [] }],
  ])('are refused when they are declared %s', async (_what, member) => {
    expect(await problems(member)).toEqual([expect.stringMatching(/^MANIFEST_INVALID: gantry[.]ui/)]);
  });

  it('of another version of the UI API are named and not served, and the plugin runs', async () => {
    await folders.add('paints', { gantry: { ui: { apiVersion: 7, panels: {} } }, files: built });

    const report = reportOf(await runRegistry({ sources: folders.sources }), 'paints');

    expect(report.state).toBe('started');
    expect(report.ui?.address).toBeUndefined();
    expect(report.ui?.problem).toMatchObject({
      code: 'UI_API_INCOMPATIBLE',
      reason: expect.stringContaining('version 7'),
    });
  });

  it('that are not built are named, and the plugin runs', async () => {
    await folders.add('paints', { gantry: { ui }, files: code });

    const report = reportOf(await runRegistry({ sources: folders.sources }), 'paints');

    expect(report.state).toBe('started');
    expect(report.ui?.problem).toMatchObject({
      code: 'UI_FILES_UNREADABLE',
      remedy: expect.stringContaining('Build the pages'),
    });
  });

  it('of a plugin that failed keep their names and have no address', async () => {
    await folders.add('paints', {
      gantry: { ui },
      files: { ...built, 'index.js': definitionOf('paints', 'start() { throw new Error("no"); }') },
    });

    const report = reportOf(await runRegistry({ sources: folders.sources }), 'paints');

    expect([report.state, report.ui?.pages.length, report.ui?.address]).toEqual(['failed', 1, undefined]);
  });

  it('have another hash when a file has changed, and are not read again when none has', async () => {
    const folder = await folders.add('paints', { files: built });
    const first = await readUiFolder(folder, ui.entry);
    expect(await readUiFolder(folder, ui.entry, first)).toBe(first);

    const file = await folders.write('plugins/paints/pages/index.js', 'export default 2;');
    await utimes(file, new Date(), new Date(Date.now() + 5_000));
    const second = await readUiFolder(folder, ui.entry, first);

    expect(second).toMatchObject({ state: 'read', hash: expect.not.stringMatching(hashIn(first)) });
  });

  it('are files of their folder only: links are left out, and a folder that leads elsewhere is refused', async () => {
    const folder = await folders.add('paints', { files: built });
    await symlink(join(folder, 'package.json'), join(folder, 'pages/package.json'));
    const read = await readUiFolder(folder, ui.entry);
    expect(read.state === 'read' ? [...read.files.keys()] : []).toEqual(['index.js']);

    await mkdir(join(folders.root, 'secret'));
    await folders.write('secret/index.js', '');
    await symlink(join(folders.root, 'secret'), join(folder, 'linked'));
    expect(await readUiFolder(folder, './linked/index.js')).toMatchObject({
      state: 'unreadable',
      reason: expect.stringContaining('outside the package'),
    });
  });

  it('are not served when they are too large to be held in memory', async () => {
    const folder = await folders.add('paints', { files: built });
    await folders.write('plugins/paints/pages/film.bin', 'x'.repeat(17 * 1024 * 1024));

    expect(await readUiFolder(folder, ui.entry)).toMatchObject({
      state: 'unreadable',
      reason: expect.stringContaining('bytes'),
    });
  });
});

function hashIn(folder: Awaited<ReturnType<typeof readUiFolder>>): string {
  return folder.state === 'read' ? folder.hash : '';
}
