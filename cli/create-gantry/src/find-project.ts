import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project that a folder belongs to: the nearest one above that has the `gantry` command as a dependency and is no plugin. */
export function findProject(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (isProject(readPackage(current))) return current;
    if (current === dirname(current)) return undefined;
  }
}

/** Whether a folder is that of a plugin package. */
export function isPluginFolder(folder: string): boolean {
  return Object.hasOwn(readPackage(folder), 'gantry');
}

function isProject(json: Readonly<Record<string, unknown>>): boolean {
  const tables = [json['dependencies'], json['devDependencies']];
  return (
    !Object.hasOwn(json, 'gantry') &&
    tables.some((table) => typeof table === 'object' && table !== null && Object.hasOwn(table, '@gantry/cli'))
  );
}

/** Empty where there is none that can be read. */
function readPackage(folder: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
