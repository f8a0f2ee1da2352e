import type { PluginDecision } from '@gantry/contracts';
import type { Manifest } from '../manifest/manifest';
import type { PluginRecord } from '../record/plugin-record';
import { decisionFor } from './local-copy';
import { storePackage } from './store/package-store';

/**
 * Stores a package as it is now, and gives the decision that enables exactly that.
 * @throws PluginError PLUGIN_UNUSABLE that names the file which cannot be stored
 */
export async function pinPackage(
  home: string,
  { id, version }: Manifest,
  { found: { folder, source }, installed }: Pick<PluginRecord, 'found' | 'installed'>,
): Promise<PluginDecision> {
  if (installed !== undefined) return decisionFor(installed, true);
  const { contentHash } = await storePackage(home, id, folder);
  return { enabled: true, version, contentHash, folder: source };
}
