import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginDecision } from '@gantry/contracts';
import { z } from 'zod';
import { withFileLock } from './file-lock';
import { PluginError } from './plugin-error';

/** What was decided about plugins by command, by plugin id. A plugin without an entry is enabled and not pinned. */
export type PluginDecisions = ReadonlyMap<string, PluginDecision>;

const decisionsSchema = z.record(
  z.string(),
  z.discriminatedUnion('enabled', [
    z.object({ enabled: z.literal(false) }),
    z.object({ enabled: z.literal(true), version: z.string(), contentHash: z.string() }),
  ]),
);

const stateSchema = z.object({ formatVersion: z.literal(1), plugins: decisionsSchema });

/** Decisions that came as JSON from another process. @throws Error when they are none */
export function parseDecisions(json: string): PluginDecisions {
  return new Map(Object.entries(decisionsSchema.parse(JSON.parse(json))));
}

/**
 * Reads `plugins.json` in the home folder; a missing file holds no decisions.
 * @throws PluginError PLUGIN_STATE_DAMAGED: which plugins are disabled is unknown then, so nothing may start.
 */
export async function readDecisions(home: string): Promise<PluginDecisions> {
  const file = stateFile(home);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw damaged(file, error);
  });
  if (text === undefined) return new Map();
  try {
    return new Map(Object.entries(stateSchema.parse(JSON.parse(text)).plugins));
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
 * @throws PluginError PLUGIN_STATE_DAMAGED, with the file left as it is; PLUGIN_STATE_BUSY
 */
export async function changeDecisions(home: string, changed: PluginDecisions): Promise<void> {
  await mkdir(home, { recursive: true });
  await withFileLock(`${stateFile(home)}.lock`, async () => {
    const decisions = new Map([...(await readDecisions(home)), ...changed]);
    const plugins = Object.fromEntries([...decisions].toSorted(([first], [second]) => (first < second ? -1 : 1)));
    await replaceFile(stateFile(home), `${JSON.stringify({ formatVersion: 1, plugins }, null, 2)}\n`);
  });
}

function stateFile(home: string): string {
  return join(home, 'plugins.json');
}

/** On disk before it takes the place of the old file: a power cut leaves one of the two. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeThrough(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function damaged(file: string, cause: unknown): PluginError {
  const detail = cause instanceof z.ZodError ? z.prettifyError(cause).replaceAll(/\s*\n\s*/g, ' ') : String(cause);
  return new PluginError(
    'PLUGIN_STATE_DAMAGED',
    `${file}, which says which plugins are enabled, cannot be read: ${detail}`,
    `Correct the file, or move it away to start with every plugin enabled: mv "${file}" "${file}.damaged"`,
    { cause },
  );
}
