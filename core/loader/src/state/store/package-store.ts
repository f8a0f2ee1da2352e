import { randomBytes } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { describeError } from '@gantry/core-common';
import { PluginError } from '../../plugin-error';
import { eachFile, fingerprintOf, hashContent } from './content-hash';
import { listPackageFiles } from './package-files';

/** A package in the store. */
export interface StoredPackage {
  /** Real path of the copy. */
  readonly folder: string;
  readonly contentHash: string;
}

/** The metadata of a package in the store; `entry.json` next to its files. */
const entrySchema = z.object({
  formatVersion: z.literal(1),
  /** Names the folder of the copy, so that a path in a stack trace names the plugin. */
  plugin: z.string(),
  contentHash: z.string(),
  /** Of the files, where npm has installed others than on the host whose files have that hash: packages of another platform. */
  filesHash: z.string().optional(),
  /** By folder that held the same files when they were last read: the fingerprint that they had. */
  fingerprints: z.record(z.string(), z.string()),
});

type Entry = z.output<typeof entrySchema>;

/** File systems record times in steps: a file may change again without a new time. */
const settledAfterMs = 2_000;

/**
 * Copies a package into the store below the home folder, from which the platform loads it: `store/<sha256>/<plugin id>`.
 * A package that is there already is not copied again.
 * @throws PluginError PLUGIN_UNUSABLE that names the file which cannot be copied
 */
export async function storePackage(home: string, plugin: string, source: string): Promise<StoredPackage> {
  const contentHash = await hashContent(source);
  const known = await openStored(home, contentHash);
  if (known !== undefined) {
    await markUsed(known);
    return known;
  }
  return addToStore(home, plugin, source, (copy) => copyPackage(source, copy));
}

/**
 * Puts a package into the store that comes from elsewhere. One that is there already is not asked for.
 * @param unpack makes the given folder with its files, and a node_modules next to it
 * @param isLocked whether its files were verified one by one, so that they may be those of another platform
 * @throws PluginError PLUGIN_UNUSABLE also where the files are not those of the content hash
 */
export async function storeUnpacked(
  home: string,
  plugin: string,
  contentHash: string,
  unpack: (folder: string) => Promise<void>,
  isLocked = false,
): Promise<StoredPackage> {
  const known = await openStored(home, contentHash);
  if (known !== undefined) return known;
  const origin = `of the plugin ${plugin}`;
  const fill = async (folder: string): Promise<void> => {
    await mkdir(dirname(folder), { recursive: true });
    await unpack(folder);
    const found = isLocked ? contentHash : await hashContent(folder);
    if (found === contentHash) return;
    throw new PluginError(
      'PLUGIN_UNUSABLE',
      `The fetched package ${origin} has the content ${found}; expected ${contentHash}`,
      'Enable the plugin again on a host that has it',
    );
  };
  return addToStore(home, plugin, origin, fill, contentHash);
}

