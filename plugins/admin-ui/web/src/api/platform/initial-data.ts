import type { ContributedViews, ItemMetadata, ModelInfo, PluginUiReport } from '@gantry/contracts';
import type { StoredPreference } from './preference';

/** Who reads a page. */
export interface PageCaller {
  /** `local` on a platform that is open on its machine. */
  readonly kind: 'local' | 'person' | 'service';
  readonly id: string;
  readonly name: string;
  /** Permissions of the reader, for example `ops.read`. */
  readonly permissions: readonly string[];
  /** Set for one who may do everything. */
  readonly isAdministrator?: true;
  /** Set for an administrator who sees the pages as these roles show them. */
  readonly viewsAs?: readonly string[];
}

/** Data in index.html. The platform leaves out data that it could not read in time. */
interface InitialData {
  /** The reader has to sign in first; nothing else is there. */
  readonly isSignedOut?: true;
  /** Who reads the page. */
  readonly caller?: PageCaller;
  readonly pluginUis: readonly PluginUiReport[];
  readonly views: ContributedViews;
  readonly types?: readonly ModelInfo[];
  /** Of the type that the address was about. */
  readonly metadata?: ItemMetadata;
  readonly preferences?: readonly StoredPreference[];
}

const embedded = readInitialData();
const loadedAt = Date.now();

/** Whether the page came without anything that needs a right. */
export const isSignedOut = embedded.isSignedOut === true;

/** Who reads the page; undefined for one who has to sign in. */
export const pageCaller = embedded.caller;

/** Whether the reader has a permission; a page that came without its data requests it, and the platform decides. */
export function mayReader(permission: string): boolean {
  return pageCaller?.permissions.includes(permission) ?? true;
}

/** Whether the reader may do everything; a page that came without its data leaves it to the platform. */
export const isReaderAdministrator = pageCaller === undefined || pageCaller.isAdministrator === true;

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
  const nothing = { pluginUis: [], views: { homeCards: [], tablePages: [] } };
  try {
    return { ...nothing, ...(JSON.parse(document.getElementById('initial-data')?.textContent ?? '{}') as object) };
  } catch {
    return nothing;
  }
}
