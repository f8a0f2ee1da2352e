/**
 * The two commands of the README on a machine that has Node.js and nothing else: `npm start` becomes ready with Temporal, and an
 * order that is placed over HTTP is delivered; `npm test` passes. Needs Linux, root, and debootstrap. GANTRY_PROOF_TESTS has
 * arguments for `npm test`, for a trial of the proof; `none` leaves it out.
 */
import { once } from 'node:events';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createBareRoot, obstacleToBareRoot } from '../../scripts/lib/bare-root.mjs';
import { root as repository } from '../../scripts/lib/run.mjs';
import { driveOrder } from './support/order-clients.mjs';

/** Half an hour: no part of .ci/run. */
export const sizes = { full: {} };
export const obstacle = obstacleToBareRoot;

const readyTimeoutMs = 900_000;
const temporalTimeoutMs = 600_000;
const orderId = 'fresh-1-delivered';

export default async function prove({ log }) {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-fresh-machine-'));
  try {
    const machine = await timed(log, 'bare root file system', () => createBareRoot(join(folder, 'root')));
    const size = bytesOf(join(folder, 'root'));
    log(`it has ${megabytes(size)} MB`);
    await proveStart(machine, log);
    log(`npm start installed ${describeInstalled(machine.checkout)}`);
    const tests = await proveTests(machine, log);
    log(`both commands installed ${describeInstalled(machine.checkout)}`);
    log(`caches: ${megabytes(bytesOf(join(folder, 'root/root')))} MB below the home directory`);
    return `an order was delivered; npm test: ${tests}`;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function proveStart(machine, log) {
  const platform = watch(machine.spawn(['npm', 'start'], { GANTRY_PORT: '0' }), 'start');
  try {
    await timed(log, 'npm start until it is ready', () => platform.until(/^ +Stop /m, readyTimeoutMs));
    const [, address] = /^ +Address +(\S+)/m.exec(platform.output());
    await timed(log, 'Temporal is up after further', () => untilTemporalIsUp(address, platform));
    await timed(log, 'an order from its placement to its delivery', () => driveOrder(address, orderId));
  } finally {
    await timed(log, 'stopped', () => platform.interrupt());
  }
  // npm itself ends with the number of the signal.
  if (platform.output().trimEnd().endsWith('Gantry has stopped.') && [0, 130].includes(platform.code())) return;
  throw new Error(`npm start ended with ${platform.code()}: ${platform.output().slice(-2_000)}`);
}

async function untilTemporalIsUp(address, platform) {
  const deadline = performance.now() + temporalTimeoutMs;
  for (;;) {
    const { data } = await (await fetch(`${address}/readyz`)).json();
    const temporal = data.parts.find(({ name }) => name === 'temporal');
    if (temporal?.status === 'up') return;
    if (performance.now() > deadline) {
      throw new Error(`Temporal is not up: ${JSON.stringify(temporal)} ${platform.output().slice(-2_000)}`);
    }
    await delay(250);
  }
}

/** @returns the last line of npm test */
async function proveTests(machine, log) {
  const filters = process.env.GANTRY_PROOF_TESTS ?? '';
  if (filters === 'none') return 'left out';
  const words = filters === '' ? [] : ['--', ...filters.split(' ')];
  const tests = watch(machine.spawn(['npm', 'test', ...words]), 'test');
  await timed(log, 'npm test', tests.ended);
  const last = tests.output().trim().split('\n').at(-1);
  if (tests.code() === 0) return last;
  throw new Error(
    `npm test ended with ${tests.code()}: ${last} (reports/fresh-machine-test.log has all of its output)`,
  );
}

/** Collects the output of a process, and writes it to reports/fresh-machine-<name>.log as it comes. */
function watch(child, name) {
  mkdirSync(join(repository, 'reports'), { recursive: true });
  const file = join(repository, 'reports', `fresh-machine-${name}.log`);
  writeFileSync(file, '');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      appendFileSync(file, chunk);
    });
  }
  const ended = once(child, 'close');
  return {
    output: () => output,
    code: () => child.exitCode,
    ended: () => ended,
    /** As Ctrl-C in a terminal reaches all processes of the command. */
    async interrupt() {
      if (child.exitCode === null) process.kill(-child.pid, 'SIGINT');
      await ended;
    },
    async until(pattern, timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      while (!pattern.test(output)) {
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output.slice(-2_000)}`);
        if (performance.now() > deadline) throw new Error(`It is not ready: ${output.slice(-2_000)}`);
        await delay(50);
      }
    },
  };
}

async function timed(log, what, work) {
  const begin = performance.now();
  const result = await work();
  log(`${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  return result;
}

/** npm's own record has what is installed, and the folders of the workspace with the links to them. */
function describeInstalled(checkout) {
  const folder = join(checkout, 'node_modules');
  const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  return `${installed.length} packages, ${megabytes(bytesOf(folder))} MB`;
}

function megabytes(bytes) {
  return Math.round(bytes / 1024 / 1024);
}

/** As `du` counts: blocks on the disk. */
function bytesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + lstatSync(path).blocks * 512 + (entry.isDirectory() ? bytesOf(path) : 0);
  }, 0);
}
