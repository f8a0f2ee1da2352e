import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageManagerOf } from '../src/package-manager';
import { createPlugin, createProject, itemTypeOf, type PluginOptions } from '../src';

const root = join(__dirname, '../../..');

describe('a project', () => {
  const scratch = useScratch();

  it('has the command and all plugins in the version of this package, and nothing that is installed', async () => {
    const created = await createProject({ folder: join(scratch(), 'My Platform'), install: false });
    const json = readJson(join(created.folder, 'package.json'));
    expect([created.name, json['name'], json['private']]).toEqual(['my-platform', 'my-platform', true]);
    const dependencies = json['dependencies'] as Readonly<Record<string, string>>;
    const { version } = readJson(join(root, 'cli/package.json'));
    expect(new Set(Object.values(dependencies))).toEqual(new Set([`^${String(version)}`]));
    expect(Object.keys(dependencies).toSorted()).toEqual(['@gantry/cli', ...shippedPlugins()].toSorted());
    expect(readdirSync(created.folder).toSorted()).toEqual(['.env.example', '.gitignore', 'README.md', 'package.json']);
  });

  it('is not written into a folder that is in use, and leaves its files alone', async () => {
    writeFileSync(join(scratch(), 'notes.txt'), 'mine');
    await expect(createProject({ folder: scratch(), install: false })).rejects.toMatchObject({
      message: expect.stringContaining('is not empty; it holds notes.txt'),
      remedy: 'Name a folder that is empty or does not exist.',
    });
    expect(readdirSync(scratch())).toEqual(['notes.txt']);
  });

  it('keeps what a repository has before its first commit', async () => {
    mkdirSync(join(scratch(), '.git'));
    writeFileSync(join(scratch(), '.gitignore'), 'secret\n');
    await createProject({ folder: scratch(), install: false });
    expect(readFileSync(join(scratch(), '.gitignore'), 'utf8')).toBe('secret\n');
  });
});

describe('a plugin', () => {
  const scratch = useScratch();
  const create = (options: Partial<PluginOptions>) =>
    createPlugin({
      ...{ id: 'test-drives', routes: false, service: false, pages: false, install: false, folder: scratch() },
      ...options,
    });

  it('is made in the folder plugins of a project, also from a folder within it, and elsewhere in a folder of its own', async () => {
    const project = join(scratch(), 'platform');
    await createProject({ folder: project, install: false });
    const within = join(project, 'plugins');
    mkdirSync(within);
    expect((await create({ folder: within })).folder).toBe(join(project, 'plugins/test-drives'));
    const alone = await create({});
    expect([alone.folder, alone.project]).toEqual([join(scratch(), 'test-drives'), undefined]);
    expect(readJson(join(alone.folder, 'package.json'))['devDependencies']).toHaveProperty('@gantry/plugin-admin-ui');
    expect(existsSync(join(project, 'plugins/test-drives/.gitignore'))).toBe(false);
  });

  it.each(['Recipes', '1st', 'a', 'gantry', 'webhooks', 'räder'])('is refused with the id %s', async (id) => {
    await expect(create({ id })).rejects.toMatchObject({ message: expect.stringContaining(`found "${id}"`) });
  });

  it.each(['recipe', 'Re cipe', 'BaseItem', 'Types', 'Client', 'String'])(
    'is refused with the item type %s',
    async (itemType) => {
      await expect(create({ itemType })).rejects.toMatchObject({
        message: expect.stringContaining(`found "${itemType}"`),
      });
    },
  );

  it.each([
    ['recipes', 'Recipe'],
    ['categories', 'Category'],
    ['test-drives', 'TestDrive'],
    ['news', 'New'],
  ])('with the id %s has the item type %s unless another is named', (id, itemType) => {
    expect(itemTypeOf(id)).toBe(itemType);
  });

  it.each([
    ['an item type', { itemType: 'TestDrive' }],
    ['routes', { routes: true }],
    ['everything', { itemType: 'TestDrive', routes: true, service: true, pages: true }],
    ['a service', { service: true }],
  ])('with %s compiles', async (_parts, parts) => {
    const { folder } = await create(parts);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const projects = ['.', ...('pages' in parts ? ['ui'] : [])];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const outputs = projects.map((project) =>
      spawnSync(process.execPath, [compiler, '--project', project], { cwd: folder, encoding: 'utf8' }).stdout.trim(),
    );
    expect(outputs).toEqual(projects.map(() => ''));
  });
});

describe('the package manager of a project', () => {
  const scratch = useScratch();

  it.each([
    ['npm', {}],
    ['npm', { 'package-lock.json': '' }],
    ['pnpm', { 'pnpm-lock.yaml': '' }],
    ['yarn', { 'yarn.lock': '' }],
    ['bun', { 'bun.lock': '' }],
    ['pnpm', { 'package.json': '{"packageManager":"pnpm@10.0.0"}', 'package-lock.json': '' }],
  ])('is %s with the files %j', (manager, files) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(scratch(), path), text);
    expect(packageManagerOf(scratch())).toBe(manager);
  });
});

describe('the command create-gantry', () => {
  it.each([
    [['a', '--yes'], '--yes'],
    [['a', '-f'], '-f'],
    [['a', '--no-install=1'], '--no-install=1'],
    [['a', 'b'], 'a, b'],
  ])('names what it does not understand of %j', (words, named) => {
    const { status, stderr } = spawnSync(process.execPath, [join(__dirname, '../bin/create-gantry.js'), ...words], {
      encoding: 'utf8',
    });
    expect([status, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(named)]);
  });
});

function useScratch(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-create-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

function shippedPlugins(): readonly string[] {
  return ['plugins', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => join(root, parent, name, 'package.json'))
      .filter(existsSync)
      .map((file) => String(readJson(file)['name'])),
  );
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
}
