import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { satisfies, validRange } from 'semver';
import type { z } from 'zod';
import type { PluginProblem } from '@gantry/contracts';
import type { PackageJson } from '../manifest/package-json';
import { enter, quarantine, addTiming, type DiscoveredPackage, type PluginRecord } from '../record/plugin-record';
import { claimedId } from '../record/startup-report';
import { openPinned, type PinnedPackage } from '../state/open-pinned';
import type { PluginDecisions } from '../state/local-copy';
import { readDecisions, readDecisionsFile } from '../state/state-file';
import { findEntryFile } from '../modules/entry-file';
import { pluginApiVersion } from '../modules/plugin-api-version';
import type { Manifest } from '../manifest/manifest';
import { gantrySchema, manifestVersion, packageSchema } from '../manifest/manifest-schema';
import { createProblem } from '../problem-kinds';
import { findReserved } from '../manifest/reserved-names';
import { splitUnsupportedUi } from '../manifest/ui-manifest';
import type { PluginSources } from '../plugin-sources';
import type { Discovery } from './discover';
import { select } from './select';

/** A manifest, or all its problems. */
export type Validation =
  | { readonly manifest: Manifest; readonly problems: readonly [] }
  | { readonly manifest?: undefined; readonly problems: readonly PluginProblem[] };

const pluginApi = '@gantry/plugin-api';

/** The plugins that the packages are, and what was decided about them. */
export interface ValidatedPlugins {
  /** Every discovered package, by id: of a plugin that is pinned, the package in the store. */
  readonly records: readonly PluginRecord[];
  readonly decisions: PluginDecisions;
  /** Sentences about what looked odd and is no plugin. */
  readonly notes: readonly string[];
}

/**
 * Checks the manifests and pins of all packages, and takes out the plugins that do not run here.
 * @throws PluginError PLUGIN_STATE_DAMAGED, PLUGIN_UNKNOWN
 */
export async function validateAll({ packages, notes }: Discovery, sources: PluginSources): Promise<ValidatedPlugins> {
  const decisions = await decisionsOf(sources);
  const records = await recordsOf(packages, sources.home, decisions);
  select(records, decisions, sources.only);
  return { records, decisions, notes: [...notes, ...forgotten(records, decisions)] };
}

async function decisionsOf({ home, set, setFile, trial = new Map() }: PluginSources): Promise<PluginDecisions> {
  const decided = set ?? (setFile === undefined ? await readDecisions(home) : await readDecisionsFile(setFile));
  return new Map([...decided, ...trial]);
}

function forgotten(records: readonly PluginRecord[], decisions: PluginDecisions): readonly string[] {
  const ids = new Set(records.map(({ id }) => id));
  return [...decisions]
    .filter(([id, { enabled }]) => enabled && !ids.has(id))
    .map(([id]) => `The plugin ${id} was enabled by command, but no package with that id is found`);
}

async function recordsOf(
  packages: readonly DiscoveredPackage[],
  home: string,
  decisions: PluginDecisions,
): Promise<readonly PluginRecord[]> {
  const apiVersion = pluginApiVersion();
  const installed = await Promise.all(packages.map((one) => recordOf(one, apiVersion, decisions)));
  const pinned = await openPinned(home, installed, decisions);
  const stored = await Promise.all(
    pinned.map(({ found, ...origin }) => recordOf(found, apiVersion, decisions, origin)),
  );
  const replaced = new Set(pinned.flatMap(({ candidate, unused = [] }) => [candidate, ...unused]));
  const loose = installed.filter((record) => !replaced.has(record));
  for (const record of loose) checkPin(record, decisions);
  return [...stored, ...loose].toSorted(
    (first, second) => compare(first.id, second.id) || compare(first.found.source, second.found.source),
  );
}

/** The record of a package before it is compared with others. */
export async function recordOf(
  found: DiscoveredPackage,
  apiVersion: string,
  decisions: PluginDecisions,
  { candidate, note, installed }: Pick<PinnedPackage, 'candidate' | 'note' | 'installed'> = {},
): Promise<PluginRecord> {
  const startedAt = performance.now();
  const { manifest, problems } = await validate(found, apiVersion);
  const record: PluginRecord = {
    found,
    id: manifest?.id ?? claimedId(found.source, found.json),
    manifest,
    state: 'active',
    phase: 'discover',
    problems: [],
    notes: note === undefined ? [] : [note],
    timings: {},
    abort: new AbortController(),
    pinned: manifest !== undefined && decisions.get(manifest.id)?.enabled === true,
    ...(candidate === undefined ? {} : { candidate }),
    ...(installed === undefined ? {} : { installed }),
  };
  addTiming(record, 'discover', found.duration);
  if (found.problems.length === 0) enter(record, 'validate');
  quarantine(record, problems);
  addTiming(record, 'validate', performance.now() - startedAt);
  return record;
}

/**
 * A package that was enabled by command runs only as it was then: one that is not loaded from the
 * store is not the one that was enabled.
 */
function checkPin(record: PluginRecord, decisions: PluginDecisions): void {
  const decision = decisions.get(record.id);
  if (decision?.enabled !== true || record.manifest === undefined) return;
  const { version } = record.manifest;
  const remedy = `Review the change, then enable it again: gantry plugins enable ${record.id}`;
  if (version !== decision.version) {
    const reason = `Version ${decision.version} was enabled; the folder contains ${version}, and the store has no copy of the enabled version`;
    quarantine(record, [createProblem('PLUGIN_CHANGED', reason, remedy)]);
  } else {
    const reason = `The files of the package differ from the enabled files (version ${version}), and the store has no copy of the enabled files`;
    quarantine(record, [createProblem('PLUGIN_CHANGED', reason, remedy)]);
  }
}

