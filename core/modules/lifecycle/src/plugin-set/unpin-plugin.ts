import { forgetDecision, planUnpin, readCopy, type PluginSources } from '@gantry/core-loader';
import { changeStoredSet, withSetClient } from './stored-set';

/**
 * Removes the pin of a plugin, which then runs from its folder, as one that nobody enabled.
 * @param databaseUrl of a database that has the set, whose hosts follow it within seconds; without one, the next start stores the decision
 * @returns whether it was pinned
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE, PLUGIN_SET_CHANGED, PLUGIN_STATE_DAMAGED, PLUGIN_STATE_BUSY
 * @throws GantryError `UNAVAILABLE`
 */
export async function unpinPlugin(sources: PluginSources, id: string, databaseUrl?: string): Promise<boolean> {
  if (!(await planUnpin(sources, id))) return false;
  const copy = readCopy(sources.home);
  if (databaseUrl === undefined || copy === undefined) {
    await forgetDecision(sources.home, id);
    return true;
  }
  // The home gets it as a change of another host: the one that runs on it follows.
  const change = { host: copy.host, expected: copy.revision, decisions: new Map(), removed: [id] };
  await withSetClient(databaseUrl, (client) => changeStoredSet(client, change));
  return true;
}
