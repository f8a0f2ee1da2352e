import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

/** Installs the locked packages unless they are there already; with them there, no network is needed. */
export async function ensureInstalled() {
  assertNodeVersion();
  const missing = missingPackages();
  if (missing.length === 0) return;
  console.log(`Installing ${missing.length} packages (npm ci) ...`);
  const code = await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) throw new Error(`npm ci failed (exit code ${code}). It needs the network the first time.`);
}

function assertNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Gantry needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
}

/** Names of packages in package-lock.json that npm's record of node_modules lacks or has in another version. */
function missingPackages() {
  const locked = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(locked)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.extraneous)
    .filter(([path, entry]) => installed[path] === undefined || installed[path].version !== entry.version)
    .map(([path]) => path);
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
