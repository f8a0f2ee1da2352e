import type { PluginItemAction, PluginUiReport } from '@gantry/contracts';

/** A slot that a plugin fills, and the key by which its module names the filling. */
export interface Claim {
  readonly plugin: PluginUiReport;
  readonly key: string;
}

/** An action that a plugin offers for items of a type. */
export interface OfferedAction {
  readonly plugin: PluginUiReport;
  readonly action: PluginItemAction;
}

/**
 * The plugin that fills the slot of a field: one that names the field, otherwise one that names its type. Of several, the
 * first by id. A field with options is a choice whatever its type, so that only its own name replaces its control.
 */
export function findClaim(
  uis: readonly PluginUiReport[],
  slot: 'fields' | 'cells',
  type: string,
  field: { readonly name: string; readonly type: string; readonly options?: readonly string[] | undefined },
): Claim | undefined {
  const keys = [`${type}.${field.name}`, ...(field.options === undefined ? [field.type] : [])];
  const running = uis.filter(isRunning);
  for (const key of keys) {
    const plugin = running.find(({ ui }) => ui[slot].includes(key));
    if (plugin !== undefined) return { plugin, key };
  }
  return undefined;
}

/** The plugin that brings a filter for a field kind; search fields have its name in lower case. */
export function findFilter(uis: readonly PluginUiReport[], { type }: { readonly type: string }): Claim | undefined {
  for (const plugin of uis.filter(isRunning)) {
    const key = plugin.ui.filters?.find((name) => name.toLowerCase() === type);
    if (key !== undefined) return { plugin, key };
  }
  return undefined;
}

export function findActions(uis: readonly PluginUiReport[], type: string): readonly OfferedAction[] {
  return uis
    .filter(isRunning)
    .flatMap((plugin) =>
      plugin.ui.itemActions.filter((action) => action.type === type).map((action) => ({ plugin, action })),
    );
}

/** A plugin that does not run takes its controls along; one whose pages are broken is named where they would be. */
function isRunning({ state, ui }: PluginUiReport): boolean {
  return state === 'started' && (ui.address !== undefined || ui.problem !== undefined);
}