async function addToStore(
  home: string,
  plugin: string,
  origin: string,
  fill: (folder: string) => Promise<void>,
  known?: string,
): Promise<StoredPackage> {
  const store = await makeStore(home);
  const draft = join(store, `${draftPrefix}${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    const copy = join(draft, plugin);
    await fill(copy);
    // Of the copy, because the source may have changed in the meantime.
    const copied = await hashContent(copy);
    const contentHash = known ?? copied;
    const own = contentHash === copied ? {} : { filesHash: copied };
    await writeEntry(draft, { formatVersion: 1, plugin, contentHash, ...own, fingerprints: {} });
    const stored = join(store, nameOf(contentHash) ?? '');
    await moveToStore(home, draft, stored, contentHash);
    return { folder: join(stored, plugin), contentHash };
  } catch (error) {
    if (error instanceof PluginError) throw error;
    throw new PluginError(
      'PLUGIN_UNUSABLE',
      `The package ${origin} cannot be copied into ${store}: ${describeError(error)}`,
      'Make its files readable, and check whether the disk is full',
      { cause: error },
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** @returns the package with this content, or undefined where the store has none, or one that is damaged */
export async function openStored(home: string, contentHash: string): Promise<StoredPackage | undefined> {
  const name = nameOf(contentHash);
  const store = await realpath(storeFolder(home)).catch(() => undefined);
  if (name === undefined || store === undefined) return undefined;
  const entry = await readEntry(join(store, name));
  if (entry?.contentHash !== contentHash) return undefined;
  const stored = { folder: join(store, name, entry.plugin), contentHash };
  return (await holds(stored, stored.folder)) ? stored : undefined;
}

/** Whether a folder holds the files of a stored package. They are read only when sizes or times differ from the last look. */
export async function holds(stored: StoredPackage, folder: string): Promise<boolean> {
  const target = dirname(stored.folder);
  try {
    const [entry, { text, changedAt }] = await Promise.all([readEntry(target), fingerprintOf(folder)]);
    if (entry?.fingerprints[folder] === text) return true;
    const readAt = Date.now();
    if ((await hashContent(folder)) !== (entry?.filesHash ?? stored.contentHash)) return false;
    if (entry && changedAt < readAt - settledAfterMs) {
      const fingerprints = { ...entry.fingerprints, [folder]: text };
      // Only saves time at the next look, for which a home that cannot be written must not keep a plugin from running.
      await writeEntry(target, { ...entry, fingerprints }).catch(() => undefined);
    }
    return true;
  } catch {
    return false;
  }
}

/** Notes that a package is in use, so that it is not removed as garbage. */
export async function markUsed({ folder }: StoredPackage): Promise<void> {
  const now = new Date();
  await utimes(entryFile(dirname(folder)), now, now).catch(() => undefined);
}

export const draftPrefix = '.draft-';

export function storeFolder(home: string): string {
  return join(home, 'store');
}

/** The name of the folder for a content; undefined for what is no content hash. */
export function nameOf(contentHash: string): string | undefined {
  const bytes = Buffer.from(contentHash.replace(/^sha256-/, ''), 'base64');
  return contentHash.startsWith('sha256-') && bytes.length === 32 ? bytes.toString('hex') : undefined;
}

/** The file whose time is that of the last use of the package. */
export function entryFile(folder: string): string {
  return join(folder, 'entry.json');
}

async function makeStore(home: string): Promise<string> {
  await mkdir(storeFolder(home), { recursive: true, mode: 0o700 });
  return realpath(storeFolder(home));
}

export async function copyPackage(source: string, target: string): Promise<void> {
  const files = await listPackageFiles(source);
  const folders = new Set(files.map(({ path }) => dirname(join(target, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await eachFile(files, async ({ path, target: linked }) => {
    const copy = join(target, path);
    if (linked === undefined) await copyThrough(join(source, path), copy);
    else await symlink(linked, copy, (await isFolder(join(source, path))) ? 'dir' : 'file');
  });
}

/** On disk before anything refers to it, and not to be written by accident. */
async function copyThrough(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  const handle = await open(target, 'r+').catch(() => open(target, 'r'));
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  const { mode } = await stat(target);
  await chmod(target, 0o444 | (mode & 0o111));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/** Another process may have stored the same package in the meantime; a damaged one is replaced. */
async function moveToStore(home: string, draft: string, target: string, contentHash: string): Promise<void> {
  try {
    await rename(draft, target);
  } catch (error) {
    if ((await openStored(home, contentHash)) !== undefined) return;
    const damaged = `${draft}-damaged`;
    await rename(target, damaged).catch(() => {
      throw error;
    });
    await rename(draft, target);
    await rm(damaged, { recursive: true, force: true });
  }
}

async function readEntry(folder: string): Promise<Entry | undefined> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(entryFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

async function writeEntry(folder: string, entry: Entry): Promise<void> {
  const draft = `${entryFile(folder)}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(entry, null, 2)}\n`);
    await rename(draft, entryFile(folder));
  } finally {
    await rm(draft, { force: true });
  }
}
