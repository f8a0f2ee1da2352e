import { isJsonObject } from '@gantry/core-common';
import { realpath, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import type { PackageJson } from '../manifest/package-json';

/** The file of a package that an import of its name loads. */
export type EntryFile =
  /** Relative to the folder, with `./` before it. */
  { readonly file: string } | { readonly problem: string };

/** Conditions under which the host imports a plugin, as Node.js names them. */
const conditions = new Set(['node', 'import', 'module-sync', 'default']);
const fallbackConditions = new Set(['node', 'require', 'default']);

/** Finds the entry file by `exports`, then `main`, then index.js, as Node.js does, and makes sure that it exists. */
export async function findEntryFile(folder: string, json: PackageJson): Promise<EntryFile> {
  const declared = declaredEntry(json);
  if (declared === undefined) return { problem: 'exports has no entry "." that can be imported' };
  const relative = `./${posix.normalize(declared)}`;
  if (relative.startsWith('./..') || posix.isAbsolute(declared)) {
    return { problem: `${declared} is outside the package` };
  }
  const candidates = json.exports === undefined || json.exports === null ? legacyCandidates(relative) : [relative];
  for (const file of candidates) {
    if (!(await isFile(join(folder, file)))) continue;
    const outside = await targetOutside(folder, file);
    return outside === undefined
      ? { file }
      : { problem: `${file} is a symbolic link out of the package, to ${outside}` };
  }
  return { problem: `${relative} does not exist` };
}

function declaredEntry(json: PackageJson): string | undefined {
  if (json.exports === undefined || json.exports === null) {
    return typeof json.main === 'string' && json.main !== '' ? json.main : 'index.js';
  }
  const root = isJsonObject(json.exports) && Object.hasOwn(json.exports, '.') ? json.exports['.'] : json.exports;
  return targetOf(root, conditions) ?? targetOf(root, fallbackConditions);
}

function targetOf(target: unknown, accepted: ReadonlySet<string>): string | undefined {
  if (typeof target === 'string') return target;
  if (Array.isArray(target)) return firstOf(target, accepted);
  if (!isJsonObject(target)) return undefined;
  return firstOf(
    Object.entries(target)
      .filter(([condition]) => accepted.has(condition))
      .map(([, value]) => value),
    accepted,
  );
}

function firstOf(targets: readonly unknown[], accepted: ReadonlySet<string>): string | undefined {
  for (const target of targets) {
    const found = targetOf(target, accepted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `main` may leave out the extension or name a folder. */
function legacyCandidates(file: string): readonly string[] {
  return [file, `${file}.js`, `${file}.cjs`, posix.join(file, 'index.js')].map((path) =>
    path.startsWith('./') ? path : `./${path}`,
  );
}

/** The real path of a file, unless it is in the folder. */
async function targetOutside(folder: string, file: string): Promise<string | undefined> {
  const [home, target] = await Promise.all([realpath(folder), realpath(join(folder, file))]);
  return target.startsWith(home + sep) ? undefined : target;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
