import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { root, run } from './run.mjs';
import { readStamp, workLock, writeStamp } from './stamp.mjs';

const stamp = 'installed';

/** Installs the locked packages unless they are there already; with them there, no network is needed. */
export async function ensureInstalled() {
  assertNodeVersion();
  if (isInstalled()) return;
  await withLock(workLock, install, (pid) =>
    console.log(`Waiting for process ${pid}, which is installing or building here ...`),
  );
}

async function install() {
  // Another process may have done it in the meantime.
  if (isInstalled()) return;
  const missing = missingPackages();
  if (missing.length > 0) {
    console.log(`Installing ${missing.length} packages (npm ci) ...`);
    // No package here needs its install script, and npm 11 would skip them anyway.
    const code = await runNpm([
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
    ]);
    if (code !== 0) {
      throw new Error(
        `npm ci failed (exit code ${code}). The first start needs the npm registry: check the network and the messages above, then start again.`,
      );
    }
  }
  writeStamp(stamp, wanted());
}

function isInstalled() {
  return readStamp(stamp) === wanted();
}

/** What node_modules has to match: the lock file, on this kind of machine. */
function wanted() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}`;
}

function assertNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(
    `Gantry needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a newer one (https://nodejs.org) and start again.`,
  );
}

/** Names of packages in package-lock.json that npm's record of node_modules lacks or has in another version. */
function missingPackages() {
  const locked = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(locked)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.extraneous && fitsHere(entry))
    .filter(([path, entry]) => installed[path] === undefined || installed[path].version !== entry.version)
    .map(([path]) => path);
}

/** Optional packages count only when they are meant for this machine; what cannot be distinguished (libc) is ignored. */
function fitsHere(entry) {
  if (!entry.optional && !entry.devOptional) return true;
  if (entry.os === undefined || entry.cpu === undefined || entry.libc !== undefined) return false;
  return entry.os.includes(process.platform) && entry.cpu.includes(process.arch);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/** The npm that runs this script, else the one on PATH. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return run(process.execPath, [npm, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}
