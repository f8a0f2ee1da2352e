import type { Client } from 'pg';
import { eventually } from '../support/eventually';
import type { ChangingPlatform } from './changing-platform';

interface StoredSet {
  readonly generation: number;
  readonly plugins: Readonly<Record<string, { readonly enabled: boolean; readonly contentHash?: string }>>;
  readonly change_host: string | null;
}

interface SharedSet {
  storedSet(): Promise<StoredSet>;
  /** Resolves when it runs the plugin set of the database and is at rest. */
  untilRun(platform: ChangingPlatform): Promise<void>;
  /** Resolves when all of them do, and any of them may make the next change. */
  untilFollowed(...platforms: readonly ChangingPlatform[]): Promise<void>;
}

/** The plugin set in the database of several hosts. */
export function sharedSet(client: () => Client): SharedSet {
  const storedSet: SharedSet['storedSet'] = async () => {
    const query = 'SELECT generation::int, plugins, change_host FROM gantry_plugin_set';
    const { rows } = await client().query<StoredSet>(query);
    if (rows[0] === undefined) throw new Error('There is no plugin set');
    return rows[0];
  };
  const untilRun: SharedSet['untilRun'] = (platform) =>
    eventually(async () => {
      const [{ generation }, { pluginSet, changes }] = await Promise.all([storedSet(), platform.generations()]);
      const isSettled = changes.every(({ phase }) => phase === 'done' || phase === 'failed');
      return isSettled && pluginSet?.generation === generation;
    }, 'the host runs the plugin set of the database');
  const untilFollowed: SharedSet['untilFollowed'] = async (...platforms) => {
    for (const platform of platforms) await untilRun(platform);
    await eventually(async () => (await storedSet()).change_host === null, 'another change can be made');
  };
  return { storedSet, untilRun, untilFollowed };
}
