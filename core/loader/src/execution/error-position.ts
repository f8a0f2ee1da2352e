import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isError } from '@gantry/core-common';

/** Where in the files of a plugin something went wrong, relative to its folder, with line and column: `lib/boat.js:3:12`. */
export function positionOf(error: unknown, folder: string): string | undefined {
  if (!isError(error)) return undefined;
  const position = firstPosition(error.stack ?? '', folder);
  return position !== undefined && error.message.includes(position) ? undefined : position;
}

/**
 * The position of the first syntax error in a plugin's files. Node.js does not report the position in an ES module
 * with the error, but with `--check`.
 * @param entry absolute path of the file that was imported
 */
export async function positionOfSyntaxError(entry: string, folder: string): Promise<string | undefined> {
  const others = await scriptsIn(folder).catch(() => []);
  for (const file of [entry, ...others.filter((other) => other !== entry)].slice(0, maxFiles)) {
    const position = firstPosition(await complaintAbout(file), folder);
    if (position !== undefined) return position;
  }
  return undefined;
}

const maxFiles = 50;

function firstPosition(text: string, folder: string): string | undefined {
  const start = `${folder.replaceAll(sep, '/')}/`;
  for (const [line] of text.replaceAll('\\', '/').matchAll(/[^\n]+/g)) {
    const at = line.indexOf(start);
    const [position] = at < 0 ? [] : (/^[^():]+:\d+(?::\d+)?/.exec(line.slice(at + start.length)) ?? []);
    if (position !== undefined && !position.startsWith('node_modules/')) return position;
  }
  return undefined;
}

async function scriptsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`))
    .toSorted();
}

async function complaintAbout(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: 5_000 }, (error, _stdout, stderr) =>
      resolve(error === null ? '' : stderr),
    );
  });
}
