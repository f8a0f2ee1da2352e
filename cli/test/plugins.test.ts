import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginCheckReport, PluginReport } from '@gantry/contracts';
import { Client } from 'pg';
import { eventually } from '../../test/support/eventually';
import { openBench, type Bench } from './support/gantry';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench([
    'plugins/catalog',
    'plugins/articles',
    'test/samples/recipes',
    'test/samples/broken/missing-dependency',
    'test/e2e/sign-in/fixtures/desk',
  ]);
});
afterAll(() => bench.close());

/** The copy of the set of the database, which no command has made yet. */
const stateFile = (): { readonly plugins: object } => {
  const file = join(bench.home, 'plugin-set.json');
  if (!existsSync(file)) return { plugins: {} };
  return JSON.parse(readFileSync(file, 'utf8')) as { readonly plugins: object };
};

describe('gantry plugins', () => {
  it('lists what the next start finds, with the reason and remedy of what is wrong', async () => {
    const { code, stdout, stderr } = await bench.gantry(['plugins', 'list']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ID +VERSION +STATE +PROVIDES\n/);
    expect(stdout).toMatch(/\ncatalog +\S+ +enabled +catalog, category, product, promotion\n/);
    expect(stdout).toMatch(/\ndesk +\S+ +enabled +journal, note, 16 routes, system scope\n/);
    expect(stdout).toMatch(/\nmissing-dependency: .+\n {2}.+/);
    expect(stderr).toMatch(/^No platform runs on .+\n$/);
  });

  it('gives the same to programs', async () => {
    const plugins = (await bench.json(['plugins', 'list'])) as readonly PluginReport[];

    expect(plugins.map(({ id, state }) => [id, state])).toEqual([
      ['articles', 'stopped'],
      ['catalog', 'stopped'],
      ['desk', 'stopped'],
      ['missing-dependency', 'blocked'],
      ['recipes', 'stopped'],
    ]);
  });

  it('shows all of one plugin, and suggests an id that is there', async () => {
    const [shown, unknown] = await Promise.all([
      bench.gantry(['plugins', 'info', 'recipes']),
      bench.gantry(['plugins', 'info', 'recipe']),
    ]);

    expect(shown.stdout).toMatch(/^Recipes \(recipes\)\nPackage +@acme\/gantry-plugin-recipes 1\.2\.0\n/);
    expect(shown.stdout).toMatch(/\nDepends on +articles >=0\.1\.0\n/);
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^gantry: .* recipe\.\n {2}.* recipes\?\n$/) as string,
    });
  });

  it('shows why the routes of a plugin may use all items', async () => {
    const { stdout } = await bench.gantry(['plugins', 'info', 'desk']);

    expect(stdout).toMatch(/\nSystem scope +Counts the notes of all users\n/);
  });

  it('disables from the next start on, but not what others need, and enables again', async () => {
    const needed = await bench.gantry(['plugins', 'disable', 'articles']);
    expect(needed.code).toBe(1);
    expect(needed.stderr).toContain('recipes depends on it');

    const disabled = await bench.gantry(['plugins', 'disable', 'recipes']);
    expect(disabled).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Recipes \(recipes\) is disabled .*\n$/) as string,
      stderr: '',
    });
    expect(stateFile().plugins).toEqual({ recipes: { enabled: false } });

    const enabled = await bench.gantry(['plugins', 'enable', 'recipes']);
    expect(enabled.stdout).toMatch(/^Recipes \(recipes\) is enabled .* 1\.2\.0\.\n$/);
    expect(stateFile().plugins).toMatchObject({ recipes: { enabled: true, version: '1.2.0' } });

    const unpin = ['plugins', 'unpin', 'recipes'];
    expect((await bench.gantry(unpin)).stdout).toBe('recipes runs from its folder at the next start.\n');
    await bench.gantry(['plugins', 'list']);
    expect(stateFile().plugins).toEqual({});
    expect((await bench.gantry(unpin)).stdout).toBe('recipes runs from its folder already.\n');
  });
});

