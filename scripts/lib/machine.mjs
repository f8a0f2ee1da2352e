import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeRefusal } from './assert-node.mjs';
import { root } from './run.mjs';

/**
 * @param packages of package-lock.json
 * @throws Error that says why this repository does not run on this machine, and on which it does
 */
export function assertMachine(packages = readLockedPackages()) {
  const refusal = machineRefusal(readMachine(), packages);
  if (refusal !== undefined) throw new Error(refusal);
}

function readLockedPackages() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** The values by which npm chooses packages for this machine, and the version of Node.js. */
export function readMachine() {
  const { platform: os, arch: cpu, versions } = process;
  return { node: versions.node, os, cpu, ...(os === 'linux' ? { libc: readLibc() } : {}) };
}

/** The same way as npm: the report of Node.js names the version of glibc where it is linked with it. */
function readLibc() {
  process.report.excludeNetwork = true;
  const { header, sharedObjects } = process.report.getReport();
  if (header.glibcVersionRuntime !== undefined) return 'glibc';
  return sharedObjects.some((file) => /ld-musl-|libc\.musl-/.test(file)) ? 'musl' : undefined;
}

/** Whether npm installs a package of package-lock.json on a machine. */
export function isFor(entry, machine) {
  return ['os', 'cpu', 'libc'].every((fact) => accepts(entry[fact], machine[fact]));
}

function accepts(list, value) {
  if (list === undefined) return true;
  if (list.some((one) => one.startsWith('!'))) return !list.includes(`!${value}`);
  return list.includes(value);
}

/**
 * @public tests ask for machines of all kinds
 * @param machine of readMachine()
 * @param packages of package-lock.json
 * @returns {string | undefined} why this repository does not run on a machine, and on which it does
 */
export function machineRefusal(machine, packages) {
  const old = nodeRefusal(machine.node);
  if (old !== undefined) return old;
  const { os, cpu, libc } = machine;
  if (os === 'linux' && libc !== 'glibc') {
    return `Gantry does not run on Linux with ${libc ?? 'an unknown C library'}: @temporalio/core-bridge and the embedded PostgreSQL are built for glibc. Use ${places}; in a container, an image of Debian, for example node:26-slim.`;
  }
  const missing = withoutBinary(machine, packages);
  if (missing.length === 0) return undefined;
  return `Gantry does not run on ${os} ${cpu}: ${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no binary for it. Use ${places}.`;
}

const places = 'Linux with glibc (x64, arm64), macOS (arm64, x64) or Windows (x64)';

/** Packages whose binaries are optional packages for single systems, of which none is for the machine. */
function withoutBinary(machine, packages) {
  return Object.entries(packages)
    .filter(([, entry]) => !entry.dev && !entry.optional)
    .filter(([path, entry]) => {
      const binaries = binariesOf(path, entry, packages);
      return binaries.length > 1 && !binaries.some((binary) => isFor(binary, machine));
    })
    .map(([path, { name }]) => name ?? path.split('node_modules/').at(-1));
}

function binariesOf(path, { optionalDependencies = {} }, packages) {
  return Object.keys(optionalDependencies)
    .map((name) => packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`])
    .filter((binary) => binary?.os !== undefined && binary.cpu !== undefined);
}
