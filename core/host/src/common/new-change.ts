import { randomUUID } from 'node:crypto';
import type { HostMessage, PluginChange, PluginChangeAction, PluginDecision } from '@gantry/contracts';

/** How the platform is before a change, and what that takes back. */
export type ChangeCircumstances = Pick<Extract<HostMessage, { readonly kind: 'change' }>, 'before' | 'undoes'>;

/** A change that is asked for now. */
export function newChange(
  action: PluginChangeAction,
  plugins: readonly string[],
  more: Partial<Pick<PluginChange, 'phase' | 'follows' | 'undoes'>> = {},
): PluginChange {
  const now = new Date().toISOString();
  return { id: randomUUID(), action, plugins, phase: 'waiting', requestedAt: now, since: now, ...more };
}

/** What a change that nothing but its decisions describes does with its plugins. */
export function actionOf(decisions: ReadonlyMap<string, PluginDecision>): PluginChangeAction {
  return [...decisions.values()].some(({ enabled }) => enabled) ? 'enable' : 'disable';
}
