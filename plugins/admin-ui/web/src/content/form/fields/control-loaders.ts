import type { FormField, ItemMetadata, PluginUiReport } from '@gantry/contracts';
import { findClaim } from '../../../plugin-ui/claims';
import type { UiStore } from '../../../plugin-ui/ui-store';
import { viewOfField } from '../../kinds/views';

type Loader = () => Promise<unknown>;

/** Functions that load the controls of a form that are not loaded yet. */
export function controlLoaders(
  { code, fields }: ItemMetadata,
  reports: readonly PluginUiReport[],
  uis: UiStore,
): readonly Loader[] {
  const loaderOf = (field: FormField): Loader | undefined => {
    const claim = findClaim(reports, 'fields', code, field);
    if (claim === undefined) return viewOfField(field).loader?.();
    return uis.stateOf(claim.plugin.id).status === 'loaded' ? undefined : () => uis.load(claim.plugin);
  };
  return fields.flatMap((field) => loaderOf(field) ?? []);
}
