import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Changes in these do not change what the package does. */
const ignored: ReadonlySet<string> = new Set(['.git', '.DS_Store', '.cache', '.package-lock.json']);
const filesAtOnce = 16;

/**
 * A hash of every file of a package, its own node_modules included, by path and content. A link counts with its target's
 * name and, when that is a file, its content; folders behind links are not entered.
 */
export async function hashContent(folder: string): Promise<string> {
  const files = (await listFiles(folder, '')).toSorted();
  const hash = createHash('sha256');
  for (let index = 0; index < files.length; index += filesAtOnce) {
    const lines = await Promise.all(files.slice(index, index + filesAtOnce).map((file) => describeFile(folder, file)));
    for (const line of lines) hash.update(line);
  }
  return `sha256-${hash.digest('base64')}`;
}

async function listFiles(folder: string, below: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter(({ name }) => !ignored.has(name))
      .map(async (entry): Promise<readonly string[]> => {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) return listFiles(folder, path);
        return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
      }),
  );
  return lists.flat();
}

async function describeFile(folder: string, file: string): Promise<string> {
  const path = join(folder, file);
  const target = await readlink(path).catch(() => '');
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  return `${JSON.stringify([file, target, isFile ? await hashFile(path) : ''])}\n`;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
