import type { PluginDecision } from '@gantry/contracts';
import type { DiscoveredPackage } from '../record/plugin-record';
import type { Manifest } from '../manifest/manifest';
import { storePackage } from './store/package-store';

/**
 * Stores a package as it is now, and gives the decision that enables exactly that.
 * @throws PluginError PLUGIN_UNUSABLE that names the file which cannot be stored
 */
export async function pinPackage(
  home: string,
  { id, version }: Manifest,
  { folder, source }: DiscoveredPackage,
): Promise<PluginDecision> {
  const { contentHash } = await storePackage(home, id, folder);
  return { enabled: true, version, contentHash, folder: source };
}
