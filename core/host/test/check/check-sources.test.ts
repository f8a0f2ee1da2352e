import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginCheckLine, PluginCheckReport } from '@gantry/contracts';
import { checkPlugins } from '../../src/for-commands';
import { runNpm, type CheckTarget, withSources } from '@gantry/core-lifecycle';
import { enablePlugin, inspectPlugins } from '@gantry/core-loader';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../test/support/plugin-folders';
import {
  createHugeTarball,
  createTarball,
  npmEnvironment,
  openSampleRegistry,
  sampleManifest,
  samplePackage,
  type PackedFiles,
  type SampleRegistry,
} from '../../../../test/support/sample-registry';

let folders: PluginFolders;
let registry: SampleRegistry;
beforeAll(async () => {
  registry = await openSampleRegistry();
});
afterAll(() => registry.close());
beforeEach(async () => {
  folders = await createPluginFolders();
  environment = npmEnvironment(registry, folders.root);
});
afterEach(() => folders.remove());

let environment: Readonly<Record<string, string | undefined>> = {};

async function writeTarball(files: PackedFiles): Promise<string> {
  const file = join(folders.root, 'sample-1.2.0.tgz');
  await writeFile(file, await createTarball(files));
  return file;
}

function withWords<T>(words: readonly string[], work: (targets: readonly CheckTarget[]) => Promise<T>): Promise<T> {
  return withSources(words, { project: folders.sources.project, environment }, work);
}

/** Checks them, and gives the folders in which they were. */
async function check(...words: readonly string[]) {
  const config = { ...folders.sources, host: '127.0.0.1', port: 0, logLevel: 'silent', bodyLimit: 1024 };
  return withWords(words, async (targets) => {
    const { reports } = await checkPlugins(
      { config: config as unknown as Parameters<typeof checkPlugins>[0]['config'], environment },
      targets,
    );
    const [report] = reports;
    if (report === undefined) throw new Error('There is no report');
    return { report, targets };
  });
}

function line({ lines }: PluginCheckReport, rule: string): PluginCheckLine | undefined {
  return lines.find((one) => one.rule === rule);
}

function open(word: string): Promise<unknown> {
  return withWords([word], () => Promise.resolve('opened'));
}

describe('a folder that is checked', () => {
  it('is checked against the plugins of the platform, of which it does not become one', async () => {
    await folders.add('base');
    const folder = await folders.add('recipes', { folder: 'elsewhere', gantry: { dependsOn: { base: '^1.0.0' } } });

    const { report } = await check(folder);

    expect(report).toMatchObject({ plugin: 'recipes', outcome: 'warning' });
    expect(line(report, 'package/location')?.message).toBe(`sample-recipes 1.0.0 in ${folder}`);
    expect(line(report, 'dependencies/enabled')?.message).toContain('base ^1.0.0, which is enabled');
    expect(line(report, 'code/registered')).toMatchObject({ outcome: 'ok' });
    expect((await inspectPlugins(folders.sources)).plugins.map(({ id }) => id)).toEqual(['base']);
    expect(existsSync(join(folders.sources.home, 'plugins.json'))).toBe(false);
  });

  it('may be another version of a plugin that is enabled', async () => {
    await folders.add('recipes');
    await enablePlugin(folders.sources, 'recipes');
    const folder = await folders.add('recipes', { folder: 'elsewhere', json: { version: '2.0.0' } });

    const { report } = await check(folder);

    expect(report).toMatchObject({ version: '2.0.0', outcome: 'warning' });
    expect(line(report, 'integrity/changed')).toMatchObject({
      message: expect.stringContaining('not those that were enabled (version 1.0.0') as string,
      remedy: expect.stringContaining('put the package where the platform finds it') as string,
    });
    expect((await inspectPlugins(folders.sources)).plugins).toMatchObject([{ id: 'recipes', version: '1.0.0' }]);
  });

  it('may be one that the platform finds without a decision to enable it, wherever the folders are', async () => {
    const found = await folders.add('recipes');
    const before = await folders.add('recipes', { folder: 'before', json: { version: '2.0.0' } });
    const behind = await folders.add('recipes', { folder: 'zone', json: { version: '3.0.0' } });

    expect((await check(before)).report).toMatchObject({ version: '2.0.0', outcome: 'warning' });
    expect((await check(behind)).report).toMatchObject({ version: '3.0.0', outcome: 'warning' });
    expect((await check(found)).report).toMatchObject({ version: '1.0.0', outcome: 'warning' });
  });

  it('is refused where it would take the names of a plugin in use', async () => {
    const gantry = { contributes: { itemTypes: ['recipe'] } };
    await folders.add('aaa', { gantry });
    const folder = await folders.add('zzz', { gantry, folder: 'elsewhere' });

    expect(line((await check(folder)).report, 'names/displaces-plugin')).toMatchObject({ outcome: 'problem' });
  });

  it('has the problems of its manifest in the report', async () => {
    const folder = await folders.add('recipes', { folder: 'elsewhere', gantry: { id: 'No id' } });

    expect((await check(folder)).report).toMatchObject({ outcome: 'problem' });
  });

  it('is not checked together with another package of the same plugin', async () => {
    await folders.add('recipes');
    const folder = await folders.add('recipes', { folder: 'elsewhere' });

    await expect(check('recipes', folder)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringContaining('same plugin id "recipes"') as string,
    });
  });

  it.each([
    ['does not exist', './nowhere', 'PLUGIN_UNKNOWN', / .*nowhere$/],
    ['is no package', '.', 'PLUGIN_UNUSABLE', /is not a plugin package/],
  ])('is refused when it %s', async (_what, path, code, message) => {
    const folder = join(folders.root, path);

    await expect(check(folder)).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  });
});

