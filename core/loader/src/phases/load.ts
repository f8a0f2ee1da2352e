import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPluginDefinition, type PluginDefinition } from '@gantry/plugin-api';
import type { PluginProblem } from '@gantry/contracts';
import type { DiscoveredPackage, PluginRecord } from '../record/plugin-record';
import { findDuplicateModules } from '../modules/duplicate-modules';
import { positionOf, positionOfSyntaxError } from '../execution/error-position';
import type { Manifest } from '../manifest/manifest';
import { createProblem } from '../problem-kinds';
import { problemOfRun } from '../execution/run-failure';
import type { RunPluginCode } from '../execution/plugin-execution';
import type { PluginSet } from './plugin-set';

/** The plugin's definition, or why there is none. */
export type Loaded =
  | { readonly definition: PluginDefinition; readonly problems?: undefined }
  | { readonly definition?: undefined; readonly problems: readonly PluginProblem[] };

/** Imports the plugins one after the other. @returns the definitions of those that could be loaded */
export async function loadAll(
  set: PluginSet,
  run: RunPluginCode,
  timeoutMs: number,
): Promise<ReadonlyMap<PluginRecord, PluginDefinition>> {
  const definitions = new Map<PluginRecord, PluginDefinition>();
  await set.eachActive('load', async (record, manifest) => {
    const { definition, problems } = await load(record.found, manifest, run, timeoutMs);
    if (problems) set.fail(record, problems);
    else definitions.set(record, definition);
  });
  return definitions;
}

/** Imports the entry file of a plugin, CommonJS or ESM, and takes its default export. */
async function load(
  found: DiscoveredPackage,
  manifest: Manifest,
  run: RunPluginCode,
  timeoutMs: number,
): Promise<Loaded> {
  const { folder, source } = found;
  const duplicates = await findDuplicateModules(found);
  if (duplicates.length > 0) return { problems: duplicates };
  const file = join(folder, manifest.main);
  try {
    const exported = await run({ plugin: manifest.id, phase: 'load', timeoutMs }, async () => {
      const namespace: unknown = await import(pathToFileURL(file).href);
      return { candidates: defaultExports(namespace) };
    });
    return definitionAmong(exported.candidates, manifest, file);
  } catch (error) {
    const position =
      positionOf(error, folder) ??
      (error instanceof SyntaxError ? await positionOfSyntaxError(file, folder) : undefined);
    const what = `Loading ${join(source, manifest.main)}`;
    const failed = { manifest, folder, source, phase: 'load', code: 'LOAD_FAILED', what, position } as const;
    return { problems: [problemOfRun(error, failed)] };
  }
}

/** The default export of ESM, `module.exports` of CommonJS, and what a compiler to CommonJS calls `default` in it. */
function defaultExports(namespace: unknown): readonly unknown[] {
  const outer = memberDefault(namespace);
  return [outer, memberDefault(outer)];
}

function memberDefault(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'default' in value ? value.default : undefined;
}

function definitionAmong(candidates: readonly unknown[], manifest: Manifest, file: string): Loaded {
  const definition = candidates.find(isPluginDefinition);
  if (definition === undefined) {
    const reason = `The default export of ${file} is ${describe(candidates[0])}, not the result of definePlugin`;
    const remedy = "export default definePlugin({ … }), with definePlugin from '@gantry/plugin-api'";
    return { problems: [createProblem('NOT_A_PLUGIN', reason, remedy)] };
  }
  if (definition.id !== manifest.id) {
    const reason = `The code of the plugin has the id "${definition.id}", its package.json "${manifest.id}"`;
    return { problems: [createProblem('PLUGIN_ID_MISMATCH', reason, 'Give both the same id')] };
  }
  return { definition };
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return typeof value === 'function' ? `the function ${value.name}` : `of type ${typeof value}`;
}
