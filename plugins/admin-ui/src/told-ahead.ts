import { setTimeout as delay } from 'node:timers/promises';
import type { ModelInfo, PluginUiReport } from '@gantry/contracts';
import type { ServiceContext } from '@gantry/plugin-api';
import { localOwner, type StoredPreference } from './preferences/preference';
import { createPreferenceStore } from './preferences/preference-store';

/** What every page needs: it comes with the page, so that it costs no request. The page asks for what is left out. */
export interface ToldAhead {
  /** What plugins add to the pages. */
  readonly pluginUis: readonly PluginUiReport[];
  readonly types: readonly ModelInfo[];
  /** All that is kept for the reader. */
  readonly preferences?: readonly StoredPreference[];
}

/** The page rather comes without the preferences than later by more than this. */
const longestWaitMs = 300;

export function createTeller({
  platform,
  database,
  logger,
}: Pick<ServiceContext, 'platform' | 'database' | 'logger'>): () => Promise<ToldAhead> {
  const store = createPreferenceStore(database);
  const readPreferences = async (): Promise<Pick<ToldAhead, 'preferences'>> => {
    try {
      return { preferences: await store.list(localOwner) };
    } catch (error) {
      logger.warn({ err: error }, 'A page comes without the preferences, which it will ask for');
      return {};
    }
  };
  return async () => {
    const [pluginUis, preferences] = await Promise.all([
      platform.pluginUis(),
      Promise.race([readPreferences(), delay(longestWaitMs, {}, { ref: false })]),
    ]);
    return { pluginUis, types: platform.itemTypes(), ...preferences };
  };
}
