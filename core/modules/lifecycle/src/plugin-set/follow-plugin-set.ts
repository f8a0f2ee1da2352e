import type { FollowedSet, PluginSetReport } from '@gantry/contracts';
import type { Database, Logger } from '@gantry/plugin-api';
import { pause } from '@gantry/core-common';
import { isSettled } from '../common/is-settled';
import type { Generations } from '../common/generations';
import { actionOf, newChange } from '../common/new-change';
import { obtainPackages, type PackageHost } from '../packages/obtain-packages';
import { PluginError, readCopy, toObject, type LocalCopy, type PluginDecisions } from '@gantry/core-loader';
import { unpackArchives } from './archives';
import { holderOf, releaseReservation, renewReservation } from './reserve-change';
import type { RunningHost } from './running-hosts';
import type { SharedPluginSet } from './shared-plugin-set';
import { decisionsFor, differenceBetween, readStoredSet, withSetClient, type StoredSet } from './stored-set';
import type { RunningSet } from './sync-plugin-set';

/** Far below the ten seconds in which hosts follow. */
const pollIntervalMs = 2_000;

/** The registry may answer again, or a person has put the files of a lacking package into a plugin folder. */
const retryAfterMs = 30_000;

export interface FollowOptions extends Omit<PackageHost, 'signal'> {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly logger: Logger;
  readonly set: SharedPluginSet;
  readonly generations: Generations;
  /** Written down again and again, also where this host does not use the set. */
  readonly host: Pick<RunningHost, 'note'> | undefined;
}

/** Follows the changes of the plugin set that other hosts make. */
export interface PluginSetFollower {
  report(): PluginSetReport | undefined;
  stop(): Promise<void>;
}

type Behind = NonNullable<PluginSetReport['behind']>;

interface Row {
  readonly revision: string;
  readonly generation: string;
  readonly change_host: string | null;
}

