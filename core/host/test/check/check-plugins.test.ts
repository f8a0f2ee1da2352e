import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginCheckLine, PluginCheckReport } from '@gantry/contracts';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { checkPlugins } from '../../src/for-commands';
import { enablePlugin } from '@gantry/core-loader';
import { createPluginFolders, definitionOf, type PluginFolders } from '../../../../test/support/plugin-folders';

/** Code that blocks its thread without end. */
const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

// Each check is a separate process, and many tests may share the machine.
const project = join(__dirname, '../../../..');

describe('the check of a plugin', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  async function check(id: string, more: Parameters<typeof checkAll>[1] = {}): Promise<PluginCheckReport> {
    const [report] = await checkAll([id], more);
    if (report === undefined) throw new Error('There is no report');
    return report;
  }

  async function checkAll(
    ids: readonly string[],
    { databaseUrl, timeoutMs }: { readonly databaseUrl?: string; readonly timeoutMs?: number } = {},
  ): Promise<readonly PluginCheckReport[]> {
    const { reports } = await checkPlugins(
      {
        config: {
          ...folders.sources,
          host: '127.0.0.1',
          port: 0,
          logLevel: 'silent',
          bodyLimit: 1024,
          ...(databaseUrl === undefined ? {} : { databaseUrl }),
        } as Parameters<typeof checkPlugins>[0]['config'],
        environment: { PATH: process.env['PATH'] },
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
      ids,
    );
    return reports;
  }

  it('finds what is right and wrong with each of several, says what it did, and changes nothing', async () => {
    const pattern = `
      const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
      class Slow extends BaseItem {}
      Field({ displayName: 'Word', pattern: '[a-z]*[a-z]*[0-9]', maxLength: 100 })(Slow.prototype, 'word');
      ItemType({ displayName: 'Slow' })(Slow);
      module.exports = definePlugin({ id: 'slow', itemTypes: [Slow] });`;
    const route = definitionOf('more', "register(ctx) { ctx.router.route('GET', '/x', async () => ({})) }");
    const esm = { json: { type: 'module' } };
    await folders.add('recipes');
    await folders.add('cooks', { gantry: { systemScope: 'Counts the recipes of all cooks' } });
    await folders.add('slow', { gantry: { contributes: { itemTypes: ['slow'] } }, files: { 'index.js': pattern } });
    await folders.add('more', { files: { 'index.js': route } });
    await folders.add('copies', { json: { dependencies: { '@gantry/plugin-api': '^1.0.0' } } });
    await folders.add('throwing', { ...esm, files: { 'index.js': "throw new TypeError('no such thing')" } });
    await folders.add('seven', { ...esm, files: { 'index.js': 'export default 7' } });

    const [sound, scoped, slow, more, copies, ...broken] = await checkAll([
      ...['recipes', 'cooks', 'slow', 'more', 'copies'],
      ...['throwing', 'seven'],
    ]);

    expect(sound).toMatchObject({
      plugin: 'recipes',
      displayName: 'Sample recipes',
      version: '1.0.0',
      contentHash: expect.stringMatching(/^sha256-/) as string,
    });
    expect(sound?.lines.map(({ part, outcome }) => `${part} ${outcome}`)).toEqual([
      'package ok',
      'package ok',
      'manifest ok',
      'dependencies ok',
      'names ok',
      'integrity ok',
      'code ok',
      'code ok',
      'schema warning',
    ]);
    // Its routes may use all items.
    expect(scoped?.lines).toContainEqual({
      part: 'manifest',
      rule: 'manifest/system-scope',
      outcome: 'ok',
      message: expect.stringContaining('(gantry.systemScope): Counts the recipes of all cooks') as string,
    });
    // An installation would bring a copy, which would be refused.
    expect(copies?.lines).toContainEqual({
      part: 'package',
      rule: 'package/dependencies',
      outcome: 'warning',
      message: expect.stringContaining('@gantry/plugin-api') as string,
      remedy: expect.stringContaining('peerDependencies') as string,
    });
    // A pattern that is slow, and bounded by the length of its values.
    expect(slow?.lines).toContainEqual({
      part: 'code',
      rule: 'code/note',
      outcome: 'warning',
      message: expect.stringContaining('[a-z]*[a-z]*[0-9] of Slow.word') as string,
    });
    // A contribution that its manifest does not name.
    expect(more?.lines).toContainEqual(
      expect.objectContaining({ part: 'code', outcome: 'problem', code: 'CONTRIBUTION_MISMATCH' }) as object,
    );
    expect(broken.map(onlyProblem)).toEqual([
      refusal('LOAD_FAILED', /plugins\/throwing\/index\.js .*no such thing/, 'Fix the plugin'),
      refusal('NOT_A_PLUGIN', /of type number/),
    ]);
    expect(existsSync(join(folders.sources.home, 'plugins.json'))).toBe(false);
  });

  it('looks at those that are disabled as if they were enabled, together with those that they need', async () => {
    await folders.add('base');
    await folders.add('user', { gantry: { dependsOn: { base: '*' } } });
    await folders.write(
      'home/plugins.json',
      '{"formatVersion":1,"plugins":{"base":{"enabled":false},"user":{"enabled":false}}}',
    );
    const folder = await folders.add('recipes');
    await enablePlugin(folders.sources, 'recipes');
    await writeFile(join(folder, 'more.js'), '');

    expect((await check('user')).outcome).toBe('problem');
    const [user, base, recipes] = await checkAll(['user', 'base', 'recipes']);
    expect([user?.outcome, base?.outcome]).toEqual(['warning', 'warning']);
    // Its files are not those that were enabled.
    expect(recipes?.lines).toContainEqual({
      part: 'integrity',
      rule: 'integrity/changed',
      outcome: 'warning',
      message: expect.stringContaining('(version 1.0.0') as string,
      remedy: expect.stringContaining('gantry plugins enable recipes') as string,
    });
  });

  it.each([
    ['waits without end', 'await new Promise(() => {})', 'PLUGIN_HUNG', / from load /],
    // It sleeps: a loop would take the processor from the other tests.
    ['never gives the process back', `${sleep};`, 'PLUGIN_HUNG', / from load /],
    ['kills its process', 'process.reallyExit(3)', 'PLUGIN_CRASHED', / load: exit code 3/],
  ])('refuses one that %s, and is not harmed by it', async (_what, code, problem, message) => {
    await folders.add('wild', { json: { type: 'module' }, files: { 'index.js': code } });

    expect(onlyProblem(await check('wild', { timeoutMs: 4_000 }))).toEqual(refusal(problem, message));
  });

  it.each([
    ['its heap', 'const all = []; for (;;) all.push(Array(1e7).fill(all.length))'],
    ['buffers', 'globalThis.all = []; for (;;) all.push(Buffer.alloc(1e8, 1))'],
  ])('ends one that fills %s without end', async (_what, code) => {
    await folders.add('wild', { files: { 'index.js': code } });

    expect((await check('wild')).lines).toContainEqual(
      expect.objectContaining({ rule: 'code/check-memory-exceeded', code: 'CHECK_MEMORY_EXCEEDED' }) as object,
    );
  });

  it('leaves out another plugin that ends the process, as every start does', async () => {
    await folders.add('deadly', { files: { 'index.js': 'process.reallyExit(3)' } });
    await folders.add('recipes');

    expect((await check('recipes')).lines).toContainEqual(
      expect.objectContaining({ rule: 'code/registered', outcome: 'ok' }) as object,
    );
  });

  it('runs no code of one whose manifest is wrong or whose dependency is disabled, and names all that is', async () => {
    const trace = join(folders.root, 'trace');
    const writeTrace = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')`;
    await folders.add('base');
    await folders.write('home/plugins.json', '{"formatVersion":1,"plugins":{"base":{"enabled":false}}}');
    await folders.add('needy', {
      gantry: { dependsOn: { base: '^1.0.0', gone: '*' } },
      files: { 'index.js': writeTrace },
    });
    await folders.add('old', {
      json: { peerDependencies: { '@gantry/plugin-api': '^0.1.0' } },
      files: { 'index.js': writeTrace },
    });

    const reports = await checkAll(['needy', 'old']);

    expect(reports.map(({ lines }) => lines.flatMap(({ part, code }) => (code ? [`${part} ${code}`] : [])))).toEqual([
      ['dependencies DEPENDENCY_DISABLED', 'dependencies DEPENDENCY_MISSING'],
      ['manifest PLUGIN_API_INCOMPATIBLE'],
    ]);
    expect(existsSync(trace)).toBe(false);
  });

  it('refuses one that would take the names of a plugin in use', async () => {
    const contributes = { contributes: { itemTypes: ['recipe'] } };
    await folders.add('aaa', { gantry: contributes });
    await folders.add('zzz', { gantry: contributes });

    expect((await check('zzz')).lines).toContainEqual({
      part: 'names',
      rule: 'names/displaces-plugin',
      outcome: 'problem',
      code: 'DISPLACES_PLUGIN',
      message: expect.stringMatching(/ aaa: .*item type "recipe"/) as string,
      remedy: expect.stringMatching(/^Choose another name .*gantry plugins disable aaa$/) as string,
    });
  });

  it('names a plugin that would lose its names once, with those that need it', async () => {
    const contributes = { contributes: { itemTypes: ['recipe'] } };
    await folders.add('aaa', { gantry: contributes });
    await folders.add('bbb', { gantry: { dependsOn: { aaa: '*' } } });
    await folders.add('ccc', { gantry: { dependsOn: { bbb: '*' } } });
    await folders.add('zzz', { gantry: contributes });

    const displacing = (await check('zzz')).lines.filter(({ part }) => part === 'names');
    expect(displacing).toMatchObject([
      {
        code: 'DISPLACES_PLUGIN',
        message: expect.stringMatching(
          /^It would disable the plugin aaa, and bbb, ccc, which depend on it: Both zzz and aaa contribute the item type "recipe"/,
        ),
      },
    ]);
  });

  it('refuses an id that is not there', async () => {
    await expect(checkPlugins({ config: folders.sources as never, environment: {} }, ['none'])).rejects.toMatchObject({
      code: 'PLUGIN_UNKNOWN',
    });
  });

  describe('with a database', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
    });
    afterAll(() => database.drop());
    beforeEach(async () => {
      const [plugins = ''] = folders.sources.pluginPath;
      await symlink(join(project, 'plugins/catalog'), join(plugins, 'catalog'));
      await symlink(join(project, 'plugins/articles'), join(plugins, 'articles'));
      await symlink(join(project, 'test/samples/recipes'), join(plugins, 'recipes'));
    });

    it('reports the statements that would be run, and runs none of them', async () => {
      const { lines, outcome } = await check('recipes', { databaseUrl: database.url });

      const schema = lines.find(({ part }) => part === 'schema');
      expect(schema).toMatchObject({ outcome: 'ok', message: expect.stringMatching(/^\d+ statements would add/) });
      expect(schema?.details?.join('\n')).toMatch(/CREATE TABLE "recipes_recipe"/);
      expect(schema?.details?.join('\n')).not.toContain('"catalog_product"');
      expect(outcome).toBe('ok');
      expect(await tablesOf(database.url)).toEqual([]);
    });

    it('says which fields it adds to types of others, who has them, and with which statements', async () => {
      const [plugins = ''] = folders.sources.pluginPath;
      await symlink(join(project, 'test/samples/seo'), join(plugins, 'seo'));

      const { lines, outcome } = await check('seo', { databaseUrl: database.url });

      expect(outcome).toBe('ok');
      expect(lines.find(({ rule }) => rule === 'code/extra-fields')?.message).toMatch(/product\.title.* role public/);
      const statements = lines.find(({ part }) => part === 'schema')?.details?.join('\n');
      expect(statements).toMatch(/ALTER TABLE "catalog_product" ADD COLUMN "seo\$title"/);
    });

    it('does not fail for a database that is unavailable', async () => {
      const report = await check('recipes', { databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' });

      expect(report.lines).toContainEqual(
        expect.objectContaining({
          part: 'schema',
          rule: 'schema/unknown',
          outcome: 'warning',
          remedy: expect.stringContaining('PostgreSQL') as string,
        }) as object,
      );
    });
  });
});

/** The one problem of a plugin that is refused. */
function onlyProblem({ outcome, lines }: PluginCheckReport): PluginCheckLine | undefined {
  const problems = lines.filter((line) => line.outcome === 'problem');
  expect([outcome, problems.length]).toEqual(['problem', 1]);
  return problems[0];
}

function refusal(code: string, message: RegExp, remedy: unknown = expect.any(String)): PluginCheckLine {
  return {
    part: 'code',
    rule: `code/${code.toLowerCase().replaceAll('_', '-')}`,
    outcome: 'problem',
    code,
    message: expect.stringMatching(message) as string,
    remedy: remedy as string,
  };
}

/** All tables that there are, temporary ones too. */
async function tablesOf(databaseUrl: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const sql = `SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    return (await client.query<{ tablename: string }>(sql)).rows.map(({ tablename }) => tablename);
  } finally {
    await client.end();
  }
}
