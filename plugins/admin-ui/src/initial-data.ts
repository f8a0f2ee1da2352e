import { setTimeout as delay } from 'node:timers/promises';
import type { ContributedViews, ItemMetadata, ModelInfo, PluginUiReport } from '@gantry/contracts';
import type { Caller, ServiceContext } from '@gantry/plugin-api';
import type { StoredPreference } from './preferences/preference-schemas';
import { createPreferenceStore } from './preferences/preference-store';

/** The data of a page that has to ask for sign-in first. */
interface SignedOutData {
  readonly isSignedOut: true;
}

/** The data that a page gets without a further request. The page requests what is missing. */
export interface InitialData {
  /** Who reads the page. */
  readonly caller: Pick<Caller, 'kind' | 'id' | 'name' | 'permissions' | 'isAdministrator' | 'viewsAs'>;
  /** Additions of plugins to the pages. */
  readonly pluginUis: readonly PluginUiReport[];
  /** Cards and pages that plugins and modules declare. */
  readonly views: ContributedViews;
  readonly types: readonly ModelInfo[];
  /** Of the type that the address is about. */
  readonly metadata?: ItemMetadata;
  /** All that is kept for the reader. */
  readonly preferences?: readonly StoredPreference[];
}

/** The page rather comes without the preferences than later by more than this. */
const longestWaitMs = 300;

/** @param path of the address, below the prefix of the application */
export type ReadInitialData = (path: string, caller: Caller | undefined) => Promise<InitialData | SignedOutData>;

export function createInitialDataReader({
  platform,
  database,
  logger,
}: Pick<ServiceContext, 'platform' | 'database' | 'logger'>): ReadInitialData {
  const store = createPreferenceStore(database);
  const readPreferences = async (caller: Caller): Promise<Pick<InitialData, 'preferences'>> => {
    try {
      return { preferences: await store.list(caller) };
    } catch (error) {
      logger.warn({ err: error }, 'A page is sent without the preferences, and requests them itself');
      return {};
    }
  };
  return async (path, caller) => {
    if (caller === undefined) return { isSignedOut: true };
    const { kind, id, name, permissions, isAdministrator, viewsAs } = caller;
    const type = /^\/content\/([\w-]+)(?:\/|$)/.exec(path)?.[1];
    const metadata = type === undefined ? undefined : platform.itemMetadata(type, caller);
    const [pluginUis, preferences] = await Promise.all([
      platform.pluginUis(),
      Promise.race([readPreferences(caller), delay(longestWaitMs, {}, { ref: false })]),
    ]);
    return {
      caller: {
        ...{ kind, id, name, permissions },
        ...(isAdministrator === undefined ? {} : { isAdministrator }),
        ...(viewsAs === undefined ? {} : { viewsAs }),
      },
      pluginUis,
      views: platform.views(caller),
      types: platform.itemTypes(caller),
      ...(metadata === undefined ? {} : { metadata }),
      ...preferences,
    };
  };
}