export function startFollowing(options: FollowOptions): PluginSetFollower {
  const { set, logger, host } = options;
  let behind: Behind | undefined;
  let known: string | undefined;
  const stopping = new AbortController();
  const obtaining = createObtaining({ ...options, signal: stopping.signal });
  const look = async (): Promise<void> => {
    await host?.note();
    try {
      behind = await lookAndFollow(options, obtaining);
    } catch (error) {
      // A database that does not answer has its own part in the health of the host.
      logger.debug({ err: error }, 'the plugin set could not be read');
    }
    const reason = behind?.error?.message;
    if (reason !== undefined && reason !== known) {
      logger.error(
        { generation: behind?.generation, code: behind?.error?.code },
        `this host keeps its plugins: ${reason}`,
      );
    }
    known = reason;
  };
  const ended = repeat(look, stopping.signal);
  return {
    report: () => {
      const running = set.running();
      if (running === undefined) return undefined;
      return { generation: running.generation, ...(behind === undefined ? {} : { behind }) };
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function repeat(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(pollIntervalMs, signal);
    if (signal.aborted) return;
    await work();
  }
}

/** Attempts with the set of the database. */
interface Attempt {
  readonly revision: string;
  /** Why packages are lacking; absent where all are in the store. */
  readonly error?: PluginError;
  readonly at: number;
}

/** Reads the set of the database and gets its packages; one whose packages are lacking is not tried again at once. */
function createObtaining(options: FollowOptions & PackageHost) {
  const { databaseUrl, home, logger } = options;
  let last: Attempt | undefined;
  return {
    /** Whether packages of that set were lacking when it was tried; undefined before that. */
    wasLacking: (revision: string) => (last?.revision === revision ? last.error !== undefined : undefined),
    async obtain(host: string): Promise<StoredSet | PluginError | undefined> {
      const stored = await withSetClient(databaseUrl, async (client) => {
        const found = await readStoredSet(client);
        // A host of an earlier version may have made the change.
        await unpackArchives(client, home, [found?.decisions], ({ code, message }) => logger.error({ code }, message));
        return found;
      });
      if (stored === undefined) return undefined;
      const { revision } = stored;
      const isTried = last?.revision === revision && performance.now() - last.at < retryAfterMs;
      if (isTried && last?.error !== undefined) return last.error;
      const error = await obtainPackages(options, decisionsFor(host, stored.decisions));
      last = { revision, at: performance.now(), ...(error === undefined ? {} : { error }) };
      return error ?? stored;
    },
  };
}

type Obtaining = ReturnType<typeof createObtaining>;

/** @returns the set that this host does not run, or runs without some of its packages */
async function lookAndFollow(options: FollowOptions, obtaining: Obtaining): Promise<Behind | undefined> {
  const { database, home, set, generations } = options;
  const [row] = await database.query<Row>(
    `SELECT revision, generation, change_host FROM gantry_plugin_set WHERE name = 'plugins'`,
  );
  const running = set.running();
  if (row === undefined || running === undefined) return undefined;
  const isOwn = row.change_host === holderOf(home);
  if (isOwn) {
    const isChanging = !isSettled(generations.report());
    await database.query(isChanging ? renewReservation : releaseReservation, [row.change_host]);
  }
  if (row.revision === running.revision) return complete(options, obtaining, running);
  const generation = Number(row.generation);
  if (!isSettled(generations.report())) return { generation };
  const { copy, damage } = tryReadCopy(home);
  if (damage !== undefined) return { generation, error: damage };
  const { refused } = copy ?? {};
  if (refused?.revision === row.revision) return { generation, error: refused.error };
  if (generations.report().changesTakeEffect === 'next-start') return { generation, error: nextStart };
  const host = copy?.host ?? '';
  const found = await obtaining.obtain(host);
  if (found === undefined) return undefined;
  if (found instanceof PluginError) return { generation, error: problemOf(found) };
  // The reservation of this host ends only after a change that has stored nothing, or was adopted.
  return requestFollowing(generations, found, { before: running.decisions, host, isOwn });
}

/** Looks for packages of the running set that were lacking when this host started, and takes them in. */
async function complete(
  { home, generations }: FollowOptions,
  { obtain, wasLacking }: Obtaining,
  { revision, generation, isIncomplete }: RunningSet,
): Promise<Behind | undefined> {
  const lacked = wasLacking(revision);
  if (lacked === false && isIncomplete !== true) return undefined;
  if (!isSettled(generations.report())) return undefined;
  const { host = '', refused } = tryReadCopy(home).copy ?? {};
  if (refused?.revision === revision) return { generation, error: refused.error };
  const found = await obtain(host);
  if (found instanceof PluginError) return { generation, error: problemOf(found) };
  if (found === undefined || (lacked !== true && isIncomplete !== true)) return undefined;
  if (generations.report().changesTakeEffect === 'next-start') return { generation, error: nextStart };
  return requestFollowing(generations, found, { before: new Map(), host, isOwn: false });
}

/** Without the copy this host does not know what it has refused; the next start writes it again. */
function tryReadCopy(home: string): { readonly copy?: LocalCopy | undefined; readonly damage?: Behind['error'] } {
  try {
    return { copy: readCopy(home) };
  } catch (error) {
    return { damage: problemOf(error) };
  }
}

/** @throws what is not a problem of plugins */
function problemOf(error: unknown): NonNullable<Behind['error']> {
  if (!(error instanceof PluginError)) throw error;
  const { code, message, remedy } = error;
  return { code, message: `${message}.`, remedy: `${remedy}.` };
}

function requestFollowing(
  generations: Generations,
  { revision, generation, decisions }: StoredSet,
  { before, host, isOwn }: { readonly before: PluginDecisions; readonly host: string; readonly isOwn: boolean },
): Behind {
  // Another change may have begun while packages were fetched.
  if (!isSettled(generations.report())) return { generation };
  const difference = differenceBetween(before, decisionsFor(host, decisions));
  const changed = [...difference.decisions.keys(), ...difference.removed];
  const change = newChange(actionOf(difference.decisions), changed, { follows: generation });
  const plugins = toObject(decisions);
  const follow: FollowedSet = { revision, generation, plugins, removed: difference.removed, isOwn };
  generations.request(change, toObject(difference.decisions), follow);
  return { generation };
}

const nextStart = {
  code: 'NEXT_START',
  message: 'This host has no launcher that could start another host.',
  remedy: 'Restart the host.',
} as const;