describe('gantry plugins check', () => {
  it('proves plugins safe without changing anything, and reports what was looked at', async () => {
    const before = stateFile();
    const { code, stdout } = await bench.gantry(['plugins', 'check', 'articles', 'recipes']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Articles \(articles\) \S+: it can be enabled\n/);
    expect(stdout).toMatch(/\nRecipes \(recipes\) 1\.2\.0: it can be enabled\n/);
    expect(stdout).toMatch(/\n {2}ok {6}integrity\/pin +sha256-\S+; .+\n/);
    expect(stdout).toMatch(/\n {2}ok {6}schema\/additions +\d+ statements would add .+\n {35}CREATE TABLE /);
    expect(stateFile()).toEqual(before);
  });

  it('ends with 1 when a plugin cannot be enabled, and says to programs why', async () => {
    const path = bench.folderOf('plugins/articles', 'test/samples/broken/missing-dependency');
    const environment = { GANTRY_PLUGIN_PATH: path };
    const { code, stdout } = await bench.gantry(['plugins', 'check', '--json'], { environment });

    const reports = (JSON.parse(stdout) as { readonly data: readonly PluginCheckReport[] }).data;
    expect(code).toBe(1);
    expect(reports.map(({ plugin, outcome }) => [plugin, outcome])).toEqual([
      ['articles', 'ok'],
      ['missing-dependency', 'problem'],
    ]);
    expect(reports[1]?.lines).toContainEqual(
      expect.objectContaining({ part: 'dependencies', code: 'DEPENDENCY_MISSING' }) as object,
    );
  });

  it('continues without a database, and says so', async () => {
    const { code, stdout } = await bench.gantry(['plugins', 'check', 'recipes'], {
      environment: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    });

    expect(code).toBe(0);
    expect(stdout).toContain('read the warnings');
    expect(stdout).toMatch(/warning schema\/unknown +\S/);
  });

  it('takes a folder that the platform does not find, and runs its tests', async () => {
    const before = stateFile();
    const folder = join(bench.home, '../courses');
    mkdirSync(folder);
    const json = {
      ...{ name: 'courses', version: '1.0.0', main: 'index.js', scripts: { test: 'node index.test.js' } },
      peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
      gantry: { manifestVersion: 1, id: 'courses', displayName: 'Courses', dependsOn: { articles: '*' } },
    };
    bench.file('courses/package.json', JSON.stringify(json));
    bench.file(
      'courses/index.js',
      "module.exports = require('@gantry/plugin-api').definePlugin({ id: 'courses', itemTypes: [] });",
    );
    bench.file('courses/index.test.js', "throw new Error('No course yet \\u001b[2J')");

    const checked = await bench.gantry(['plugins', 'check', folder, '--tests']);

    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(/\n {2}ok {6}dependencies\/enabled +.* articles \*, .*enabled\n/);
    expect(checked.stdout).toMatch(/\n {2}problem code\/tests-failed +.*: exit code 1\n/);
    expect(checked.stdout).toContain('Error: No course yet');
    expect(checked.stdout).not.toContain('\u001b');
    expect(stateFile()).toEqual(before);
  });

  it('says what a word may be that is no id', async () => {
    expect(await bench.gantry(['plugins', 'check', 'recipse'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^gantry: .* recipse; .+\n {2}.*\(\.\/recipse\), .*\(recipse@latest\)\n$/,
      ) as string,
    });
  });

  it('keeps a plugin with a problem from being enabled', async () => {
    const before = stateFile();
    const { code, stdout, stderr } = await bench.gantry(['plugins', 'enable', 'missing-dependency']);

    expect(code).toBe(1);
    expect(stdout).toContain('it cannot be enabled');
    expect(stderr).toMatch(/^gantry: .+ \(missing-dependency\) was not enabled\.\n$/);
    expect(stateFile()).toEqual(before);
  });
});

describe('gantry types', () => {
  it('lists the types without a database, and says what is not in use', async () => {
    const { code, stdout, stderr } = await bench.gantry(['types', 'list'], {
      environment: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    });

    expect(code).toBe(0);
    expect(stdout).toMatch(/\nrecipe +Recipe +recipes\n/);
    expect(stderr).toMatch(/^The plugin missing-dependency .+\n$/);
  });

  it('shows the fields of a type, for people and for programs', async () => {
    const [text, data] = await Promise.all([
      bench.gantry(['types', 'show', 'product']),
      bench.json(['types', 'show', 'product']),
    ]);

    expect(text.stdout).toMatch(/\ncatalog +REFERENCE to catalog\.Catalog +required, set on create only +Catalog\n/);
    expect(text.stdout).toMatch(/\nprice +NUMBER \(decimal\) +searchable +Price\n/);
    expect(data).toMatchObject({ code: 'product', displayName: 'Product', readOnly: false });
  });

  it('suggests a type, and finds nothing where there are no plugins', async () => {
    const [near, none] = await Promise.all([
      bench.gantry(['types', 'show', 'prodct']),
      bench.gantry(['types', 'show', 'product'], {
        environment: { GANTRY_PLUGIN_PATH: '/nowhere', GANTRY_PROJECT: bench.home },
      }),
    ]);

    expect(near.stderr).toMatch(/^gantry: .* prodct\.\n {2}.* product\?\n$/m);
    expect(none.stderr).toMatch(/^gantry: .* product: .* \/nowhere\.\n {2}.* GANTRY_PROJECT\.\n$/);
    expect([near.code, none.code]).toEqual([1, 1]);
  });
});

