import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ClientBase } from 'pg';
import { decisionsSchema } from '@gantry/core-supervisor/child';
import type { PluginDecision } from '@gantry/contracts';
import { z } from 'zod';
import { connectionSettings, translateNotPermitted, withClient } from '@gantry/core-database';
import { PluginError, toMap, toObject, type PluginDecisions } from '@gantry/core-loader';
import { ensureSetTables } from './tables';

const rowSchema = z.object({
  revision: z.string(),
  generation: z.coerce.number(),
  plugins: decisionsSchema,
  previous: decisionsSchema.nullable(),
  changed_by: z.string(),
});

/** The plugin set of the database. */
export interface StoredSet {
  /** Differs after every change. */
  readonly revision: string;
  /** Counts from 1. */
  readonly generation: number;
  readonly decisions: PluginDecisions;
  /** The set before the last change. */
  readonly previous?: PluginDecisions | undefined;
  /** Name of the machine whose host made the last change. */
  readonly changedBy: string;
}

/** A change of the set. */
export interface SetChange {
  /** The name of the home that makes it. */
  readonly host: string;
  /** The revision that it changes; undefined where there is no set yet. */
  readonly expected: string | undefined;
  readonly decisions: PluginDecisions;
  /** Ids about which nothing is decided any more. */
  readonly removed?: readonly string[];
  /** The set before it, where the database has none yet. */
  readonly previous?: PluginDecisions | undefined;
  /** Whether it takes back the change before it. */
  readonly isReturn?: boolean;
}

/** A host that starts may wait for another one that makes the tables; nothing else takes long. */
const limits = { statementTimeoutMs: 130_000, idleInTransactionTimeoutMs: 60_000 } as const;

/** Runs work on a separate connection, with the tables of the set. @throws GantryError `UNAVAILABLE` */
export async function withSetClient<T>(databaseUrl: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
  try {
    return await withClient(connectionSettings(databaseUrl, 'plugin set', limits), async (client) => {
      await ensureSetTables(client);
      return work(client);
    });
  } catch (error) {
    throw error instanceof PluginError ? error : translateNotPermitted(error);
  }
}

