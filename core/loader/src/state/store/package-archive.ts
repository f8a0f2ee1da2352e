import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Entry } from 'tar-stream';
import { PluginError } from '../../plugin-error';
import { listPackageFiles } from './package-files';
import { limitBytes, maxFiles, unpackLimit } from './unpack-limit';

/**
 * Unpacks an archive that an earlier version has made of a package, with the folders `package` and `node_modules`, into the folder of the package and a node_modules next to it: files and links that
 * stay within either, nothing else. Links come last, so that no file is written through one.
 * @throws PluginError PLUGIN_UNUSABLE
 */
export async function unpackPackage(archive: AsyncIterable<Buffer>, folder: string, origin: string): Promise<void> {
  const entries = extract();
  const links: { readonly path: string; readonly target: string }[] = [];
  const addLink = (path: string, target: string): void => void links.push({ path, target });
  const draft = `${folder}.unpacked`;
  await mkdir(draft);
  const unpacked = pipeline(
    Readable.from(archive),
    createGunzip(),
    limitBytes(() => tooLarge(origin)),
    entries,
  );
  const [, files] = await Promise.all([unpacked, writeFiles(entries, draft, { origin, addLink })]);
  for (const { path, target } of links) {
    const link = join(draft, path);
    await mkdir(dirname(link), { recursive: true });
    const found = await stat(join(dirname(link), target)).catch(() => undefined);
    await symlink(target, link, found?.isDirectory() === true ? 'dir' : 'file');
  }
  // A link that leads out, or a file that belongs to no package, would be among the entries alone.
  const listed = await Promise.all(roots.map((root) => filesBelow(join(draft, root))));
  const count = listed.reduce((sum, own) => sum + own, 0);
  if (count !== files + links.length) throw unusable(origin, 'contains files that do not belong to a package');
  await rename(join(draft, 'package'), folder);
  if (await isThere(join(draft, 'node_modules'))) {
    await rename(join(draft, 'node_modules'), join(dirname(folder), 'node_modules'));
  }
  await rm(draft, { recursive: true });
}

/** The folders of an archive. */
const roots: readonly string[] = ['package', 'node_modules'];

async function filesBelow(folder: string): Promise<number> {
  return (await isThere(folder)) ? (await listPackageFiles(folder)).length : 0;
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined)) !== undefined;
}

interface Unpacking {
  readonly origin: string;
  readonly addLink: (path: string, target: string) => void;
}

/** @returns how many files there were */
async function writeFiles(
  entries: AsyncIterable<Entry>,
  folder: string,
  { origin, addLink }: Unpacking,
): Promise<number> {
  let files = 0;
  for await (const entry of entries) {
    const { name, type, mode = 0, linkname } = entry.header;
    const path = pathWithin(name, origin);
    files += 1;
    if (files > maxFiles) throw tooLarge(origin);
    if (type === 'symlink') {
      addLink(path, pathOfLink(path, linkname ?? '', origin));
      files -= 1;
      entry.resume();
      continue;
    }
    if (type !== 'file') throw unusable(origin, `contains ${JSON.stringify(name)}, which is not a file`);
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(entry, createWriteStream(target, { flags: 'wx', mode: 0o444 | (mode & 0o111), flush: true }));
  }
  return files;
}

function pathWithin(name: string, origin: string): string {
  const words = name.split('/');
  const isOutside =
    /[\\\0]|(?:^|\/)[a-z]:/i.test(name) ||
    words.some((word) => word === '' || word === '.' || word === '..') ||
    !roots.includes(words[0] ?? '') ||
    words.length === 1;
  if (isOutside) throw unusable(origin, `contains ${JSON.stringify(name)}, which leads out of the package`);
  return name;
}

function pathOfLink(path: string, target: string, origin: string): string {
  const led = posix.normalize(posix.join(posix.dirname(path), target));
  const isElsewhere = led.split('/')[0] !== path.split('/')[0];
  const isOutside = isElsewhere || target === '' || target.startsWith('/') || /[\\\0]|^[a-z]:/i.test(target);
  if (isOutside) throw unusable(origin, `contains the link ${JSON.stringify(path)}, which leads out of the package`);
  return target;
}

function tooLarge(origin: string): PluginError {
  return unusable(origin, `contains ${unpackLimit}`);
}

function unusable(origin: string, problem: string): PluginError {
  return new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} ${problem}`,
    'Install the plugin again, or enable it on the host that has its folder',
  );
}