describe('a tarball that is checked', () => {
  it('is unpacked for the time of the check, and named by its file', async () => {
    const file = await writeTarball(samplePackage('recipes'));

    const { report, targets } = await check(file);

    expect(report).toMatchObject({ plugin: 'recipes', version: '1.2.0', outcome: 'warning' });
    expect(line(report, 'package/location')?.message).toBe(`@acme/recipes 1.2.0 in ${file}`);
    expect(line(report, 'code/registered')).toMatchObject({ outcome: 'ok' });
    expect(targets).toEqual([{ folder: expect.any(String) as string, origin: file }]);
    expect(targets.map((target) => existsSync(typeof target === 'string' ? target : target.folder))).toEqual([false]);
    expect((await inspectPlugins(folders.sources)).plugins).toEqual([]);
  });

  it.each<[string, PackedFiles, RegExp]>([
    ['leads out of the package', { 'package/../../evil.js': 'x' }, /"package\/\.\.\/\.\.\/evil\.js"/],
    ['has an absolute path', { '/tmp/evil.js': 'x' }, /"\/tmp\/evil\.js"/],
    ['is a path of Windows', { 'package\\..\\..\\evil.js': 'x' }, /evil\.js"/],
    ['is a link', { 'package/evil': { type: 'symlink', linkname: '/etc' } }, / link "package\/evil"/],
    ['is a hard link', { 'package/evil': { type: 'link', linkname: '/etc/passwd' } }, / link "package\/evil"/],
  ])('is refused with an entry that %s, and writes nothing outside', async (_what, entry, message) => {
    const file = await writeTarball({ ...entry, ...samplePackage('recipes') });

    await expect(open(file)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringMatching(message) as string,
    });
    expect(readdirSync(folders.root)).not.toContain('evil.js');
  });

  it('is called by its file when it is the same plugin as a folder', async () => {
    const folder = await folders.add('recipes', { folder: 'elsewhere' });
    const file = await writeTarball(samplePackage('recipes'));

    await expect(check(folder, file)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringContaining(`${folder} and ${file} have `) as string,
    });
  });

  it('is refused when it would fill the disk', async () => {
    const file = join(folders.root, 'huge.tgz');
    await writeFile(file, await createHugeTarball(2 ** 30));

    await expect(open(file)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringContaining('more than 50000 files or 512 MB') as string,
    });
  });

  it.each<[string, (whole: Buffer) => Buffer, RegExp]>([
    ['is no archive', () => Buffer.from('no archive'), /: incorrect header check/],
    ['ends early', (whole) => whole.subarray(0, whole.length / 2), /: unexpected end of file/],
  ])('is refused when it %s', async (_what, change, message) => {
    const file = await writeTarball(samplePackage('recipes'));
    await writeFile(file, change(readFileSync(file)));

    await expect(open(file)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringMatching(message) as string,
    });
  });

  it.each<[string, PackedFiles, RegExp]>([
    ['without a package.json', { 'package/index.js': '' }, / no package\/package\.json/],
    ['with one that is broken', { 'package/package.json': '{' }, /package\.json .*cannot be read/],
    [
      'of another package',
      { 'package/package.json': '{"name":"x","version":"1.0.0"}' },
      /tgz .*package\.json .*"gantry"/,
    ],
    [
      'that needs a package of another place',
      samplePackage('recipes', { dependencies: { helper: 'git+ssh://git@example.com/helper.git' } }),
      /needs helper from git\+ssh:/,
    ],
    [
      'that needs a package of a folder',
      samplePackage('recipes', { dependencies: { helper: '..' } }),
      /needs helper from \.\.,/,
    ],
    ['whose package.json is a folder', { 'package/package.json/x': '' }, /package\.json .*cannot be read/],
    [
      'with a file in the place of a folder of packages',
      { ...samplePackage('recipes'), 'package/node_modules/@acme': '' },
      /packages .*cannot be read/,
    ],
    [
      'with a file in the place of node_modules',
      { ...samplePackage('recipes', { dependencies: { helper: '1.0.0' } }), 'package/node_modules': '' },
      /packages .*cannot be read/,
    ],
  ])('is refused %s', async (_what, files, message) => {
    const file = await writeTarball(files);

    await expect(check(file)).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('a package of npm that is checked', () => {
  it('is fetched with what it needs when it runs, without a script, for the time of the check', async () => {
    const trace = join(folders.root, 'trace');
    const scripts = { postinstall: `touch ${trace}`, prepare: `touch ${trace}`, prepack: `touch ${trace}` };
    await registry.publish(
      { name: 'helper', version: '1.0.0', ...{ main: 'index.js', scripts } },
      {
        'package/index.js': 'module.exports = "helped"',
      },
    );
    const manifest = sampleManifest('recipes', {
      scripts,
      dependencies: { helper: '^1.0.0' },
      devDependencies: { 'no-such-package': '1.0.0' },
    });
    await registry.publish(manifest, {
      'package/index.js': `if (require('helper') !== 'helped') throw new Error('alone');\n${definitionOf('recipes')}`,
      'package/.npmrc': 'ignore-scripts=false\nregistry=http://127.0.0.1:1/\n',
    });

    const { report, targets } = await check('@acme/recipes@1.2.0');

    expect(line(report, 'code/registered')).toMatchObject({ outcome: 'ok' });
    expect(line(report, 'package/location')?.message).toBe('@acme/recipes 1.2.0 in @acme/recipes@1.2.0');
    expect(line(report, 'package/install-scripts')?.details).toContainEqual(
      expect.stringContaining('node_modules/helper/package.json: postinstall') as string,
    );
    expect(existsSync(trace)).toBe(false);
    expect(targets.map((target) => existsSync(typeof target === 'string' ? target : target.folder))).toEqual([false]);
    expect((await inspectPlugins(folders.sources)).plugins).toEqual([]);
  });

  it.each([
    ['in its latest version', 'npm:plain'],
    ['by a range', 'plain@^1.0.0'],
    ['by a tag', 'npm:plain@latest'],
  ])('may be named %s', async (_what, word) => {
    await registry.publish({ ...sampleManifest('plain'), name: 'plain' });

    await expect(open(word)).resolves.toBe('opened');
  });

  it('comes from the registry that the project names, with what it needs', async () => {
    await folders.write('.npmrc', `registry=${registry.url}\n`);
    environment = { ...environment, npm_config_registry: undefined };
    await registry.publish({ name: 'needed', version: '1.0.0' });
    await registry.publish({ ...sampleManifest('plain', { dependencies: { needed: '*' } }), name: 'plain' });

    await expect(open('plain@1.2.0')).resolves.toBe('opened');
  });

  it('brings what it has bundled', async () => {
    const file = await writeTarball({
      ...samplePackage('recipes', { dependencies: { bundled: '*' }, bundleDependencies: ['bundled'] }),
      'package/node_modules/bundled/package.json': '{"name":"bundled","version":"1.0.0"}',
    });
    const before = registry.requests.length;

    await expect(open(file)).resolves.toBe('opened');
    expect(registry.requests).toHaveLength(before);
  });

  it.each([
    ['has no such name', 'unknown-package@1.0.0', /unknown-package@1\.0\.0 .*: /, /name/],
    ['has no such version', 'plain@7.0.0', /plain@7\.0\.0 .*: /, /npm view /],
  ])('is refused when the registry %s', async (_what, word, message, remedy) => {
    await registry.publish({ ...sampleManifest('plain'), name: 'plain' });

    await expect(open(word)).rejects.toMatchObject({
      code: 'PLUGIN_NOT_FETCHED',
      message: expect.stringMatching(message) as string,
      remedy: expect.stringMatching(remedy) as string,
    });
  });

  it('is refused when the registry cannot be reached', async () => {
    environment = { ...environment, npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0' };

    await expect(open('plain@1.0.0')).rejects.toMatchObject({
      code: 'PLUGIN_NOT_FETCHED',
      remedy: expect.stringContaining('registry') as string,
    });
  });

  it('is refused when what it needs is not to be had', async () => {
    const file = await writeTarball(samplePackage('recipes', { dependencies: { 'not-there': '^1.0.0' } }));

    await expect(open(file)).rejects.toMatchObject({
      code: 'PLUGIN_NOT_FETCHED',
      message: expect.stringContaining(file) as string,
    });
  });

  it('is not fetched from an address', async () => {
    await expect(open('plain@http://127.0.0.1:1/evil.tgz')).rejects.toMatchObject({ code: 'PLUGIN_UNKNOWN' });
    await expect(open('npm:--version')).rejects.toMatchObject({ code: 'PLUGIN_UNKNOWN' });
  });

  it('is never what a word without a version means, so that a mistyped id brings no code', async () => {
    const before = registry.requests.length;

    await expect(check('recipse')).rejects.toMatchObject({ code: 'PLUGIN_UNKNOWN' });
    expect(registry.requests).toHaveLength(before);
  });

  it('needs npm', async () => {
    const run = runNpm(['--version'], {
      ...{ cwd: folders.root, environment, timeoutMs: 1_000 },
      command: ['no-such-npm'],
    });

    await expect(run).rejects.toMatchObject({
      code: 'PLUGIN_NOT_FETCHED',
      message: expect.stringContaining('npm') as string,
    });
  });
});
