import { existsSync, statfsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const megabyte = 1_000_000;

/** On average, rounded up: 1.2 MB of a package in node_modules, and 0.6 MB of its archive in the cache of npm. */
const installed = 1.2 * megabyte;
const cached = 0.6 * megabyte;

/** The output of the build, and the files of a new platform with its servers. */
const built = 200 * megabyte;

/**
 * @public tests ask for machines of all kinds
 * @param count packages to install
 * @param hasSameDisk whether the cache of npm is on the disk of the repository
 * @param available bytes
 * @returns {string | undefined} why an installation would fill the disk
 */
export function spaceRefusal({ count, hasSameDisk, available }, folder = root) {
  const needed = count * (installed + (hasSameDisk ? cached : 0)) + built;
  if (available >= needed) return undefined;
  const inMegabytes = (bytes) => Math.ceil(bytes / megabyte).toLocaleString('en');
  return `The disk of ${folder} has ${inMegabytes(available)} MB left; ${count} packages and the build need ${inMegabytes(needed)} MB. Free space, or move the repository to another disk, and start again.`;
}

/** @throws Error when an installation of so many packages would fill the disk */
export function assertSpace(count, environment = process.env) {
  const cache = existing(environment.npm_config_cache || join(homedir(), '.npm'));
  const { bavail, bsize } = statfsSync(root);
  const hasSameDisk = statSync(cache).dev === statSync(root).dev;
  const refusal = spaceRefusal({ count, hasSameDisk, available: bavail * bsize });
  if (refusal !== undefined) throw new Error(refusal);
}

/** A path, or the folder above it that is there. */
function existing(path) {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}
