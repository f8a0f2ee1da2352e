import type { ItemMetadata, ModelInfo, PluginUiReport } from '@gantry/contracts';
import type { StoredPreference } from './preference';

/** What index.html brings with it. The platform leaves out what it could not tell in time. */
interface ToldAhead {
  readonly pluginUis: readonly PluginUiReport[];
  readonly types?: readonly ModelInfo[];
  /** Of the type that the address was about. */
  readonly metadata?: ItemMetadata;
  readonly preferences?: readonly StoredPreference[];
}

const told = readToldAhead();
const loadedAt = Date.now();

/** For a query whose answer came with the page: it is as old as the page. */
export function toldAhead<N extends Exclude<keyof ToldAhead, 'metadata'>>(name: N) {
  return { initialData: () => told[name], initialDataUpdatedAt: loadedAt } as const;
}

export function metadataToldAhead(type: string) {
  const initialData = (): ItemMetadata | undefined => (told.metadata?.code === type ? told.metadata : undefined);
  return { initialData, initialDataUpdatedAt: loadedAt } as const;
}

function readToldAhead(): ToldAhead {
  const nothing = { pluginUis: [] };
  try {
    return { ...nothing, ...(JSON.parse(document.getElementById('told-ahead')?.textContent ?? '{}') as object) };
  } catch {
    return nothing;
  }
}
