import type { ModelInfo } from '@gantry/contracts';
import type { PluginGroup } from '../plugin-ui/group-by-plugin';

/** The types that the reader pinned, in the order of pinning; no group without one. Types whose plugin is gone are left out until it is back. */
export function favouriteGroups(pinned: readonly string[], types: readonly ModelInfo[]): readonly PluginGroup[] {
  const found = pinned.flatMap((code) => types.filter(({ type }) => type === code));
  return found.length === 0 ? [] : [{ plugin: ' favourites', label: 'Favourites', types: found }];
}
