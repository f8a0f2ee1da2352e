import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import { describeError } from '@gantry/core-common';

/** A file of a plugin's pages, held in memory. */
export interface UiFile {
  readonly contentType: string;
  readonly body: Buffer;
}

/** The folder of a plugin's built pages as it was read, or why it cannot be served. */
export type UiFolder =
  | {
      readonly state: 'read';
      /** Changes with every change of a file. */
      readonly hash: string;
      /** By path from the folder, with slashes; only these can be asked for. */
      readonly files: ReadonlyMap<string, UiFile>;
      readonly signature: string;
    }
  | { readonly state: 'unreadable'; readonly reason: string; readonly signature: string };

const maxBytes = 16 * 1024 * 1024;
const maxFiles = 500;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * Reads the folder with a plugin's built pages. Never rejects: problems are returned. Links are not followed, so that
 * nothing outside the package can be asked for.
 * @param known what was read before; given back when no file has changed since
 */
export async function readUiFolder(packageFolder: string, entry: string, known?: UiFolder): Promise<UiFolder> {
  const folder = join(packageFolder, dirname(entry));
  let signature = '';
  try {
    const names = await listFiles(packageFolder, folder);
    const facts = await Promise.all(names.map(async (name) => ({ name, ...(await sizeAndTime(join(folder, name))) })));
    signature = JSON.stringify(facts);
    if (known?.signature === signature) return known;
    const refusal = refuse(facts, entry);
    if (refusal !== undefined) return { state: 'unreadable', reason: refusal, signature };
    const files = new Map(
      await Promise.all(names.map(async (name) => [name, await readUiFile(folder, name)] as const)),
    );
    return { state: 'read', hash: hashOf(files), files, signature };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = missing ? `${folder} does not exist` : `${folder} cannot be read: ${describeError(error)}`;
    return { state: 'unreadable', reason, signature };
  }
}

async function listFiles(packageFolder: string, folder: string): Promise<readonly string[]> {
  const [real, home] = await Promise.all([realpath(folder), realpath(packageFolder)]);
  if (!real.startsWith(home + sep)) throw new Error('it is outside the package');
  const entries = await readdir(real, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(real.length + 1))
    .toSorted();
}

async function sizeAndTime(file: string): Promise<{ readonly size: number; readonly time: number }> {
  const { size, mtimeMs: time } = await stat(file);
  return { size, time };
}

function refuse(facts: readonly { readonly name: string; readonly size: number }[], entry: string): string | undefined {
  if (!facts.some(({ name }) => name === basename(entry))) return `${entry} does not exist`;
  if (facts.length > maxFiles) return `${dirname(entry)} holds ${facts.length} files; at most ${maxFiles} are served`;
  const bytes = facts.reduce((sum, { size }) => sum + size, 0);
  return bytes > maxBytes ? `${dirname(entry)} holds ${bytes} bytes; at most ${maxBytes} are served` : undefined;
}

async function readUiFile(folder: string, name: string): Promise<UiFile> {
  return {
    contentType: contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream',
    body: await readFile(join(folder, name)),
  };
}

function hashOf(files: ReadonlyMap<string, UiFile>): string {
  const hash = createHash('sha256');
  for (const [name, { body }] of files) hash.update(`${JSON.stringify([name, body.length])}\n`).update(body);
  return hash.digest('hex').slice(0, 12);
}
