import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withFileLock, writeAtomically } from '@gantry/core-common';
import { decisionsSchema } from '@gantry/core-supervisor/child';
import type { PluginDecision } from '@gantry/contracts';
import { gte, valid } from 'semver';
import { z } from 'zod';
import { PluginError } from '../plugin-error';
import {
  keptPackage,
  readCopy,
  stateDamaged,
  toMap,
  toObject,
  writeCopy,
  type LocalCopy,
  type PluginDecisions,
  type RefusedSet,
} from './local-copy';
import { collectGarbage } from './store/collect-garbage';

/** An earlier version of the platform reads `plugins` and drops the rest at its next change. */
const stateSchema = z.object({
  formatVersion: z.literal(1),
  plugins: decisionsSchema,
  previous: decisionsSchema.optional(),
  base: z.string().optional(),
});

/** Decisions that the database does not have yet: `plugins.json`. The next start stores them in the database. */
export interface PendingDecisions {
  readonly decisions: PluginDecisions;
  /** The decisions before the last change; absent before the first one and after a return to them. */
  readonly previous?: PluginDecisions | undefined;
  /** Revision of the set of the database that they change; absent where the home had none. */
  readonly base?: string | undefined;
}

/**
 * The decisions that this home knows: decisions that the database does not have yet, else its copy of the set of the
 * database; without either file there are none.
 * @throws PluginError PLUGIN_STATE_DAMAGED: which plugins are disabled is unknown then, so nothing may start.
 */
export async function readDecisions(home: string): Promise<PluginDecisions> {
  return (await readState(home)).decisions;
}

/**
 * The plugin set before the last change, whose packages are kept in the store; undefined where there is none.
 * @throws PluginError PLUGIN_STATE_DAMAGED
 */
export async function readPreviousDecisions(home: string): Promise<PluginDecisions | undefined> {
  return (await readState(home)).previous;
}

/** @throws PluginError PLUGIN_STATE_DAMAGED */
export function readPending(home: string): Promise<PendingDecisions | undefined> {
  return readFileOf(stateFile(home), `or move it away to start with every plugin enabled`);
}

/** The decisions of a file of the same format as `plugins.json`. @throws PluginError PLUGIN_STATE_DAMAGED */
export async function readDecisionsFile(file: string): Promise<PluginDecisions> {
  const found = await readFileOf(file, 'or unset GANTRY_PLUGIN_SET; to move it away');
  if (found !== undefined) return found.decisions;
  throw new PluginError(
    'PLUGIN_STATE_DAMAGED',
    `${file} (GANTRY_PLUGIN_SET) does not exist`,
    'Name a file such as plugins.json, or unset GANTRY_PLUGIN_SET',
  );
}

async function readFileOf(file: string, otherwise: string): Promise<PendingDecisions | undefined> {
  const damaged = (error: unknown): PluginError =>
    stateDamaged(file, error, `Correct the file, ${otherwise}: mv "${file}" "${file}.damaged"`);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw damaged(error);
  });
  if (text === undefined) return undefined;
  try {
    const { plugins, previous, base } = stateSchema.parse(JSON.parse(text));
    return { decisions: toMap(plugins), previous: previous && toMap(previous), base };
  } catch (error) {
    throw damaged(error);
  }
}

async function readState(home: string): Promise<PendingDecisions> {
  const pending = await readCounting(home);
  if (pending !== undefined) return pending;
  const copy = readCopy(home);
  return { decisions: copy?.decisions ?? new Map(), previous: copy?.previous, base: copy?.revision };
}

/** Decisions of `plugins.json`, unless the set of the database has changed since: the next start leaves them out then. */
async function readCounting(home: string): Promise<PendingDecisions | undefined> {
  const pending = await readPending(home);
  return pending === undefined || isSuperseded(home, pending) ? undefined : pending;
}

