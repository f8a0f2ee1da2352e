import type { QueryClient } from '@tanstack/react-query';
import { lastVersionsQuery } from '../../api/changes';
import { itemQuery, metadataQuery, referencesQuery } from '../../api/queries';
import { pluginUisQuery } from '../../plugin-ui/plugin-uis';
import type { UiStore } from '../../plugin-ui/ui-store';
import { controlLoaders } from './fields/control-loaders';

export interface FormToLoad {
  readonly client: QueryClient;
  readonly uis: UiStore;
  /** Code of the item type. */
  readonly type: string;
  /** Of the item; none for a new one. */
  readonly id?: string | undefined;
}

/**
 * Fetches what the form of an item consists of while the script of its page is being loaded.
 * @throws ApiError
 */
export async function loadForm({ id, ...form }: FormToLoad): Promise<void> {
  await Promise.all([loadControls(form), id === undefined ? undefined : loadItem(form, id)]);
}

/** Its last versions are shown at its side; where they cannot be read, the item is shown without. What refers to it may follow. */
async function loadItem({ client, type }: FormToLoad, id: string): Promise<void> {
  void client.query(referencesQuery(type, id)).catch(() => undefined);
  await Promise.all([
    client.query(itemQuery(type, id)),
    client.query(lastVersionsQuery(type, id)).catch(() => undefined),
  ]);
}

/** Controls that cannot be loaded are reported, and loaded again, where they are drawn. */
async function loadControls({ client, uis, type }: FormToLoad): Promise<void> {
  const [metadata, reports] = await Promise.all([client.query(metadataQuery(type)), client.query(pluginUisQuery)]);
  await Promise.allSettled(controlLoaders(metadata, reports, uis).map((load) => load()));
}