export async function readStoredSet(client: ClientBase): Promise<StoredSet | undefined> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT revision, generation, plugins, previous, changed_by FROM gantry_plugin_set WHERE name = 'plugins'`,
  );
  if (rows[0] === undefined) return undefined;
  const parsed = rowSchema.safeParse(rows[0]);
  if (!parsed.success) throw rowDamaged(parsed.error);
  const { revision, generation, plugins, previous, changed_by: changedBy } = parsed.data;
  return {
    ...{ revision, generation, changedBy, decisions: toMap(plugins) },
    previous: previous === null ? undefined : toMap(previous),
  };
}

/**
 * Makes a change in one transaction, if the set is still the expected one.
 * @returns the set as it is now
 * @throws PluginError PLUGIN_SET_CHANGED
 */
export async function changeStoredSet(client: ClientBase, change: SetChange): Promise<StoredSet> {
  await client.query('BEGIN');
  try {
    // Waits for a change that another host commits at this moment.
    await client.query(`SELECT FROM gantry_plugin_set WHERE name = 'plugins' FOR UPDATE`);
    const before = await readStoredSet(client);
    if (before?.revision !== change.expected) throw setChanged(before);
    const after = await writeSet(client, before, change);
    await client.query('COMMIT');
    return after;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function writeSet(client: ClientBase, before: StoredSet | undefined, change: SetChange): Promise<StoredSet> {
  const decisions = new Map(before?.decisions);
  for (const id of change.removed ?? []) decisions.delete(id);
  for (const [id, decision] of change.decisions) {
    decisions.set(id, storedForm(change.host, decision, before?.previous?.get(id)));
  }
  const after: StoredSet = {
    revision: randomUUID(),
    generation: (before?.generation ?? 0) + 1,
    decisions,
    previous: before === undefined || change.isReturn === true ? change.previous : before.decisions,
    changedBy: hostname(),
  };
  const previous = after.previous === undefined ? null : JSON.stringify(toObject(after.previous));
  const { rowCount } = await client.query(
    `INSERT INTO gantry_plugin_set (name, generation, revision, plugins, previous, changed_by, changed_at)
     VALUES ('plugins', $1, $2, $3::jsonb, $4::jsonb, $5, now())
     ON CONFLICT (name) DO UPDATE SET generation = EXCLUDED.generation, revision = EXCLUDED.revision,
       plugins = EXCLUDED.plugins, previous = EXCLUDED.previous, changed_by = EXCLUDED.changed_by, changed_at = now()
     WHERE gantry_plugin_set.revision = $6`,
    [
      ...[after.generation, after.revision, JSON.stringify(toObject(decisions)), previous, after.changedBy],
      change.expected ?? '',
    ],
  );
  // Two hosts that start on an empty database.
  if (rowCount === 0) throw setChanged(undefined);
  return after;
}

/** A host that takes back a change of another one does not know the folder that the pin of that one names. */
function storedForm(host: string, decision: PluginDecision, earlier: PluginDecision | undefined): PluginDecision {
  const owned = ownedBy(host, decision);
  if (!owned.enabled || !earlier?.enabled || owned.host !== earlier.host) return owned;
  return owned.contentHash === earlier.contentHash && owned.folder === undefined ? earlier : owned;
}

/** A folder means something on the host that has it. */
function ownedBy(host: string, decision: PluginDecision): PluginDecision {
  const hasFolder = decision.enabled && decision.installed === undefined;
  return hasFolder && decision.host === undefined ? { ...decision, host } : decision;
}

/** The decisions as a home sees them: of what another one has enabled, it has no folder. */
export function decisionsFor(host: string, decisions: PluginDecisions): PluginDecisions {
  return new Map(
    [...decisions].map(([id, decision]) => {
      if (!decision.enabled || decision.host === undefined) return [id, decision];
      const { folder, host: owner, ...rest } = decision;
      if (owner !== host) return [id, { ...rest, host: owner }];
      return [id, folder === undefined ? rest : { ...rest, folder }];
    }),
  );
}

/** Differences between two sets, by plugin id. */
export function differenceBetween(
  before: PluginDecisions,
  after: PluginDecisions,
): Required<Pick<SetChange, 'decisions' | 'removed'>> {
  const changed = [...after].filter(([id, decision]) => !isSame(before.get(id), decision));
  return { decisions: new Map(changed), removed: [...before.keys()].filter((id) => !after.has(id)) };
}

function isSame(first: PluginDecision | undefined, second: PluginDecision): boolean {
  if (first?.installed?.contentHash !== second.installed?.contentHash) return false;
  if (first?.enabled !== true || !second.enabled) return first?.enabled === second.enabled;
  return first.version === second.version && first.contentHash === second.contentHash && first.host === second.host;
}

function rowDamaged(cause: z.ZodError): PluginError {
  const detail = z.prettifyError(cause).replaceAll(/\s*\n\s*/g, ' ');
  return new PluginError(
    'PLUGIN_STATE_DAMAGED',
    `The table gantry_plugin_set, which lists the enabled plugins, cannot be read: ${detail}`,
    'Correct its row, or start this host with a file in its place: GANTRY_PLUGIN_SET=<file>, for example plugins.json.imported of the home',
    { cause },
  );
}

export function setChanged(now: Pick<StoredSet, 'generation' | 'changedBy'> | undefined): PluginError {
  const who = now === undefined ? 'Another host' : `A host on ${now.changedBy}`;
  const what = now === undefined ? '' : ` (generation ${now.generation} of the plugin set)`;
  return new PluginError(
    'PLUGIN_SET_CHANGED',
    `${who} has changed the plugins in the meantime${what}`,
    'This request changed nothing. Wait until this host follows, and try again',
  );
}