function isSuperseded(home: string, { base }: PendingDecisions): boolean {
  try {
    const copy = readCopy(home);
    return copy !== undefined && copy.revision !== base;
  } catch {
    // The next start writes the copy again.
    return false;
  }
}

/** Decisions for the next start, made while the platform runs. */
export interface WaitingDecisions {
  /** By plugin id; undefined where nothing is decided any more. Without superseded ones that the set of today covers. */
  readonly decisions: ReadonlyMap<string, PluginDecision | undefined>;
  /** Whether they do not count, because the set has changed since. */
  readonly areSuperseded: boolean;
}

/** @throws PluginError PLUGIN_STATE_DAMAGED */
export async function readWaiting(home: string): Promise<WaitingDecisions> {
  const pending = await readPending(home);
  const { decisions: known = new Map<string, PluginDecision>() } = readCopy(home) ?? {};
  const { decisions: decided = known } = pending ?? {};
  const ids = [...new Set([...known.keys(), ...decided.keys()])].toSorted();
  const areSuperseded = pending !== undefined && isSuperseded(home, pending);
  const changed = ids.filter(
    (id) =>
      !isDeepStrictEqual(known.get(id), decided.get(id)) &&
      !(areSuperseded && isCovered(decided.get(id), known.get(id))),
  );
  return { decisions: new Map(changed.map((id) => [id, decided.get(id)])), areSuperseded };
}

/** Whether what is decided now leaves nothing of a decision to decide again: both disable, or a version that is as new is enabled. */
function isCovered(decided: PluginDecision | undefined, known: PluginDecision | undefined): boolean {
  if (decided === undefined || known === undefined) return false;
  if (!decided.enabled || !known.enabled) return decided.enabled === known.enabled;
  return valid(decided.version) !== null && valid(known.version) !== null && gte(known.version, decided.version);
}

/** One decision; see {@link changeDecisions}. */
export function changeDecision(home: string, id: string, decision: PluginDecision): Promise<void> {
  return changeDecisions(home, new Map([[id, decision]]));
}

/** Removes the decision about a plugin: it runs from its folder. @throws as {@link changeDecisions} */
export function forgetDecision(home: string, id: string): Promise<void> {
  return changeDecisions(home, new Map([[id, undefined]]));
}

/**
 * Changes the decisions of this home under a lock and replaces the file in one step, so that a reader sees the old or the new
 * one whole. Those from before the change are kept as the previous set. The next start stores them in the database.
 * @param changed undefined for a plugin about which nothing is decided any more
 * @param expected what the decisions that change have to be before; absent where that does not matter
 * @throws PluginError PLUGIN_STATE_DAMAGED, with the file left as it is; PLUGIN_STATE_BUSY; PLUGIN_SET_CHANGED
 */
export async function changeDecisions(
  home: string,
  changed: ReadonlyMap<string, PluginDecision | undefined>,
  expected: ReadonlyMap<string, PluginDecision | undefined> = new Map(),
): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await withStateLock(home, async () => {
    const before = await readState(home);
    assertExpected(before.decisions, expected);
    const decisions = new Map(before.decisions);
    for (const [id, decision] of changed) {
      if (decision === undefined) decisions.delete(id);
      else decisions.set(id, decision);
    }
    const isSame = textOf({ decisions }) === textOf({ decisions: before.decisions });
    if (isSame && before.base !== undefined && (await readCounting(home)) === undefined) return;
    const previous = isSame ? before.previous : before.decisions;
    writeAtomically(stateFile(home), textOf({ decisions, previous, base: before.base }));
  });
  await collectUnused(home);
}

function assertExpected(decisions: PluginDecisions, expected: ReadonlyMap<string, PluginDecision | undefined>): void {
  const other = [...expected].find(([id, decision]) => !isDeepStrictEqual(decisions.get(id), decision));
  if (other === undefined) return;
  throw new PluginError(
    'PLUGIN_SET_CHANGED',
    `Another command has changed the plugin ${other[0]} in the meantime`,
    'This command changed nothing. Check the plugins, and try again: gantry plugins list',
  );
}

