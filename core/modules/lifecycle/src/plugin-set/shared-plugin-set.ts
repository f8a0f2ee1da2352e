import { randomUUID } from 'node:crypto';
import type { FollowedSet, PluginDecision } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { PluginError, readCopy, storeCopy, toMap, type LocalCopy, type PluginDecisions } from '@gantry/core-loader';
import type { PackageHost } from '../packages/obtain-packages';
import { holderOf, releaseReservation, reserveChange } from './reserve-change';
import { changeStoredSet, decisionsFor, readStoredSet, withSetClient } from './stored-set';
import { copyOf, syncPluginSet, type RunningSet } from './sync-plugin-set';

export interface SharedPluginSetOptions extends PackageHost {
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** A file whose decisions count in place of the set (GANTRY_PLUGIN_SET). */
  readonly setFile?: string;
  /** Whether this process runs required plugins only, whatever the set says (`--safe`). */
  readonly isSafe: boolean;
}

/** The plugin set of the database, as one host process uses it. */
export interface SharedPluginSet {
  /** Which one this process runs; undefined where it does not use it. */
  running(): RunningSet | undefined;
  /** For a process that replaces none: brings home and database together. */
  open(): Promise<void>;
  /** For one that is to run a set that another host has stored. @returns its decisions as this home sees them */
  decisionsOf(followed: FollowedSet): PluginDecisions;
  /** For one that is ready to replace another one: what was tried out counts from now on. @throws PluginError PLUGIN_SET_CHANGED */
  commit(decisions: Readonly<Record<string, PluginDecision>>, followed: FollowedSet | undefined): Promise<void>;
  /**
   * Before a change: keeps other hosts from making changes.
   * @param isQueued whether it comes after another change of this host
   * @throws PluginError PLUGIN_SET_CHANGED
   */
  reserve(text: string, isQueued: boolean): Promise<void>;
  /** Stores decisions for the next start. @throws PluginError PLUGIN_SET_CHANGED */
  change(decisions: PluginDecisions): Promise<void>;
}

export function createSharedPluginSet(options: SharedPluginSetOptions): SharedPluginSet {
  const { home, databaseUrl, setFile, isSafe } = options;
  let running: RunningSet | undefined;
  const host = (): string => readCopy(home)?.host ?? randomUUID();
  const assertUsed = (): void => {
    if (setFile !== undefined) throw overridden(setFile);
  };
  const change = async (decisions: PluginDecisions): Promise<void> => {
    // With required plugins only, it has not been read yet.
    if (isSafe) await syncPluginSet(options);
    await withSetClient(databaseUrl, async (client) => {
      const copy = readCopy(home);
      const name = copy?.host ?? randomUUID();
      const stored = await changeStoredSet(client, { host: name, expected: copy?.revision, decisions });
      const after = copyOf(stored, name, copy);
      await keep(options, () => storeCopy(home, after));
      if (!isSafe) running = after;
      // A host that does not follow the set has no follower that releases it.
      else await client.query(releaseReservation, [holderOf(home)]);
    });
  };
  return {
    running: () => (setFile === undefined ? running : undefined),
    open: async () => {
      if (setFile === undefined && !isSafe) running = await syncPluginSet(options);
    },
    decisionsOf: ({ plugins }) => decisionsFor(host(), toMap(plugins)),
    commit: async (decisions, followed) => {
      if (setFile !== undefined) return;
      if (followed === undefined && Object.keys(decisions).length > 0) return change(toMap(decisions));
      const copy = followed === undefined ? readCopy(home) : copyOfFollowed(home, host(), followed);
      if (copy !== undefined && followed !== undefined) await keep(options, () => storeCopy(home, copy));
      if (!isSafe) running = copy;
    },
    reserve: async (text, isQueued) => {
      assertUsed();
      await withSetClient(databaseUrl, async (client) => {
        if ((await readStoredSet(client)) === undefined) return;
        const expected = isSafe || isQueued ? undefined : running?.revision;
        await reserveChange(client, { home, text, expected });
      });
    },
    change: async (decisions) => {
      assertUsed();
      await change(decisions);
    },
  };
}

function copyOfFollowed(
  home: string,
  host: string,
  { revision, generation, plugins, isOwn = false }: FollowedSet,
): LocalCopy {
  const before = readCopy(home);
  return {
    ...{ host, revision, generation, followed: !isOwn },
    decisions: decisionsFor(host, toMap(plugins)),
    previous: before?.decisions,
    ...(before === undefined ? {} : { before: { revision: before.revision, generation: before.generation } }),
  };
}

/** The set of the database counts; the copy of the home is written again by the next start. */
async function keep({ logger }: SharedPluginSetOptions, store: () => Promise<void>): Promise<void> {
  try {
    await store();
  } catch (error) {
    logger.error(
      { err: error },
      'plugin-set.json cannot be written; the next start reads the plugin set from the database',
    );
  }
}

function overridden(file: string): PluginError {
  return new PluginError(
    'PLUGIN_SET_CHANGED',
    `This host runs the plugins of the file ${file} (GANTRY_PLUGIN_SET), which no command changes`,
    'Edit the file, or start the host without GANTRY_PLUGIN_SET',
  );
}
