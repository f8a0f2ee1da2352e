import { setTimeout as delay } from 'node:timers/promises';
import type { ItemMetadata, ModelInfo, PluginUiReport } from '@gantry/contracts';
import type { ServiceContext } from '@gantry/plugin-api';
import { localOwner, type StoredPreference } from './preferences/preference';
import { createPreferenceStore } from './preferences/preference-store';

/** What a page needs, and gets without a further request. The page requests what is missing. */
export interface InitialData {
  /** What plugins add to the pages. */
  readonly pluginUis: readonly PluginUiReport[];
  readonly types: readonly ModelInfo[];
  /** Of the type that the address is about. */
  readonly metadata?: ItemMetadata;
  /** All that is kept for the reader. */
  readonly preferences?: readonly StoredPreference[];
}

/** The page rather comes without the preferences than later by more than this. */
const longestWaitMs = 300;

/** @param path of the address, below the prefix of the application */
export type ReadInitialData = (path: string) => Promise<InitialData>;

export function createInitialDataReader({
  platform,
  database,
  logger,
}: Pick<ServiceContext, 'platform' | 'database' | 'logger'>): ReadInitialData {
  const store = createPreferenceStore(database);
  const readPreferences = async (): Promise<Pick<InitialData, 'preferences'>> => {
    try {
      return { preferences: await store.list(localOwner) };
    } catch (error) {
      logger.warn({ err: error }, 'A page is sent without the preferences, and requests them itself');
      return {};
    }
  };
  return async (path) => {
    const type = /^\/content\/([\w-]+)(?:\/|$)/.exec(path)?.[1];
    const metadata = type === undefined ? undefined : platform.itemMetadata(type);
    const [pluginUis, preferences] = await Promise.all([
      platform.pluginUis(),
      Promise.race([readPreferences(), delay(longestWaitMs, {}, { ref: false })]),
    ]);
    return { pluginUis, types: platform.itemTypes(), ...(metadata === undefined ? {} : { metadata }), ...preferences };
  };
}
