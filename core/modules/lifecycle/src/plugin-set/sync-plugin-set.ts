import type { ClientBase } from 'pg';
import type { Logger } from '@gantry/plugin-api';
import { hostNameOf, PluginError, readCopy, readPending, storeCopy, type LocalCopy } from '@gantry/core-loader';
import { obtainPackages, type PackageHost } from '../packages/obtain-packages';
import { unpackArchives } from './archives';
import {
  changeStoredSet,
  decisionsFor,
  differenceBetween,
  readStoredSet,
  setChanged,
  withSetClient,
  type SetChange,
  type StoredSet,
} from './stored-set';

/** Which set of the database a host runs. */
export interface RunningSet extends Pick<LocalCopy, 'revision' | 'generation' | 'decisions'> {
  /** Whether packages of it were lacking when this host started. */
  readonly isIncomplete?: boolean;
}

export interface SyncOptions extends PackageHost {
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Whether decisions of this home are an error where another host has overtaken them; nothing of them is kept then. */
  readonly isStrict?: boolean;
}

type Pending = NonNullable<Awaited<ReturnType<typeof readPending>>>;

/**
 * Brings home and database together: decisions that the database does not have (`plugins.json`) are stored there, and the
 * set of the database is written into the home, with its packages.
 * @throws PluginError PLUGIN_STATE_DAMAGED; PLUGIN_SET_CHANGED only where that is asked for
 * @throws GantryError `UNAVAILABLE`
 */
export async function syncPluginSet(options: SyncOptions): Promise<RunningSet> {
  return withSetClient(options.databaseUrl, async (client) => {
    const home = openHome(options);
    const stored = await readStoredSet(client);
    await unpackArchives(client, options.home, [stored?.decisions, stored?.previous], ({ code, message, remedy }) => {
      options.logger.error({ code }, `${message}. ${remedy}`);
    });
    if (stored !== undefined) return syncWith(client, stored, home, options);
    const pending = await readPending(options.home);
    try {
      return await importSet(client, home, options, pending);
    } catch (error) {
      if (!(error instanceof PluginError) || error.code !== 'PLUGIN_SET_CHANGED') throw error;
      // Another host has started on the same empty database.
      const first = await readStoredSet(client);
      if (first === undefined) throw error;
      return syncWith(client, first, home, options);
    }
  });
}

interface Home {
  readonly host: string;
  readonly copy: LocalCopy | undefined;
}

/** A damaged copy is written again. */
function openHome({ home, logger }: SyncOptions): Home {
  try {
    const copy = readCopy(home);
    return { copy, host: copy?.host ?? hostNameOf(home) };
  } catch (error) {
    logger.warn({ err: error }, 'plugin-set.json is damaged and is written again from the database');
    return { copy: undefined, host: hostNameOf(home) };
  }
}

async function importSet(
  client: ClientBase,
  { host, copy }: Home,
  { home }: SyncOptions,
  pending: Pending | undefined,
): Promise<RunningSet> {
  const { decisions = new Map(), previous } = pending ?? copy ?? {};
  const after = copyOf(await changeStoredSet(client, { host, expected: undefined, decisions, previous }), host, copy);
  await storeCopy(home, after, ...(pending === undefined ? [] : (['imported'] as const)));
  return after;
}

async function syncWith(client: ClientBase, stored: StoredSet, own: Home, options: SyncOptions): Promise<RunningSet> {
  const pending = await readPending(options.home);
  if (pending === undefined) return adopt(stored, own, options);
  const { host, copy } = own;
  const difference = differenceBetween(decisionsFor(host, stored.decisions), pending.decisions);
  const isStored = difference.decisions.size + difference.removed.length === 0;
  if (!isStored && pending.base !== stored.revision) {
    const generation = {
      generation: stored.generation,
      plugins: [...difference.decisions.keys(), ...difference.removed],
    };
    options.logger.warn(
      generation,
      'decisions about plugins in plugins.json do not count, because the set of the database has changed since; the file is now plugins.json.superseded',
    );
    const adopted = await adopt(stored, { host, copy: undefined }, options, 'superseded');
    if (options.isStrict === true) throw setChanged(stored);
    return adopted;
  }
  const change: SetChange = {
    ...{ host, expected: stored.revision },
    ...difference,
    isReturn: pending.previous === undefined,
  };
  const after = copyOf(isStored ? stored : await changeStoredSet(client, change), host, copy);
  await storeCopy(options.home, after, 'imported');
  return after;
}

/** Takes over the set of the database, unless packages of it are lacking, or it could not be loaded here. */
async function adopt(
  stored: StoredSet,
  { host, copy }: Home,
  options: SyncOptions,
  pending?: 'superseded',
): Promise<RunningSet> {
  const { home, logger } = options;
  const { revision, generation } = stored;
  if (copy?.refused?.revision === revision) return copy;
  const lacking = await obtainPackages(options, decisionsFor(host, stored.decisions));
  const isIncomplete = lacking !== undefined;
  if (isIncomplete) {
    const { code, message, remedy } = lacking;
    logger.error({ code, generation }, `packages of the plugin set are missing: ${message}. ${remedy}`);
  }
  if (copy?.revision === revision) return { ...copy, isIncomplete };
  // The follower tries again. A host without a set has none to keep: it runs the other plugins of this one.
  if (copy !== undefined && isIncomplete) return copy;
  const adopted = { ...copyOf(stored, host, copy), followed: true };
  await storeCopy(home, adopted, ...(pending === undefined ? [] : [pending]));
  return { ...adopted, isIncomplete };
}

/** The copy of the set of the database in a home. */
export function copyOf(stored: StoredSet, host: string, before: LocalCopy | undefined): LocalCopy {
  const { revision, generation } = stored;
  return {
    ...{ host, revision, generation, followed: false },
    decisions: decisionsFor(host, stored.decisions),
    previous: stored.previous && decisionsFor(host, stored.previous),
    ...(before === undefined ? {} : { before: { revision: before.revision, generation: before.generation } }),
  };
}
