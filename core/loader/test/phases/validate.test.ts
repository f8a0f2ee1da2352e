import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { discover } from '../../src/phases/discover';
import { validate } from '../../src/phases/validate';
import { createPluginFolders, type PluginFolders, type PluginParts } from '../../../../test/support/plugin-folders';

describe('validate', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const validation = async (parts: PluginParts, id = 'recipes') => {
    await folders.add(id, parts);
    const found = (await discover(folders.sources)).packages.at(0);
    if (found === undefined) throw new Error('nothing discovered');
    return validate(found, '1.4.0');
  };
  const problems = async (parts: PluginParts, id?: string) =>
    (await validation(parts, id)).problems.map(({ code, reason }) => `${code}: ${reason}`);

  it('gives the manifest with the defaults filled in', async () => {
    expect((await validation({})).manifest).toEqual({
      id: 'recipes',
      displayName: 'Sample recipes',
      packageName: 'sample-recipes',
      version: '1.0.0',
      main: './index.js',
      pluginApiRange: '^1.0.0',
      dependsOn: {},
      optionalDependsOn: {},
      contributes: { itemTypes: [], taskQueues: [], routes: [] },
      required: false,
    });
  });

  it('keeps the reason for the system scope, without blanks around it', async () => {
    const { manifest } = await validation({ gantry: { systemScope: ` ${'x'.repeat(200)}\n` } });
    expect(manifest?.systemScope).toBe('x'.repeat(200));
  });

  it('collects every problem at once, each with what to do', async () => {
    const { problems: all } = await validation({
      gantry: { id: 'Recipes', displayName: '', colour: 'red', contributes: { itemTypes: ['Recipe'], pages: [] } },
      json: { version: 'one', main: './nowhere.js', peerDependencies: {} },
    });
    expect(all.map(({ code, reason }) => `${code}: ${reason}`)).toEqual([
      expect.stringMatching(/^MANIFEST_INVALID: version .*; found "one"$/),
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.id .*; found "Recipes"$/),
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.displayName .*; found ""$/),
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes\.itemTypes\.0 /),
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes .*: "pages"$/),
      expect.stringMatching(/^MANIFEST_INVALID: gantry .*: "colour"$/),
      expect.stringMatching(/^PLUGIN_API_MISSING: .*"@gantry\/plugin-api"/),
      expect.stringMatching(/^ENTRY_MISSING: .* \.\/nowhere\.js /),
    ]);
    expect(all.every(({ remedy, phase }) => remedy.length > 10 && phase === 'validate')).toBe(true);
  });

  it('refuses commands that are none, and two of one name', async () => {
    const problemsOf = (commands: unknown) => problems({ gantry: { contributes: { commands } } });
    const command = { name: 'quickest', route: 'listQuickest' };
    expect(await problemsOf({ quickest: 'listQuickest' })).toEqual([
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes\.commands must be of type array$/),
    ]);
    expect(await problemsOf([{ name: 'Quickest', route: '', code: 1 }, null])).toEqual([
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes\.commands\.0\.name must be 1 to 40 /),
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes\.commands\.0\.route must not be empty/),
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes\.commands\.0 has unknown members: "code"$/),
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes\.commands\.1 must be of type object$/),
    ]);
    expect(await problemsOf([command, { ...command, route: 'other' }])).toEqual([
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes\.commands must not declare the same command twice/),
    ]);
  });

  it('names the version that a package of a later plugin API would need, besides what is not known here', async () => {
    const gantry = { contributes: { ofLater: ['a'] } };
    expect(await problems({ gantry, json: { peerDependencies: { '@gantry/plugin-api': '^1.99.0' } } })).toEqual([
      expect.stringMatching(/^MANIFEST_INVALID: gantry\.contributes has unknown members: "ofLater"$/),
      expect.stringMatching(
        /^PLUGIN_API_INCOMPATIBLE: The package needs @gantry\/plugin-api \^1\.99\.0; this host has /,
      ),
    ]);
  });

  it('refuses a list that is too long with one problem', async () => {
    const routes = Array.from({ length: 5_000 }, (_, index) => `GET /many/${index}`);
    const pages = Array.from({ length: 500 }, (_, index) => ({ path: `p${index}`, title: 'Page' }));
    const dependsOn = Object.fromEntries(routes.map((_, index) => [`plugin-${index}`, '*']));
    const found = await problems({
      gantry: { dependsOn, contributes: { routes }, ui: { apiVersion: 1, entry: './ui/index.js', pages } },
    });
    expect(found).toEqual([
      expect.stringMatching(/^MANIFEST_INVALID: gantry.dependsOn .* 200 .*; found .{60,70}$/),
      expect.stringMatching(/gantry.contributes.routes .* 1000 .* 5000; found .{60,70}$/),
      expect.stringMatching(/gantry.ui.pages .* 100 .* 500; found .{60,70}$/),
    ]);
  });

  it('does not parse a package.json that is larger than any plugin needs', async () => {
    const routes = Array.from({ length: 100_000 }, (_, index) => `GET /many/${index}`);
    expect(await problems({ gantry: { contributes: { routes } } })).toEqual([
      expect.stringMatching(/^PACKAGE_UNREADABLE: .*package.json .* \d{7} bytes; .* 1048576/),
    ]);
  });

  it.each([
    ['by a link to a file', 'index.js', 'outside/index.js'],
    ['by a link to a folder', 'lib', 'outside'],
  ])('refuses an entry file that leads out of the package %s', async (_what, link, target) => {
    await folders.write('outside/index.js', '');
    const folder = await folders.add('recipes', { json: { main: link }, files: { 'other.js': '' } });
    await symlink(join(folders.root, target), join(folder, link));
    const { packages } = await discover(folders.sources);
    const found = await Promise.all(packages.map((one) => validate(one, '1.4.0')));
    expect(found.flatMap(({ problems: all }) => all)).toMatchObject([
      {
        code: 'ENTRY_MISSING',
        reason: expect.stringContaining(` to ${folders.root}/outside`),
      },
    ]);
  });

  it.each([
    ['an id that is too short', { id: 'a' }],
    ['an id that begins with a digit', { id: '1st' }],
    ['an id that is not a text', { id: 5 }],
    ['an id of 41 characters', { id: 'a'.repeat(41) }],
    ['a missing id', { id: undefined }],
    ['a display name over 100 characters', { displayName: 'x'.repeat(101) }],
    ['an empty reason for the system scope', { systemScope: ' ' }],
    ['a reason for the system scope over 200 characters', { systemScope: 'x'.repeat(201) }],
    ['a reason for the system scope that is not a text', { systemScope: true }],
    ['a dependency with no range', { dependsOn: { articles: 'latest' } }],
    ['a dependency with no plugin id', { dependsOn: { '@acme/articles': '^1.0.0' } }],
    ['dependencies in a list', { dependsOn: ['articles'] }],
    ['a dependency of both kinds', { dependsOn: { articles: '*' }, optionalDependsOn: { articles: '*' } }],
    ['item types that are no list', { contributes: { itemTypes: 'recipe' } }],
    ['the same item type twice', { contributes: { itemTypes: ['recipe', 'recipe'] } }],
    ['an empty task queue', { contributes: { taskQueues: [''] } }],
    ['a route without method', { contributes: { routes: ['/recipes'] } }],
    ['a route with an unknown method', { contributes: { routes: ['FETCH /recipes'] } }],
    ['a route with a wildcard', { contributes: { routes: ['GET /recipes/*rest'] } }],
    ['a mount for another method than GET', { contributes: { routes: ['POST /recipes/*'] } }],
    ['a required that is no boolean', { required: 'yes' }],
  ])('refuses %s', async (_what, gantry) => {
    expect(await problems({ gantry })).toEqual([expect.stringMatching(/^MANIFEST_INVALID: .*gantry/)]);
  });

  it.each([[null], [true], ['recipes'], [[]]])('refuses a gantry member that is %j', async (gantry) => {
    expect(await problems({ json: { gantry } })).toEqual([expect.stringMatching(/^MANIFEST_INVALID: gantry .*object/)]);
  });

  it('says that a manifest is of a later version instead of judging its members', async () => {
    expect(await problems({ gantry: { manifestVersion: 2, somethingNew: {} } })).toEqual([
      expect.stringMatching(/^MANIFEST_VERSION_UNSUPPORTED: .* 2; .* 1$/),
    ]);
  });

  it('refuses a package that was built for another plugin API', async () => {
    expect(await problems({ json: { peerDependencies: { '@gantry/plugin-api': '^2.0.0' } } })).toEqual([
      expect.stringMatching(/^PLUGIN_API_INCOMPATIBLE: .* \^2\.0\.0; .* 1\.4\.0$/),
    ]);
  });

  it('refuses a plugin API range that is none', async () => {
    expect(await problems({ json: { peerDependencies: { '@gantry/plugin-api': 'workspace:*' } } })).toEqual([
      expect.stringMatching(/^PLUGIN_API_MISSING: .*"workspace:\*"/),
    ]);
  });

  it.each([['gantry'], ['host'], ['webhooks']])(
    'refuses the plugin id %s, which belongs to the platform',
    async (id) => {
      expect(await problems({}, id)).toEqual([expect.stringMatching(/^PLUGIN_ID_RESERVED/)]);
    },
  );

  it('refuses the type code types, whose path is the list of types', async () => {
    expect(await problems({ gantry: { contributes: { itemTypes: ['types'] } } })).toEqual([
      expect.stringMatching(/^TYPE_CODE_RESERVED: .*"types"/),
    ]);
  });

  it('refuses the task queue with which the platform delivers changes', async () => {
    expect(await problems({ gantry: { contributes: { taskQueues: ['gantry-subscriptions'] } } })).toEqual([
      expect.stringMatching(/^TASK_QUEUE_RESERVED: .*"gantry-subscriptions"/),
    ]);
  });

  it.each([
    ['GET /api/recipes'],
    ['GET /api/*'],
    ['POST /livez'],
    ['GET /:anything'],
    ['GET /API/recipes'],
    ['GET /metrics/mine'],
  ])('refuses the route %s, a route of the platform', async (route) => {
    expect(await problems({ gantry: { contributes: { routes: [route] } } })).toEqual([
      expect.stringMatching(/^ROUTE_RESERVED/),
    ]);
  });

  it.each<[string, object, string]>([
    ['exports as text', { exports: './lib/a.js' }, './lib/a.js'],
    ['exports of "."', { exports: { '.': './lib/a.js', './b': './lib/b.js' } }, './lib/a.js'],
    [
      'exports by condition',
      { exports: { types: './a.d.ts', require: './lib/b.js', import: './lib/a.js' } },
      './lib/a.js',
    ],
    ['nested conditions', { exports: { '.': { node: { import: './lib/a.js' } } } }, './lib/a.js'],
    ['exports for require only', { exports: { '.': { require: './lib/a.js' } } }, './lib/a.js'],
    ['exports with alternatives', { exports: [{ browser: './x.js' }, './lib/a.js'] }, './lib/a.js'],
    ['exports before main', { exports: './lib/a.js', main: './lib/b.js' }, './lib/a.js'],
    ['main without extension', { main: 'lib/a' }, './lib/a.js'],
    ['main that is a folder', { main: './lib' }, './lib/index.js'],
    ['no main at all', { main: undefined }, './index.js'],
  ])('finds the entry file by %s', async (_what, json, expected) => {
    const files = { 'lib/a.js': '', 'lib/b.js': '', 'lib/index.js': '', 'index.js': '' };
    expect((await validation({ json, files })).manifest?.main).toBe(expected);
  });

  it.each<[string, object]>([
    ['does not exist', { main: './dist/index.js' }],
    ['is not exported', { exports: { './other': './index.js' } }],
    ['is for browsers only', { exports: { '.': { browser: './index.js' } } }],
    ['lies outside the package', { main: '../other/index.js' }],
    ['is a folder without index.js', { main: './lib' }],
  ])('refuses an entry file that %s', async (_what, json) => {
    expect(await problems({ json, files: { 'index.js': '', 'lib/a.js': '' } })).toEqual([
      expect.stringMatching(/^ENTRY_MISSING/),
    ]);
  });
});
