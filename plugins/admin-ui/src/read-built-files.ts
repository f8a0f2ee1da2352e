import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** A file of the build with its compressed forms. */
export interface BuiltFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzip?: Buffer;
  readonly brotli?: Buffer;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Reads every file below a folder, by its path from there (`/assets/index-….js`). Rejects when there is no index.html. */
export async function readBuiltFiles(folder: string): Promise<ReadonlyMap<string, BuiltFile>> {
  const names = await listFiles(folder);
  if (!names.includes('index.html')) throw notBuilt(folder);
  const bodies = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
  const plain = [...bodies].filter(([name]) => !isCompressed(name));
  return new Map(
    plain.map(([name, body]) => {
      const [gzip, brotli] = [bodies.get(`${name}.gz`), bodies.get(`${name}.br`)];
      const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
      return [
        `/${name.split(sep).join('/')}`,
        { contentType, body, ...(gzip === undefined ? {} : { gzip }), ...(brotli === undefined ? {} : { brotli }) },
      ];
    }),
  );
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((cause: unknown) => {
    throw notBuilt(folder, cause);
  });
  const below = folder.length + 1;
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(below));
}

function notBuilt(folder: string, cause?: unknown): Error {
  return new Error(`The admin pages are not built: there is no index.html in ${folder}. Run "npm run build".`, {
    cause,
  });
}

function isCompressed(name: string): boolean {
  return name.endsWith('.gz') || name.endsWith('.br');
}