describe('gantry openapi', () => {
  it('prints the document of what the next start serves', async () => {
    const { code, stdout } = await bench.process(['openapi']);
    const document = JSON.parse(stdout) as { readonly openapi: string; readonly paths: object };

    expect(code).toBe(0);
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/api/cms/items/recipe', '/recipes/quickest']));
  });

  it('writes it to a file', async () => {
    const file = join(bench.home, '..', 'openapi.json');
    const { stdout } = await bench.gantry(['openapi', '--out', file]);

    expect(stdout).toContain(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('openapi');
  });
});

describe('gantry plugins purge', () => {
  it('refuses a plugin that is in use, also one that cannot start, and a platform elsewhere', async () => {
    const [enabled, blocked, remote, unknown] = await Promise.all([
      bench.gantry(['plugins', 'purge', 'desk', '--yes']),
      bench.gantry(['plugins', 'purge', 'missing-dependency', '--yes']),
      bench.gantry(['plugins', 'purge', 'desk', '--yes', '--url', 'http://127.0.0.1:1']),
      bench.gantry(['plugins', 'purge', 'boats', '--yes']),
    ]);

    expect(enabled).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^gantry: .* desk is in use \(stopped\); .*\n {2}.*gantry plugins disable desk\n$/,
      ) as string,
    });
    expect(blocked.stderr).toContain('missing-dependency is in use (blocked)');
    expect(remote.code).not.toBe(0);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('has no data of a plugin boats') });
  });
});

describe('gantry plugins purge of a plugin that is disabled', () => {
  const otherSessions = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;

  beforeAll(async () => {
    await bench.gantry(['migrate', 'up']);
    await bench.gantry(['plugins', 'disable', 'desk']);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'has deleted nothing when it ends by %s in the middle',
    async (interruptBy) => {
      const client = new Client({ connectionString: bench.database.url });
      await client.connect();
      // Record that a purge deletes near the end, after the tables.
      await client.query('BEGIN; SELECT FROM gantry_plugin_schema FOR UPDATE');
      const words = ['plugins', 'purge', 'desk', '--yes', '--no-export'];
      const { code, stderr } = await bench.process(words, {
        interruptAfter: () => bench.untilLockAwaited(),
        interruptBy,
      });
      await client.query('ROLLBACK');
      // PostgreSQL notices only now that the process has ended; its session must not be taken for that of the next one.
      await eventually(async () => (await client.query(otherSessions)).rowCount === 0);

      const reason = { SIGKILL: '', SIGINT: expect.stringMatching(/^gantry: Interrupted\. Nothing .+\n$/) }[
        interruptBy
      ];
      expect([code, stderr]).toEqual([{ SIGKILL: null, SIGINT: 130 }[interruptBy], reason]);
      const { rows } = await client.query("SELECT count(*)::int AS tables FROM pg_class WHERE relname = 'desk_note'");
      expect(rows).toEqual([{ tables: 1 }]);
      await client.end();
    },
  );

  it('lists what there is, asks, saves the rows and deletes them once', async () => {
    const unconfirmed = await bench.gantry(['plugins', 'purge', 'desk']);
    expect(unconfirmed.stdout).toMatch(/TABLE +ROWS +IMAGES\n/);
    expect(unconfirmed.stdout).toMatch(/\ndesk_note +0 +0\n/);
    expect(unconfirmed.stderr).toContain('Purging desk needs a confirmation');

    const file = join(bench.home, 'desk.jsonl');
    writeFileSync(file, 'rows of another plugin');
    const refused = await bench.gantry(['plugins', 'purge', 'desk', '--yes', '--out', file]);
    expect([refused.code, refused.stderr, readFileSync(file, 'utf8')]).toEqual([
      1,
      expect.stringMatching(/desk\.jsonl exists already\. .+\n {2}.*--out/),
      'rows of another plugin',
    ]);
    rmSync(file);
    const { code, stdout, stderr } = await bench.gantry(['plugins', 'purge', 'desk', '--yes', '--out', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nPurged desk: \d+ tables, 0 rows\. .+desk\.jsonl\.\n$/);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect((await bench.gantry(['plugins', 'purge', 'desk', '--yes'])).stderr).toContain(
      'has no data of a plugin desk',
    );
  });
});

describe('gantry plugins disable --dependents', () => {
  it('disables a plugin with all that need it', async () => {
    const { stdout } = await bench.gantry(['plugins', 'disable', 'articles', '--dependents']);

    expect(stdout).toMatch(/^Articles \(articles\) is disabled .+\n$/);
    expect(stateFile().plugins).toMatchObject({ articles: { enabled: false }, recipes: { enabled: false } });
  });
});
