import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import {
  pluginPhases,
  type InstalledPackage,
  type PluginPhase,
  type PluginProblem,
  type PluginState,
} from '@gantry/contracts';
import type { Manifest } from '../manifest/manifest';
import type { PackageJson } from '../manifest/package-json';
import { boundProblems, stateOf } from '../problem-kinds';
import type { RegisteredPlugin } from './registered-plugin';
import type { UiFolder } from './ui-folder';

/** A folder that holds a plugin package, or what should be one. */
export interface DiscoveredPackage {
  /** Real path of the folder from which it is loaded. */
  readonly folder: string;
  /** Real path of the folder in which it was found; another one when the copy in the store is loaded. */
  readonly source: string;
  /** Empty when it could not be read; `problems` says why. */
  readonly json: PackageJson;
  readonly problems: readonly PluginProblem[];
  /** Milliseconds. */
  readonly duration: number;
}

/** The state of one discovered package in the course of a start. The only mutable object of the loader. */
export interface PluginRecord {
  readonly found: DiscoveredPackage;
  /** `gantry.id`; while that is unusable, a name by which a person recognises the package. */
  readonly id: string;
  readonly manifest: Manifest | undefined;
  /** `active`: not started yet, without a problem so far. */
  state: 'active' | PluginState;
  phase: PluginPhase;
  problems: readonly PluginProblem[];
  /** Warnings for the author of the plugin; none prevents a start. */
  notes: readonly string[];
  readonly timings: Partial<Record<PluginPhase, number>>;
  /** Aborts when the plugin is quarantined or the host begins to stop. */
  readonly abort: AbortController;
  /** Somebody enabled it by command: it runs only as it was then. */
  readonly pinned: boolean;
  /** Of one that is loaded from the store: the package in its folder now, which enabling it again would take in. */
  readonly candidate?: PluginRecord;
  /** Where its package comes from, if that was installed by command. */
  readonly installed?: InstalledPackage;
  registered?: RegisteredPlugin;
  /** Its built pages. */
  ui?: UiFolder;
}

/** Runs one phase of one plugin: remembers that it was entered and how long it took. */
export async function timed<T>(record: PluginRecord, phase: PluginPhase, work: () => Promise<T>): Promise<T> {
  enter(record, phase);
  const startedAt = performance.now();
  return work().finally(() => addTiming(record, phase, performance.now() - startedAt));
}

export function enter(record: PluginRecord, phase: PluginPhase): void {
  if (pluginPhases.indexOf(phase) > pluginPhases.indexOf(record.phase)) record.phase = phase;
}

/** @param milliseconds added to what the phase took so far */
export function addTiming(record: PluginRecord, phase: PluginPhase, milliseconds: number): void {
  record.timings[phase] = Math.round(((record.timings[phase] ?? 0) + milliseconds) * 10) / 10;
}

/**
 * Takes a plugin out of the start, with the state that its problems ask for.
 * @returns the problems as they are reported
 */
export function quarantine(record: PluginRecord, problems: readonly PluginProblem[]): readonly PluginProblem[] {
  if (problems.length === 0) return [];
  for (const { phase } of problems) enter(record, phase);
  const reported = problems.map((problem) => namingSource(record.found, problem));
  record.problems = boundProblems([...record.problems, ...reported]);
  record.state = stateOf(record.problems);
  return reported;
}

/** Node.js and code of plugins name files of the copy in the store; a person knows the folder that it was copied from. */
function namingSource({ folder, source }: DiscoveredPackage, problem: PluginProblem): PluginProblem {
  if (folder === source) return problem;
  const inSource = (text: string): string =>
    text.replaceAll(pathToFileURL(folder).href, pathToFileURL(source).href).replaceAll(folder, source);
  return Object.freeze({ ...problem, reason: inSource(problem.reason), remedy: inSource(problem.remedy) });
}

/** Whether the plugin is loaded from the copy in the store, as it was enabled. */
export function isStored({ found }: PluginRecord): boolean {
  return found.folder !== found.source;
}

/** Whether the plugin is on its way or serving. */
export function isActive(record: PluginRecord): boolean {
  return record.state === 'active' || record.state === 'started';
}
