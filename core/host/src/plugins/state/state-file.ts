import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock, writeAtomically } from '@gantry/core-common';
import { decisionsSchema } from '@gantry/core-supervisor/child';
import type { PluginDecision } from '@gantry/contracts';
import { z } from 'zod';
import { PluginError } from '../plugin-error';
import { collectGarbage } from './store/collect-garbage';

/** What was decided about plugins by command, by plugin id. A plugin without an entry is enabled and not pinned. */
export type PluginDecisions = ReadonlyMap<string, PluginDecision>;

/** An earlier version of the platform reads `plugins` and drops the rest at its next change. */
const stateSchema = z.object({
  formatVersion: z.literal(1),
  plugins: decisionsSchema,
  previous: decisionsSchema.optional(),
});

/** What `plugins.json` holds. */
interface PluginState {
  readonly decisions: PluginDecisions;
  /** The decisions before the last change; absent before the first one and after a return to them. */
  readonly previous?: PluginDecisions | undefined;
}

/**
 * Reads `plugins.json` in the home folder; a missing file holds no decisions.
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

async function readState(home: string): Promise<PluginState> {
  const file = stateFile(home);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw damaged(file, error);
  });
  if (text === undefined) return { decisions: new Map() };
  try {
    const { plugins, previous } = stateSchema.parse(JSON.parse(text));
    return { decisions: new Map(Object.entries(plugins)), previous: previous && new Map(Object.entries(previous)) };
  } catch (error) {
    throw damaged(file, error);
  }
}

/** One decision; see {@link changeDecisions}. */
export function changeDecision(home: string, id: string, decision: PluginDecision): Promise<void> {
  return changeDecisions(home, new Map([[id, decision]]));
}

/**
 * Changes the decisions under a lock and replaces the file in one step, so that a reader sees the old or the new one whole.
 * Those from before the change are kept as the previous set.
 * @throws PluginError PLUGIN_STATE_DAMAGED, with the file left as it is; PLUGIN_STATE_BUSY
 */
export async function changeDecisions(home: string, changed: PluginDecisions): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const state = await withStateLock(home, async (): Promise<PluginState> => {
    const before = await readState(home);
    const decisions: PluginDecisions = new Map([...before.decisions, ...changed]);
    const isSame = textOf({ decisions }) === textOf({ decisions: before.decisions });
    const after = { decisions, previous: isSame ? before.previous : before.decisions };
    writeAtomically(stateFile(home), textOf(after));
    return after;
  });
  await collectGarbage(home, contentHashesOf(state));
}

function contentHashesOf({ decisions, previous = new Map() }: PluginState): ReadonlySet<string> {
  const all = [...decisions.values(), ...previous.values()];
  return new Set(all.flatMap((decision) => (decision.enabled ? [decision.contentHash] : [])));
}

/**
 * Makes the plugin set from before the last change the current one again; a second call in a row changes nothing.
 * @returns the decisions that count now, or undefined where there was no previous set
 * @throws PluginError PLUGIN_STATE_DAMAGED, with the file left as it is; PLUGIN_STATE_BUSY
 */
export async function returnToPreviousDecisions(home: string): Promise<PluginDecisions | undefined> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  return withStateLock(home, async () => {
    const { previous } = await readState(home);
    if (previous !== undefined) writeAtomically(stateFile(home), textOf({ decisions: previous }));
    return previous;
  });
}

function textOf({ decisions, previous }: PluginState): string {
  const state = {
    formatVersion: 1,
    plugins: toObject(decisions),
    ...(previous === undefined ? {} : { previous: toObject(previous) }),
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

function toObject(decisions: PluginDecisions): Readonly<Record<string, PluginDecision>> {
  return Object.fromEntries([...decisions].toSorted(([first], [second]) => (first < second ? -1 : 1)));
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

function damaged(file: string, cause: unknown): PluginError {
  const detail = cause instanceof z.ZodError ? z.prettifyError(cause).replaceAll(/\s*\n\s*/g, ' ') : String(cause);
  return new PluginError(
    'PLUGIN_STATE_DAMAGED',
    `${file}, which lists the enabled plugins, cannot be read: ${detail}`,
    `Correct the file, or move it away to start with every plugin enabled: mv "${file}" "${file}.damaged"`,
    { cause },
  );
}
