import type { ItemMetadata, ModelInfo, PluginUiReport } from '@gantry/contracts';
import type { StoredPreference } from './preference';

/** What index.html brings with it. The platform leaves out what it could not read in time. */
interface InitialData {
  readonly pluginUis: readonly PluginUiReport[];
  readonly types?: readonly ModelInfo[];
  /** Of the type that the address was about. */
  readonly metadata?: ItemMetadata;
  readonly preferences?: readonly StoredPreference[];
}

const embedded = readInitialData();
const loadedAt = Date.now();

/** For a query whose answer came with the page: it is as old as the page. */
export function initialData<N extends Exclude<keyof InitialData, 'metadata'>>(name: N) {
  return { initialData: () => embedded[name], initialDataUpdatedAt: loadedAt } as const;
}

export function initialMetadata(type: string) {
  const { metadata } = embedded;
  return {
    initialData: (): ItemMetadata | undefined => (metadata?.code === type ? metadata : undefined),
    initialDataUpdatedAt: loadedAt,
  } as const;
}

function readInitialData(): InitialData {
  const nothing = { pluginUis: [] };
  try {
    return { ...nothing, ...(JSON.parse(document.getElementById('initial-data')?.textContent ?? '{}') as object) };
  } catch {
    return nothing;
  }
}
