/**
 * One embedded PostgreSQL and one folder for what test files share (GANTRY_TEST_FOLDER), in a separate home. The address of the
 * server is in GANTRY_TEST_DATABASE_URL; tests make separate databases on it (test/support). Set the variable yourself to use
 * another server.
 */
const { execFileSync } = require('node:child_process');
const { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync } = require('node:fs');
const { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statfsSync, statSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { delimiter, join } = require('node:path');

const PREFIX = 'gantry-test-run-';
const project = join(__dirname, '..', '..');

/**
 * The file system in memory that Linux has. A new database is some 300 files; on disk they take ten times the processor time,
 * all of it in the kernel.
 */
const memory = '/dev/shm';
const neededForDatabase = 4 * 1024 ** 3;
const neededForAll = 8 * 1024 ** 3;

module.exports = async function setUp() {
  // Node.js reads the certificates of this file at every start, which takes two thirds of the processor time of a small command.
  // Tests reach nothing outside of this machine.
  delete process.env.NODE_EXTRA_CA_CERTS;
  process.env.PATH = [process.env.PATH, join(__dirname, 'programs')].join(delimiter);
  removeHomesOfKilledRuns();
  const home = mkdtempSync(join(hasRoom(memory, neededForDatabase) ? memory : tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(home, 0o755);
  process.env.GANTRY_TEST_FOLDER = makeFolder(join(home, 'shared'));
  // Homes of platforms and profiles of browsers are in memory, too: a third of the processor time of a launcher's tests.
  if (hasRoom(memory, neededForAll)) process.env.TMPDIR = makeFolder(join(home, 'tmp'));
  // Ctrl-C ends jest without its teardown.
  const atExit = () => endAndRemove(home);
  process.once('exit', atExit);
  const postgres = process.env.GANTRY_TEST_DATABASE_URL ? undefined : await startDatabase(home);
  globalThis.__gantryTestRun = {
    stop: async () => {
      process.off('exit', atExit);
      await postgres?.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** For processes of every user: some tests start those of others. */
function makeFolder(path) {
  mkdirSync(path);
  chmodSync(path, 0o1777);
  return path;
}

async function startDatabase(home) {
  // Data need not outlive a power cut.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    // The log stays small enough for a file system in memory.
    max_wal_size: '256MB',
    // PostgreSQL goes through all of them when it creates or drops a database, and when it drops a table.
    shared_buffers: '64MB',
  };
  const postgres = await loadLauncher().startPostgres({ home, settings });
  process.env.GANTRY_TEST_DATABASE_URL = postgres.url;
  // It ends with the run, and so do the templates on it (content-template.ts).
  process.env.GANTRY_TEST_TEMPLATES = 'yes';
  return postgres;
}

/** The build of the launcher; made first when there is none (`npm test` builds everything by itself). */
function loadLauncher() {
  const entry = join(project, 'core/launcher/dist/postgres/start-postgres.js');
  if (!existsSync(entry)) {
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', join(project, 'core/launcher')], { stdio: 'inherit' });
  }
  return require(entry);
}

function hasRoom(folder, neededBytes) {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

function removeHomesOfKilledRuns() {
  for (const folder of [tmpdir(), memory].filter(existsSync)) {
    for (const name of readdirSync(folder)) {
      const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : undefined;
      if (pid !== undefined && !isAlive(pid) && isOwn(join(folder, name))) endAndRemove(join(folder, name));
    }
  }
}

/** Files of another user's run are for that user to remove. */
function isOwn(path) {
  return process.getuid === undefined || statSync(path, { throwIfNoEntry: false })?.uid === process.getuid();
}

function endAndRemove(home) {
  try {
    const folder = join(home, 'postgres/data');
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (serves(pid, folder)) process.kill(pid, 'SIGQUIT');
  } catch {
    // No server was left.
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Another process may have the number since. Every process of a server works inside its data folder. */
function serves(pid, folder) {
  if (process.platform !== 'linux') return pid > 1;
  return pid > 1 && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
