import type { FollowedSet, PluginSetReport } from '@gantry/contracts';
import type { Database, Logger } from '@gantry/plugin-api';
import { pause } from '@gantry/core-common';
import { isSettled } from '../common/is-settled';
import type { Generations } from '../common/generations';
import { actionOf, newChange } from '../common/new-change';
import { PluginError, readCopy, toObject, type LocalCopy } from '../plugins';
import { fetchPackages } from './archives';
import { holderOf, releaseReservation, renewReservation } from './reserve-change';
import type { RunningHost } from './running-hosts';
import type { SharedPluginSet } from './shared-plugin-set';
import { decisionsFor, differenceBetween, readStoredSet, withSetClient, type StoredSet } from './stored-set';
import type { RunningSet } from './sync-plugin-set';

/** Far below the ten seconds in which hosts follow. */
const pollIntervalMs = 2_000;

export interface FollowOptions {
  readonly home: string;
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
  const look = async (): Promise<void> => {
    await host?.note();
    try {
      behind = await lookAndFollow(options);
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

/** @returns the set that this host does not run */
async function lookAndFollow(options: FollowOptions): Promise<Behind | undefined> {
  const { database, home, set, generations } = options;
  const [row] = await database.query<Row>(
    `SELECT revision, generation, change_host FROM gantry_plugin_set WHERE name = 'plugins'`,
  );
  const running = set.running();
  if (row === undefined || running === undefined) return undefined;
  if (row.change_host === holderOf(home)) {
    const isChanging = !isSettled(generations.report());
    await database.query(isChanging ? renewReservation : releaseReservation, [row.change_host]);
  }
  if (row.revision === running.revision) return undefined;
  const generation = Number(row.generation);
  if (!isSettled(generations.report())) return { generation };
  const { copy, damage } = tryReadCopy(home);
  if (damage !== undefined) return { generation, error: damage };
  const { refused } = copy ?? {};
  if (refused?.revision === row.revision) return { generation, error: refused.error };
  if (generations.report().changesTakeEffect === 'next-start') return { generation, error: nextStart };
  // The reservation of this host ends only after a change that has stored nothing, or was adopted.
  return request(options, copy?.host ?? '', running, row.change_host === holderOf(home));
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

async function request(
  options: FollowOptions,
  host: string,
  running: RunningSet,
  isOwn: boolean,
): Promise<Behind | undefined> {
  const { databaseUrl, home, generations } = options;
  let generation = running.generation;
  try {
    const stored = await withSetClient(databaseUrl, async (client) => {
      const found = await readStoredSet(client);
      generation = found?.generation ?? generation;
      if (found !== undefined) await fetchPackages(client, home, decisionsFor(host, found.decisions));
      return found;
    });
    if (stored === undefined) return undefined;
    const difference = differenceBetween(running.decisions, decisionsFor(host, stored.decisions));
    requestFollowing(generations, stored, difference, isOwn);
    return { generation: stored.generation };
  } catch (error) {
    return { generation, error: problemOf(error) };
  }
}

function requestFollowing(
  generations: Generations,
  { revision, generation, decisions }: StoredSet,
  difference: ReturnType<typeof differenceBetween>,
  isOwn: boolean,
): void {
  const changed = [...difference.decisions.keys(), ...difference.removed];
  const change = newChange(actionOf(difference.decisions), changed, { follows: generation });
  const plugins = toObject(decisions);
  const follow: FollowedSet = { revision, generation, plugins, removed: difference.removed, isOwn };
  generations.request(change, toObject(difference.decisions), follow);
}

const nextStart = {
  code: 'NEXT_START',
  message: 'This host has no launcher that could start another one.',
  remedy: 'Start it again.',
} as const;
