import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';

/** A package that a plugin needs when it runs and does not carry. */
export interface ProductionPackage {
  /** Its path below a node_modules next to the plugin: `oars`, or `oars/node_modules/wood` for another version of `wood`. */
  readonly path: string;
  /** Real path. */
  readonly folder: string;
}

const jsonSchema = z.object({
  gantry: z.unknown(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

type Json = z.output<typeof jsonSchema>;

/** Packages that the host provides or refuses; see the rules of imports. */
const provided = /^(?:@gantry\/.*|@temporalio\/.*|sequelize|sequelize-typescript|reflect-metadata)$/;

const packageName = /^(?:@[a-z0-9-~][\w.~-]*\/)?[a-z0-9-~][\w.~-]*$/i;

const maxPackages = 2_000;

/** A name that a package needs. */
interface Need {
  readonly name: string;
  /** The package that needs it. */
  readonly from: string;
  /** The folder whose files contain that package: of the plugin, or of a package that is placed. */
  readonly root: string;
  /** Where packages above that folder are looked for. */
  readonly base: string;
  /** Where that folder is placed; empty for the plugin. */
  readonly place: string;
}

/**
 * The packages that a plugin does not carry and finds above the folder in which it is installed, with those that these need.
 * @param folder real path of its files
 * @param source folder in which it was found
 */
export async function findProductionPackages(folder: string, source: string): Promise<readonly ProductionPackage[]> {
  const placed = new Map<string, string>();
  const seen = new Set<string>();
  const needs = await needsOf(folder, { root: folder, base: dirname(source), place: '' });
  // Grows while it is walked: what the plugin itself needs comes first.
  for (const need of needs) {
    const found = await find(need);
    if (found === undefined || placed.size === maxPackages) continue;
    const isCarried = found.startsWith(need.root + sep);
    const place = isCarried ? need.place : placeFor(need, found, placed);
    if (place === undefined || seen.has(`${place}\n${found}`)) continue;
    seen.add(`${place}\n${found}`);
    if (!isCarried) placed.set(place, found);
    const within = isCarried ? need : { root: found, base: dirname(found), place };
    needs.push(...(await needsOf(found, within)));
  }
  return [...placed].map(([path, at]) => ({ path, folder: at }));
}

async function needsOf(from: string, { root, base, place }: Pick<Need, 'root' | 'base' | 'place'>): Promise<Need[]> {
  const json = await readJson(from);
  const names = Object.keys({ ...json?.dependencies, ...json?.optionalDependencies });
  return names
    .filter((name) => packageName.test(name) && !provided.test(name))
    .map((name) => ({ name, from, root, base, place }));
}

/** @returns its real path; undefined where there is none, or where it is another plugin */
async function find({ name, from, root, base }: Need): Promise<string | undefined> {
  for (const folder of [...ancestors(from, root), ...ancestors(base)]) {
    const found = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
    if (found === undefined || (await stat(join(found, 'package.json')).catch(() => undefined)) === undefined) continue;
    return (await readJson(found))?.gantry === undefined ? found : undefined;
  }
  return undefined;
}

function ancestors(folder: string, last = ''): readonly string[] {
  const parent = dirname(folder);
  return folder === last || parent === folder ? [folder] : [folder, ...ancestors(parent, last)];
}

/** @returns undefined where another version has its place and the plugin itself needs it */
function placeFor({ name, place }: Need, found: string, placed: ReadonlyMap<string, string>): string | undefined {
  const first = placed.get(name);
  if (first === undefined || first === found) return name;
  return place === '' ? undefined : `${place}/node_modules/${name}`;
}

async function readJson(folder: string): Promise<Json | undefined> {
  try {
    return jsonSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  } catch {
    return undefined;
  }
}
