import { randomUUID } from 'node:crypto';
import type { PluginChange, PluginChangeAction, PluginDecision } from '@gantry/contracts';

/** A change that is asked for now. */
export function newChange(
  action: PluginChangeAction,
  plugins: readonly string[],
  more: Partial<Pick<PluginChange, 'phase' | 'follows'>> = {},
): PluginChange {
  const now = new Date().toISOString();
  return { id: randomUUID(), action, plugins, phase: 'waiting', requestedAt: now, since: now, ...more };
}

/** The actions of a change that only its decisions describe. One about which nothing is decided any more is enabled. */
export function actionOf(decisions: ReadonlyMap<string, PluginDecision>): PluginChangeAction {
  const isEnabling = decisions.size === 0 || [...decisions.values()].some(({ enabled }) => enabled);
  return isEnabling ? 'enable' : 'disable';
}
