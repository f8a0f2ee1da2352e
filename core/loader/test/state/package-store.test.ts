import { chmod, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { disablePlugin, enablePlugin } from '../../src/commands/plugin-commands';
import { inspectPlugins } from '../../src/commands/inspect-plugins';
import { prepareCheck } from '../../src/commands/prepare-check';
import { changeDecisions, readDecisions } from '../../src/state/state-file';
import { listPackageFiles } from '../../src/state/store/package-files';
import { storePackage } from '../../src/state/store/package-store';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../test/support/plugin-folders';
import { reportOf, runRegistry } from '../support/run-registry';

describe('the store of enabled packages', () => {
  let folders: PluginFolders;
  let home: string;
  beforeEach(async () => {
    folders = await createPluginFolders();
    ({ home } = folders.sources);
  });
  afterEach(() => folders.remove());

  const saying = (text: string) => ({ 'index.js': `globalThis.traces.push('${text}');\n${definitionOf('recipes')}` });
  const entries = async () => (await readdir(join(home, 'store'))).toSorted();
  /** The folder from which the enabled plugin is loaded. */
  const stored = async (): Promise<string> => {
    const [name = ''] = await entries();
    return join(home, 'store', name, 'recipes');
  };

  it('is what runs, whatever becomes of the folder of the package', async () => {
    const folder = await folders.add('recipes', { files: saying('one') });
    await enablePlugin(folders.sources, 'recipes');
    await folders.add('recipes', { files: saying('two'), json: { version: '2.0.0' } });

    const edited = await runRegistry({ sources: folders.sources });
    expect([edited.traces, reportOf(edited, 'recipes')]).toMatchObject([
      ['one'],
      { state: 'started', version: '1.0.0', folder },
    ]);
    expect(edited.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: expect.stringMatching(
          / recipes .* 1\.0\.0.* 2\.0\.0.* gantry plugins enable recipes; .* gantry plugins unpin recipes$/,
        ),
      }),
    );

    await writeFile(join(folder, 'package.json'), '{ "torn');
    expect((await runRegistry({ sources: folders.sources })).traces).toEqual(['one']);

    await rm(folder, { recursive: true });
    const gone = await runRegistry({ sources: folders.sources });
    expect(gone.traces).toEqual(['one']);
    expect(gone.lines).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining('gantry plugins disable'),
      }),
    );
  });

  it('leaves out what npm has installed for the development of a package', async () => {
    const folder = await folders.add('recipes', {
      files: {
        ...saying('one'),
        'node_modules/.package-lock.json': JSON.stringify({
          packages: {
            'node_modules/kit': {},
            'node_modules/compiler': { dev: true },
            // Also an optional dependency of the kit.
            'node_modules/speed-up': { devOptional: true },
            'index.js': { dev: true },
          },
        }),
        'node_modules/kit/index.js': '',
        'node_modules/compiler/index.js': '',
        'node_modules/speed-up/index.js': '',
        'node_modules/nested/index.js': '',
      },
    });
    // Of the workspace that the package is in.
    await folders.write(
      'node_modules/.package-lock.json',
      JSON.stringify({
        packages: { 'plugins/recipes/node_modules/nested': { dev: true }, 'node_modules/kit': { dev: true } },
      }),
    );
    const files = await listPackageFiles(folder);
    expect(files.map(({ path }) => path)).toEqual([
      'index.js',
      'node_modules/kit/index.js',
      'node_modules/speed-up/index.js',
      'package.json',
    ]);
  });

  it.each(['null', '{ "packages": null }', '{ "packages": { "node_modules/kit": null } }', 'no JSON'])(
    'takes in everything where the record of npm is %s',
    async (record) => {
      const files = { ...saying('one'), 'node_modules/.package-lock.json': record, 'node_modules/kit/index.js': '' };
      const found = await listPackageFiles(await folders.add('recipes', { files }));
      expect(found.map(({ path }) => path)).toEqual(['index.js', 'node_modules/kit/index.js', 'package.json']);
    },
  );

  it('does not bring in plugins of folders that are no longer named', async () => {
    await folders.add('recipes', { files: saying('one') });
    await enablePlugin(folders.sources, 'recipes');
    const { plugins, notes } = await inspectPlugins({ ...folders.sources, pluginPath: [join(folders.root, 'other')] });
    expect(plugins).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining('recipes was enabled by command'));
  });

  it('takes in the files of the folder when the plugin is enabled again, and leaves nothing next to it', async () => {
    await folders.add('recipes', { files: saying('one') });
    await enablePlugin(folders.sources, 'recipes');
    await folders.add('recipes', { files: saying('two') });
    await enablePlugin(folders.sources, 'recipes');

    expect((await runRegistry({ sources: folders.sources })).traces).toEqual(['two']);
    expect(await entries()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('runs the files that were checked, not those that were written after the check', async () => {
    const folder = await folders.add('recipes', { files: saying('checked') });
    const { decisions } = await prepareCheck(folders.sources, ['recipes']);
    await writeFile(join(folder, 'index.js'), 'throw new Error("not checked")');
    expect((await runRegistry({ sources: folders.sources })).traces).toEqual([]);

    await changeDecisions(home, decisions);
    expect((await runRegistry({ sources: folders.sources })).traces).toEqual(['checked']);
  });

  it('is not trusted blindly: a damaged copy is made again from the same files, or the plugin does not run', async () => {
    const folder = await folders.add('recipes', { files: saying('sound') });
    await enablePlugin(folders.sources, 'recipes');
    const damage = async (): Promise<void> => {
      const file = join(await stored(), 'index.js');
      await chmod(file, 0o644);
      await writeFile(file, "globalThis.traces.push('damaged')");
    };

    await damage();
    expect((await runRegistry({ sources: folders.sources })).traces).toEqual(['sound']);
    await damage();
    await writeFile(join(folder, 'index.js'), "globalThis.traces.push('edited')");
    const run = await runRegistry({ sources: folders.sources });
    expect([run.traces, reportOf(run, 'recipes')]).toMatchObject([[], { problems: [{ code: 'PLUGIN_CHANGED' }] }]);
  });

  it('takes in what an earlier version enabled in its folder', async () => {
    const folder = await folders.add('recipes', { files: saying('early') });
    await enablePlugin(folders.sources, 'recipes');
    const decision = (await readDecisions(home)).get('recipes');
    if (!decision?.enabled) throw new Error('It is not enabled');
    const { folder: _folder, ...pin } = decision;
    await rm(home, { recursive: true });
    await folders.write('home/plugins.json', JSON.stringify({ formatVersion: 1, plugins: { recipes: pin } }));

    expect((await runRegistry({ sources: folders.sources })).traces).toEqual(['early']);
    await writeFile(join(folder, 'index.js'), "globalThis.traces.push('edited')");
    expect((await runRegistry({ sources: folders.sources })).traces).toEqual(['early']);
  });

  it('keeps a plugin running when another package takes its id', async () => {
    await folders.add('recipes', { files: saying('first') });
    await enablePlugin(folders.sources, 'recipes');
    const second = await folders.add('recipes', { folder: 'plugins/another', files: saying('second') });

    const run = await runRegistry({ sources: folders.sources });
    expect(run.traces).toEqual(['first']);
    expect(run.reports.map(({ folder, state }) => [folder, state])).toContainEqual([second, 'failed']);
  });

  it('finds the packages of the workspace that the plugin does not carry itself, for require and for import', async () => {
    await folders.write('node_modules/kit/package.json', '{ "name": "kit" }');
    await folders.write('node_modules/kit/index.js', "module.exports = 'hoisted kit'");
    const carried = {
      'node_modules/part/package.json': '{ "name": "part" }',
      'node_modules/part/index.js': "module.exports = 'own part of ' + require('kit')",
    };
    const load = 'const traces = [kit, part]; globalThis.traces.push(...traces);';
    await folders.add('common', {
      files: {
        ...carried,
        'index.js': `const kit = require('kit'), part = require('part'); ${load}\n${definitionOf('common')}`,
      },
    });
    await folders.add('modern', {
      json: { type: 'module' },
      files: {
        ...carried,
        'index.js': `import kit from 'kit'; import part from 'part'; import { join } from 'node:path'; import { sep } from 'path';
          import { definePlugin } from '@gantry/plugin-api'; ${load} export default definePlugin({ id: 'modern' });`,
      },
    });
    // Elsewhere, so that nothing is found above it.
    const sources = { ...folders.sources, home: join(folders.root, '../', `${folders.root}-home`) };
    await enablePlugin(sources, 'common');
    await enablePlugin(sources, 'modern');
    const run = await runRegistry({ sources });
    await rm(sources.home, { recursive: true });

    expect(run.reports.flatMap(({ problems }) => problems)).toEqual([]);
    const expected = ['hoisted kit', 'own part of hoisted kit'];
    expect(run.traces).toEqual([...expected, ...expected]);
  });

  it('does not take in what links of node_modules bring in from outside, so that it cannot change unnoticed', async () => {
    await folders.write('outside/package.json', '{ "name": "linked" }');
    await folders.write('outside/index.js', '');
    const folder = await folders.add('recipes', {
      files: { 'index.js': `require('linked');\n${definitionOf('recipes')}`, 'node_modules/own/index.js': '' },
    });
    await symlink(join(folders.root, 'outside'), join(folder, 'node_modules/linked'));
    await enablePlugin(folders.sources, 'recipes');

    expect(reportOf(await runRegistry({ sources: folders.sources }), 'recipes').problems).toMatchObject([
      {
        code: 'LOAD_FAILED',
        reason: expect.stringContaining("Cannot find module 'linked'") as string,
        remedy: expect.stringContaining(`Name linked in dependencies of ${folder}/package.json`) as string,
      },
    ]);
  });

  it.each([
    ['index.js', "require('./gone');", 'LOAD_FAILED'],
    ['index.mjs', "import './gone.mjs';", 'LOAD_FAILED'],
    ['index.js', "throw new Error(__filename + ' cannot be used');", 'LOAD_FAILED'],
    ['index.js', 'module.exports = 5;', 'NOT_A_PLUGIN'],
    ['index.js', definitionOf('recipes', 'register() { throw new Error(__filename); }'), 'REGISTER_FAILED'],
    ['index.js', definitionOf('recipes', 'start() { throw new Error(__filename); }'), 'START_FAILED'],
  ])('names files of the folder where %s of the copy fails: %s', async (main, code, problem) => {
    const folder = await folders.add('recipes', { json: { main }, files: { [main]: code } });
    await enablePlugin(folders.sources, 'recipes');

    const { problems } = reportOf(await runRegistry({ sources: folders.sources }), 'recipes');
    expect(problems).toMatchObject([{ code: problem, reason: expect.stringContaining(`${folder}/`) as string }]);
    expect(JSON.stringify(problems)).not.toContain(folders.sources.home);
  });

  it('says in the check why a package cannot be stored', async () => {
    await folders.write('outside/x.js', '');
    const folder = await folders.add('recipes');
    await symlink(join(folders.root, 'outside'), join(folder, 'lib'));

    expect((await prepareCheck(folders.sources, ['recipes'])).plugins).toMatchObject([
      {
        problems: [{ code: 'PACKAGE_NOT_STORED', reason: expect.stringContaining('symbolic link') }],
      },
    ]);
    await expect(enablePlugin(folders.sources, 'recipes')).rejects.toMatchObject({ code: 'PLUGIN_UNUSABLE' });
  });

  it('shows the files of a plugin as read-only, and keeps what may be executed so', async () => {
    const folder = await folders.add('recipes', { files: { 'index.js': definitionOf('recipes'), 'tool.sh': '' } });
    await chmod(join(folder, 'tool.sh'), 0o755);
    const { folder: copy } = await storePackage(home, 'recipes', folder);
    const modes = await Promise.all(['index.js', 'tool.sh'].map(async (name) => (await stat(join(copy, name))).mode));
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['444', '555']);
  });

  it('loses packages that nobody needs after a day, and never those of the current and the previous set', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) {
      await folders.add('recipes', { json: { version } });
      await enablePlugin(folders.sources, 'recipes');
    }
    expect(await entries()).toHaveLength(4);
    const old = new Date(Date.now() - 48 * 60 * 60 * 1000);
    for (const name of await entries()) await utimes(join(home, 'store', name, 'entry.json'), old, old);

    await disablePlugin(folders.sources, 'recipes');

    expect(await entries()).toHaveLength(1);
    await changeDecisions(home, new Map([['other', { enabled: false }]]));
    expect((await inspectPlugins(folders.sources)).plugins[0]?.state).toBe('disabled');
  });
});
