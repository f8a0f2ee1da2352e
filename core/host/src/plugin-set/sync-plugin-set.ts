import type { ClientBase } from 'pg';
import type { Logger } from '@gantry/plugin-api';
import { messageOf } from '@gantry/core-common';
import {
  hostNameOf,
  PluginError,
  readCopy,
  readPending,
  storeCopy,
  type LocalCopy,
  type PluginDecisions,
} from '../plugins';
import { fetchInstalled, fetchPackages, packagesOf, uploadArchives } from './archives';
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
export type RunningSet = Pick<LocalCopy, 'revision' | 'generation' | 'decisions'>;

export interface SyncOptions {
  readonly home: string;
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Whether decisions of this home are an error where another host has overtaken them or cannot fetch a package; nothing of them is kept then. */
  readonly isStrict?: boolean;
}

type Pending = NonNullable<Awaited<ReturnType<typeof readPending>>>;

/**
 * Brings home and database together: decisions that the database does not have (`plugins.json`) are stored there, and the
 * set of the database is written into the home, with its packages.
 * @throws PluginError PLUGIN_STATE_DAMAGED; PLUGIN_SET_CHANGED and PLUGIN_UNUSABLE only where that is asked for
 * @throws GantryError `UNAVAILABLE`
 */
export async function syncPluginSet(options: SyncOptions): Promise<RunningSet> {
  return withSetClient(options.databaseUrl, async (client) => {
    const home = openHome(options);
    const stored = await readStoredSet(client);
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
  { home, logger }: SyncOptions,
  pending: Pending | undefined,
): Promise<RunningSet> {
  const { decisions = new Map(), previous } = pending ?? copy ?? {};
  await uploadSome(client, home, decisions, logger);
  const after = copyOf(await changeStoredSet(client, { host, expected: undefined, decisions, previous }), host, copy);
  await storeCopy(home, after, ...(pending === undefined ? [] : (['imported'] as const)));
  return after;
}

async function syncWith(client: ClientBase, stored: StoredSet, own: Home, options: SyncOptions): Promise<RunningSet> {
  const pending = await readPending(options.home);
  if (pending === undefined) return adopt(client, stored, own, options);
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
    const adopted = await adopt(client, stored, { host, copy: undefined }, options, 'superseded');
    if (options.isStrict === true) throw setChanged(stored);
    return adopted;
  }
  const change: SetChange = {
    ...{ host, expected: stored.revision },
    ...difference,
    isReturn: pending.previous === undefined,
  };
  if (options.isStrict === true && copy !== undefined) {
    await uploadArchives(client, options.home, packagesOf(difference.decisions)).catch(async (error: unknown) => {
      await storeCopy(options.home, copy, 'superseded');
      throw error;
    });
  } else await uploadSome(client, options.home, difference.decisions, options.logger);
  const after = copyOf(isStored ? stored : await changeStoredSet(client, change), host, copy);
  await storeCopy(options.home, after, 'imported');
  return after;
}

/** Takes over the set of the database, unless it is the one of the home, or one that could not be loaded here. */
async function adopt(
  client: ClientBase,
  stored: StoredSet,
  { host, copy }: Home,
  { home, logger }: SyncOptions,
  pending?: 'superseded',
): Promise<RunningSet> {
  if (copy?.revision === stored.revision || copy?.refused?.revision === stored.revision) {
    await fetchInstalled(client, home, copy.decisions).catch((error: unknown) => {
      if (!(error instanceof PluginError)) throw error;
      logger.error({ code: error.code }, `an installed plugin is missing: ${error.message}. ${error.remedy}`);
    });
    return copy;
  }
  const decisions = decisionsFor(host, stored.decisions);
  try {
    await fetchPackages(client, home, decisions);
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const { code, message, remedy } = error;
    logger.error({ code, generation: stored.generation }, `the plugin set cannot be loaded: ${message}. ${remedy}`);
    if (copy !== undefined) {
      const { revision, generation } = stored;
      await storeCopy(home, { ...copy, refused: { revision, generation, error: { code, message, remedy } } });
      return copy;
    }
  }
  const adopted = { ...copyOf(stored, host, copy), followed: true };
  await storeCopy(home, adopted, ...(pending === undefined ? [] : [pending]));
  return adopted;
}

/** What a home keeps of the set of the database. */
export function copyOf(stored: StoredSet, host: string, before: LocalCopy | undefined): LocalCopy {
  const { revision, generation } = stored;
  return {
    ...{ host, revision, generation, followed: false },
    decisions: decisionsFor(host, stored.decisions),
    previous: stored.previous && decisionsFor(host, stored.previous),
    ...(before === undefined ? {} : { before: { revision: before.revision, generation: before.generation } }),
  };
}

/** Without its archive a plugin runs on this host all the same. */
async function uploadSome(client: ClientBase, home: string, decisions: PluginDecisions, logger: Logger): Promise<void> {
  for (const one of packagesOf(decisions)) {
    try {
      await uploadArchives(client, home, [one]);
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      logger.warn({ plugin: one.id, code: error.code }, `other hosts cannot fetch the plugin: ${messageOf(error)}`);
    }
  }
}