/**
 * Makes the plugin set from before the last change the current one again; a second call in a row changes nothing. Where
 * another host has made that change, this home alone returns.
 * @param reason why, for what this host reports of a set that it does not run
 * @returns the decisions that count now, or undefined where there was no previous set
 * @throws PluginError PLUGIN_STATE_DAMAGED, with the file left as it is; PLUGIN_STATE_BUSY
 */
export async function returnToPreviousDecisions(
  home: string,
  reason = 'A plugin crashed the host after the change',
): Promise<PluginDecisions | undefined> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  return withStateLock(home, async () => {
    const { previous, base } = await readState(home);
    if (previous === undefined) return undefined;
    const copy = (await readCounting(home)) === undefined ? readCopy(home) : undefined;
    if (copy?.followed === true) {
      const { revision, generation } = copy;
      const remedy = 'Fix the plugin, and restart this host to try the set again.';
      const refused = { revision, generation, error: { code: 'PLUGIN_CRASHED', message: `${reason}.`, remedy } };
      const before = copy.before ?? { revision: '', generation: generation - 1 };
      writeCopy(home, { ...copy, ...before, decisions: previous, previous: undefined, before: undefined, refused });
    } else {
      writeAtomically(stateFile(home), textOf({ decisions: previous, base }));
    }
    return previous;
  });
}

/** Notes a set of the database that this host could not load, so that it is not tried again and again. */
export async function refuseSet(home: string, refused: RefusedSet): Promise<void> {
  await withStateLock(home, async () => {
    const copy = readCopy(home);
    if (copy !== undefined) writeCopy(home, { ...copy, refused });
  });
}

/** The next start tries again to load it, which also writes a damaged copy again. */
export async function forgetRefusedSet(home: string): Promise<void> {
  try {
    if (readCopy(home)?.refused === undefined) return;
  } catch {
    return;
  }
  await withStateLock(home, async () => {
    const copy = readCopy(home);
    if (copy !== undefined) writeCopy(home, { ...copy, refused: undefined });
  });
}

/** Writes the set of the database into the home; what was pending becomes `plugins.json.imported` or `.superseded`. */
export async function storeCopy(home: string, copy: LocalCopy, pending?: 'imported' | 'superseded'): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await withStateLock(home, async () => {
    writeCopy(home, copy);
    if (pending !== undefined) await rename(stateFile(home), `${stateFile(home)}.${pending}`);
  });
  await collectUnused(home);
}

async function collectUnused(home: string): Promise<void> {
  const [state, copy] = [await readState(home), readCopy(home)];
  const sets = [state.decisions, state.previous, copy?.decisions, copy?.previous];
  await collectGarbage(home, new Set(sets.flatMap((decisions) => contentHashesOf(decisions))));
}

/** Of the packages that a set is pinned to, and of those that are installed. */
function contentHashesOf(decisions: PluginDecisions = new Map()): readonly string[] {
  return [...decisions.values()].flatMap((decision) => keptPackage(decision)?.contentHash ?? []);
}

function textOf({ decisions, previous, base }: PendingDecisions): string {
  const state = {
    formatVersion: 1,
    ...(base === undefined ? {} : { base }),
    plugins: toObject(decisions),
    ...(previous === undefined ? {} : { previous: toObject(previous) }),
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

function stateFile(home: string): string {
  return join(home, 'plugins.json');
}

/** Longer than any change of a small file takes. */
const lockTimeoutMs = 2_000;

function withStateLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const file = `${stateFile(home)}.lock`;
  const busy = (): PluginError =>
    new PluginError(
      'PLUGIN_STATE_BUSY',
      `Another command holds ${file}`,
      `Try again; if no command runs, remove the file: rm "${file}"`,
    );
  return withFileLock(file, { purpose: 'a change of plugins.json', timeoutMs: lockTimeoutMs, busy }, work);
}
