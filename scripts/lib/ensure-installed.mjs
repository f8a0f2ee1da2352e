import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assertSpace } from './disk-space.mjs';
import { withLock } from './lock.mjs';
import { assertMachine, isFor, readMachine } from './machine.mjs';
import { withProgress } from './progress.mjs';
import { root, run } from './run.mjs';
import { readStamp, removeStamp, workLock, writeStamp } from './stamp.mjs';
import { startOfProcess } from './start-of-process.mjs';

/** The record of an installation in node_modules; npm writes it last. */
const recordFile = join(root, 'node_modules/.package-lock.json');

/** Which packages are there: of which lock file, for which kind of machine. */
const installed = 'installed';

/** There from before npm changes something until it has succeeded: its process, and the folders that it changes. */
const installing = 'installing';

/**
 * Installs the locked packages unless they are there already; with them there, no network is needed. Packages that are there
 * stay, also under a platform that runs.
 * @param options `withTools`: whether the tools of tests and checks are needed, too, which are the development dependencies
 */
export async function ensureInstalled({ withTools = false } = {}) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const machine = readMachine();
  if (isInstalled(lock, machine, withTools)) return;
  const { packages } = JSON.parse(lock);
  assertMachine(packages);
  const action = async () => {
    // Another process may have done it in the meantime.
    if (isInstalled(lock, machine, withTools)) return;
    const tools = withTools || hasTools();
    await install(wantedPackages(packages, machine, tools), tools);
    writeStamp(installed, stampOf(lock, machine, tools));
  };
  await withLock(workLock, action, (pid) =>
    console.log(`Waiting for process ${pid}, which is installing or building here ...`),
  );
}

function isInstalled(lock, machine, withTools) {
  const stamp = readStamp(installed);
  return stamp === stampOf(lock, machine, true) || (!withTools && stamp === stampOf(lock, machine, false));
}

/** The time of npm's record is part of it: npm may have been called by hand since. */
function stampOf(lock, { os, cpu, libc }, withTools) {
  const sum = createHash('sha256').update(lock).digest('hex');
  return `${sum} ${os} ${cpu} ${libc} ${withTools ? 'all' : 'without tools'} ${changeOf(recordFile)}`;
}

/** Whether tools are there already, which an installation without them would remove. */
function hasTools() {
  return Object.values(readPackages(recordFile)).some(({ dev }) => dev === true);
}

/** The packages of the lock file that are to be there, by their folders. */
function wantedPackages(packages, machine, withTools) {
  const isWanted = ([path, entry]) =>
    path.includes('node_modules/') && !entry.extraneous && (withTools || !entry.dev) && isExpected(entry, machine);
  return new Map(Object.entries(packages).filter(isWanted));
}

/** Optional packages count only when they are meant for single systems, of which this machine is one. */
function isExpected(entry, machine) {
  if (!entry.optional && !entry.devOptional) return true;
  return entry.os !== undefined && entry.cpu !== undefined && isFor(entry, machine);
}

async function install(wanted, withTools) {
  const unfinished = await findUnfinished();
  const record = readPackages(recordFile);
  const missing = missingOf(wanted, record).concat(unfinished.filter((path) => wanted.has(path)));
  if (missing.length === 0 && unfinished.length === 0) return;
  assertSpace(missing.length);
  // npm takes a folder for complete when it finds the package.json in it, and believes its record, which may be wrong.
  const doubtful = missing.filter((path) => record[path]?.version !== versionOf(path));
  for (const folder of [...unfinished, ...doubtful]) {
    rmSync(join(root, folder), { recursive: true, force: true, maxRetries: 3 });
  }
  removeStamp(installed);
  const obsolete = Object.keys(record).filter((path) => path.includes('node_modules/') && !wanted.has(path));
  await runNpm([...new Set(missing)], obsolete, withTools);
  assertLocked(wanted);
  removeStamp(installing);
}

/**
 * Folders of packages that npm's record lacks or has in another version, or that have another one in fact: after
 * `npm install --package-lock-only`, the record names what was not installed.
 */
function missingOf(wanted, record) {
  const isThere = ([path, { version }]) =>
    record[path] !== undefined && record[path].version === version && versionOf(path) === version;
  return [...wanted].filter((one) => !isThere(one)).map(([path]) => path);
}

/** The version of the package in a folder; undefined for none, and for a link to a package of this repository. */
function versionOf(path) {
  const folder = join(root, path);
  try {
    if (lstatSync(folder).isSymbolicLink()) return undefined;
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

/** Folders in which an installation that was killed or failed may have left half a package. */
async function findUnfinished() {
  const mark = JSON.parse(readStamp(installing) ?? 'null');
  if (mark === null) return [];
  await waitForEnd(mark);
  return changeOf(recordFile) === mark.record ? mark.paths : [];
}

/** The npm of a script that was killed may still run. */
async function waitForEnd({ pid, startedAt }) {
  const isRunning = () => pid !== undefined && startOfProcess(pid) === startedAt;
  if (isRunning()) console.log(`Waiting for npm (process ${pid}), which is installing here ...`);
  while (isRunning()) await delay(200);
}

/** Installs packages into the folders `missing`; npm removes what is obsolete. */
async function runNpm(missing, obsolete, withTools) {
  const paths = [...missing, ...obsolete];
  const note = (npm) => writeStamp(installing, JSON.stringify({ ...npm, record: changeOf(recordFile), paths }));
  note({});
  const words = [
    ...['install', '--no-save', ...(withTools ? ['--include=dev'] : ['--omit=dev']), '--include=optional'],
    // No package here needs its install script, and npm 11 would skip them anyway.
    ...['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--no-progress', '--loglevel=error'],
  ];
  const onStart = ({ pid }) => note({ pid, startedAt: startOfProcess(pid) });
  const count = () => missing.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  console.log(`Installing ${missing.length} packages (npm install) ...`);
  const code = await withProgress(
    (seconds) => `Installing: ${count()} of ${missing.length} packages after ${seconds} s`,
    () => startNpm(words, { onStart }),
  );
  if (code === 0) return;
  throw new Error(
    `npm install failed (exit code ${code}). Packages come from the npm registry: check the network and the messages above, then start again.`,
  );
}

/** The npm that runs this script, else the one on PATH. */
function startNpm(words, options) {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return run(process.execPath, [npm, ...words], options);
  return run('npm', words, { ...options, shell: process.platform === 'win32' });
}

/** @throws Error when npm chose versions itself, as it does when package.json asks for others than the lock file */
function assertLocked(wanted) {
  const others = missingOf(wanted, readPackages(recordFile)).filter((path) => {
    const { optional, devOptional } = wanted.get(path);
    return !optional && !devOptional;
  });
  if (others.length === 0) return;
  throw new Error(
    `npm did not install what package-lock.json names: ${others.join(', ')}. Make package.json and package-lock.json agree (git restore, or npm install), then start again.`,
  );
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

function changeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
