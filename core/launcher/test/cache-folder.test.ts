import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolders } from '../src/common/cache-folder';

const project = join(__dirname, '..', '..', '..');
const own = join(project, '.gantry', 'cache');
const isRoot = process.getuid?.() === 0;

describe('the folder for programs that are obtained', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-cache-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const cases: readonly (readonly [string, (base: string) => Record<string, string>, (base: string) => string])[] = [
    [
      'is the one that GANTRY_CACHE names',
      (base) => ({ GANTRY_CACHE: `${base}/a/b`, HOME: base }),
      (base) => `${base}/a/b`,
    ],
    ['is below XDG_CACHE_HOME', (base) => ({ XDG_CACHE_HOME: base, HOME: '/nowhere' }), (base) => `${base}/gantry`],
    [
      'is not below a relative XDG_CACHE_HOME',
      (base) => ({ XDG_CACHE_HOME: 'x', HOME: base }),
      (base) => `${base}/.cache/gantry`,
    ],
    ['is below the home directory', (base) => ({ HOME: base }), (base) => `${base}/.cache/gantry`],
    ['is in the project where a file is in the way', (base) => ({ HOME: `${base}/file` }), () => own],
    ['is in the project where GANTRY_CACHE cannot be made', (base) => ({ GANTRY_CACHE: `${base}/file/x` }), () => own],
    ['is in the project where the home directory is no folder', () => ({ HOME: '/dev/null' }), () => own],
  ];

  it.each(cases)('%s, for the launcher and for scripts alike', (_name, environment, expected) => {
    writeFileSync(join(folder, 'file'), '');
    const given = environment(folder);

    expect(cacheFolders(given, join(project, '.gantry'))[0]).toBe(expected(folder));
    expect(ofScripts(given)).toBe(expected(folder));
  });

  it('is in the project where the rights of a folder above it refuse it', () => {
    mkdirSync(join(folder, 'closed'), { mode: 0o555 });
    const given = { GANTRY_CACHE: join(folder, 'closed', 'cache') };
    const prefix = isRoot ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : [];
    const script = `
      const { cacheFolder } = require(${JSON.stringify(join(project, 'core/launcher/dist/common/cache-folder.js'))});
      console.log(cacheFolder(process.env, '/srv/shop/.gantry'));`;

    expect(run([...prefix, process.execPath, '-e', script], given)).toBe('/srv/shop/.gantry/cache');
    expect(ofScripts(given, prefix)).toBe(own);
  });

  it('is looked at even where it cannot be written', () => {
    const given = { GANTRY_CACHE: '/dev/null/gantry' };

    expect(cacheFolders(given, '/srv/shop/.gantry')).toEqual(['/srv/shop/.gantry/cache', '/dev/null/gantry']);
  });
});

function ofScripts(environment: Readonly<Record<string, string>>, prefix: readonly string[] = []): string {
  const script = `
    import { cacheFolder } from ${JSON.stringify(pathToFileURL(join(project, 'scripts/lib/cache-folder.mjs')).href)};
    console.log(cacheFolder(process.env));`;
  return run([...prefix, process.execPath, '--input-type=module', '-e', script], environment);
}

/** Reads the line that a command prints. */
function run([program = '', ...args]: readonly string[], environment: Readonly<Record<string, string>>): string {
  const env = { PATH: process.env['PATH'], ...environment };
  return execFileSync(program, args, { cwd: '/', env, encoding: 'utf8' }).trim();
}