function compare(first: string, second: string): number {
  return first < second ? -1 : Number(first > second);
}

/** Checks all of a package that can be known without running its code. Collects every problem. */
export async function validate(found: DiscoveredPackage, apiVersion: string): Promise<Validation> {
  if (found.problems.length > 0) return { problems: found.problems };
  const file = join(found.source, 'package.json');
  const main = packageSchema.safeParse(found.json, { reportInput: true });
  const { gantry: judged, foreign } = splitUnsupportedUi(found.json.gantry);
  const gantry = gantrySchema.safeParse(judged, { reportInput: true });
  const apiRange = pluginApiRange(found.json);
  const entry = await findEntryFile(found.folder, found.json);
  const foreignVersion = unsupportedVersion(found.json.gantry, file);
  const problems = [
    ...describeIssues(main, file, ''),
    ...(foreignVersion ?? describeIssues(gantry, file, 'gantry')),
    ...(gantry.success ? [...contradictions(gantry.data, file), ...findReserved(gantry.data, file)] : []),
    ...apiProblems(apiRange, apiVersion, file),
    ...('problem' in entry ? [entryMissing(entry.problem, found)] : []),
  ];
  const isUsable = problems.length === 0 && main.success && gantry.success;
  if (!isUsable || apiRange === undefined || 'problem' in entry) return { problems };
  const { manifestVersion: _version, ui: ownUi, systemScope, settings, network, ...members } = gantry.data;
  const ui = foreign ?? ownUi;
  const { name: packageName, version } = main.data;
  const manifest: Manifest = {
    ...{ ...members, packageName, version, main: entry.file, pluginApiRange: apiRange },
    ...(ui === undefined ? {} : { ui }),
    ...(systemScope === undefined ? {} : { systemScope }),
    ...(settings === undefined ? {} : { settings }),
    ...(network === undefined ? {} : { network }),
  };
  return { manifest, problems: [] };
}

function describeIssues(parsed: z.ZodSafeParseResult<unknown>, file: string, root: string): readonly PluginProblem[] {
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => {
    const path = abbreviate([root, ...issue.path.map(String)].filter((part) => part !== '').join('.'), 100);
    return createProblem('MANIFEST_INVALID', `${path} ${describeIssue(issue)}`, `Correct ${path} in ${file}`);
  });
}

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `has unknown members: ${abbreviate(issue.keys.map((key) => `"${key}"`).join(', '), 300)}`;
    case 'invalid_key':
      return `is not a plugin id: it ${issue.issues.map(({ message }) => message).join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; it must be of type ${issue.expected}`
        : `must be of type ${issue.expected}`;
    default:
      return `${issue.message}${describeFound(issue.input)}`;
  }
}

function describeFound(value: unknown): string {
  if (value === undefined) return '; it is missing';
  return `; found ${abbreviate(JSON.stringify(value), 60)}`;
}

function abbreviate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function unsupportedVersion(gantry: unknown, file: string): readonly PluginProblem[] | undefined {
  const version =
    typeof gantry === 'object' && gantry !== null && 'manifestVersion' in gantry ? gantry.manifestVersion : undefined;
  if (typeof version !== 'number' || version === manifestVersion) return undefined;
  const reason = `gantry.manifestVersion is ${version}; this host supports ${manifestVersion}`;
  return [
    createProblem(
      'MANIFEST_VERSION_UNSUPPORTED',
      reason,
      `Use a version of the package made for this Gantry, or update Gantry (${file})`,
    ),
  ];
}

function contradictions(gantry: z.output<typeof gantrySchema>, file: string): readonly PluginProblem[] {
  const both = Object.keys(gantry.dependsOn).filter((id) => Object.hasOwn(gantry.optionalDependsOn, id));
  return both.map((id) =>
    createProblem(
      'MANIFEST_INVALID',
      `"${id}" is in both gantry.dependsOn and gantry.optionalDependsOn`,
      `Keep one of the two in ${file}`,
    ),
  );
}

function pluginApiRange(json: PackageJson): string | undefined {
  const peers = json.peerDependencies;
  const range: unknown = typeof peers === 'object' && peers !== null ? (peers as PackageJson)[pluginApi] : undefined;
  return typeof range === 'string' ? range : undefined;
}

function apiProblems(range: string | undefined, version: string, file: string): readonly PluginProblem[] {
  const remedy = `Set peerDependencies["${pluginApi}"] in ${file} to the range that the plugin was built for, for example "^${version}"`;
  if (range === undefined || validRange(range) === null) {
    const found = range === undefined ? 'is missing' : `is "${range}", which is not a range of versions`;
    return [createProblem('PLUGIN_API_MISSING', `peerDependencies["${pluginApi}"] ${found}`, remedy)];
  }
  if (satisfies(version, range, { includePrerelease: true })) return [];
  const reason = `The package needs ${pluginApi} ${range}; this host has ${version}`;
  return [
    createProblem(
      'PLUGIN_API_INCOMPATIBLE',
      reason,
      `Use a version of the package made for ${pluginApi} ${version}, or update Gantry`,
    ),
  ];
}

function entryMissing(reason: string, { folder }: DiscoveredPackage): PluginProblem {
  return createProblem(
    'ENTRY_MISSING',
    `The entry file is missing: ${reason}`,
    `Build the package, or correct main or exports in ${join(folder, 'package.json')}`,
  );
}
