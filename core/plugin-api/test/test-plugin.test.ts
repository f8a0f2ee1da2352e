import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPlugin, type CheckResult } from '../src/testing';

describe('testPlugin', () => {
  let scratch: string;
  let gantry: string;

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'gantry-test-plugin-'));
    gantry = join(scratch, 'gantry.js');
    writeFileSync(gantry, "console.error('The data folder is broken.'); process.exit(1);");
  });

  afterEach(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  test('names everything that is wrong with a package before it starts anything', async () => {
    const folder = packageFolder({
      name: 'x',
      gantry: { manifestVersion: 2, id: 'Bad Id' },
      main: './missing.js',
      dependencies: { sequelize: '6' },
    });

    const results = await testPlugin(folder, { gantry });

    expect(failuresOf(results)).toMatchObject({
      'has name and version': expect.stringContaining('no semantic version'),
      'has a manifest of version 1': expect.stringMatching(/^gantry.manifestVersion must be 1/),
      'has an id that can be used in names of tables and in log lines': expect.stringContaining('"Bad Id"'),
      'has the keyword gantry-plugin': expect.any(String),
      'has the plugin API as a peer dependency, with the range it was built for': expect.any(String),
      'contains no copy of a package that the platform provides': expect.stringContaining('sequelize'),
      'has been built': expect.stringContaining('./missing.js'),
    });
  });

  test('says so when there is no package at all', async () => {
    const results = await testPlugin(join(scratch, 'nothing'), { gantry });

    expect(failuresOf(results)['has a package.json that can be read']).toContain('ENOENT');
  });

  test('shows the last words of a platform that does not start', async () => {
    const results = await testPlugin(packageFolder({ name: 'x', version: '1.0.0' }), { gantry });

    expect(failuresOf(results)['is started by the platform without a problem']).toContain('The data folder is broken.');
  });

  test('says what to install when the command of the platform is not there', async () => {
    const results = await testPlugin(packageFolder({ name: 'x', version: '1.0.0' }), { project: scratch });

    expect(failuresOf(results)['is started by the platform without a problem']).toContain(
      '@gantry/cli is not installed',
    );
  });

  test('leaves out what needs the plugin when the platform does not start it, and uses the project of the platform', async () => {
    const folder = packageFolder({ name: 'x', version: '1.0.0', gantry: { contributes: { itemTypes: ['boat'] } } });
    writeFileSync(gantry, 'console.error(process.cwd()); process.exit(1);');
    const cwd = process.cwd();
    process.chdir(scratch);
    try {
      const results = await testPlugin(folder, { gantry });
      expect(results.map(({ name }) => name).slice(-2)).toEqual([
        'is started by the platform without a problem',
        'the platform stops cleanly',
      ]);
      expect(failuresOf(results)['is started by the platform without a problem']).toContain(
        join(__dirname, '../../..'),
      );
    } finally {
      process.chdir(cwd);
    }
  });

  test('gives the platform no database and no Temporal of the project, which its file .env names', async () => {
    writeFileSync(
      join(scratch, '.env'),
      'DATABASE_URL=postgres://db.example.com/real\nTEMPORAL_ADDRESS=temporal.example.com:7233\nGANTRY_ONLY=order\nMAPS_KEY=x\n',
    );
    writeFileSync(
      gantry,
      'const { DATABASE_URL, TEMPORAL_ADDRESS, GANTRY_ONLY, MAPS_KEY = "of the file" } = process.env;' +
        'console.error(JSON.stringify([DATABASE_URL, TEMPORAL_ADDRESS, GANTRY_ONLY, MAPS_KEY])); process.exit(1);',
    );

    const results = await testPlugin(packageFolder({ name: 'x', version: '1.0.0' }), { gantry, project: scratch });

    const name = 'is started by the platform without a problem';
    expect(failuresOf(results)[name]).toContain('["","","","of the file"]');
  });

  function packageFolder(json: object): string {
    const folder = join(scratch, 'plugin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(json));
    return folder;
  }
});

function failuresOf(results: readonly CheckResult[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    results.flatMap((result) => (result.outcome === 'failed' ? [[result.name, result.reason]] : [])),
  );
}
