import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../src/content/kinds');

/** The modules that Vite finds in the folders of the field kinds, for tests, which it does not build. */
export function modulesOf<T>(file: string, name: string): Record<string, T> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = entries.map((entry) => entry.name).filter((kind) => existsSync(join(folder, kind, file)));
  return Object.fromEntries(found.map((kind) => [`./${kind}/${file}`, load(join(folder, kind, file))[name] as T]));
}

function load(file: string): Readonly<Record<string, unknown>> {
  // eslint-disable-next-line typescript/no-require-imports -- each kind is found by its folder
  return require(file) as Readonly<Record<string, unknown>>;
}
