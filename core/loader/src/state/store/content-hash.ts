import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listPackageFiles, type PackageFile } from './package-files';

const filesAtOnce = 16;

/**
 * A hash of every file of a package, its own node_modules included, by path and content. It covers all that can be loaded
 * from a copy of the package, which is made of the same list of files.
 * @throws PluginError PLUGIN_UNUSABLE; see {@link listPackageFiles}
 */
export async function hashContent(folder: string): Promise<string> {
  const lines = await eachFile(await listPackageFiles(folder), (file) => describeFile(folder, file));
  return `sha256-${hashOf(lines).digest('base64')}`;
}

/** Sizes and times of a package's files, which differ when a file has been written. */
export interface Fingerprint {
  readonly text: string;
  /** The latest change of a file, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** @throws PluginError PLUGIN_UNUSABLE; see {@link listPackageFiles} */
export async function fingerprintOf(folder: string): Promise<Fingerprint> {
  let changedAt = 0;
  const lines = await eachFile(await listPackageFiles(folder), async ({ path, target = '' }) => {
    const { size, mtimeNs, ctimeNs, ino } = await lstat(join(folder, path), { bigint: true });
    changedAt = Math.max(changedAt, Number(ctimeNs / 1_000_000n));
    return `${JSON.stringify([path, target, ...[size, mtimeNs, ctimeNs, ino].map(String)])}\n`;
  });
  return { text: hashOf(lines).digest('base64'), changedAt };
}

/** Results in the order of the files. */
export async function eachFile<T>(
  files: readonly PackageFile[],
  work: (file: PackageFile) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  for (let index = 0; index < files.length; index += filesAtOnce) {
    results.push(...(await Promise.all(files.slice(index, index + filesAtOnce).map(work))));
  }
  return results;
}

function hashOf(lines: readonly string[]) {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line);
  return hash;
}

async function describeFile(folder: string, { path, target = '' }: PackageFile): Promise<string> {
  const file = join(folder, path);
  const isFile = target === '' || (await stat(file)).isFile();
  return `${JSON.stringify([path, target, isFile ? await hashFile(file) : ''])}\n`;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
