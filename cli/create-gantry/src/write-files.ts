import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetupError } from './setup-error';

/** Texts of files by their path, with slashes, from the folder that is made. */
export type Files = Readonly<Record<string, string>>;

/** Files that a folder may hold that becomes a project: made by a version control system before. */
const harmless: ReadonlySet<string> = new Set(['.git', '.gitattributes', '.gitignore', '.DS_Store', 'LICENSE']);

/**
 * Writes files into a folder that is empty or does not exist. A file that is there already stays as it is.
 * @throws SetupError when the folder holds anything else
 */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  const found: readonly string[] = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const others = found.filter((name) => !harmless.has(name));
  if (others.length > 0) {
    const shown = others.slice(0, 3).join(', ');
    throw new SetupError(
      `${folder} is not empty; it holds ${shown}.`,
      'Name a folder that is empty or does not exist.',
    );
  }
  for (const [path, text] of Object.entries(files)) {
    if (found.includes(path)) continue;
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** A document in the form in which npm writes package.json. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
