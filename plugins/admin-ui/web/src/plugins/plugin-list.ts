import type { PluginProblem, PluginReport, PluginState } from '@gantry/contracts';
import { hasWords } from '../common/has-words';

/** The tabs of the list, in order. */
export const pluginTabs = ['all', 'running', 'failed', 'disabled'] as const;
/** One of {@link pluginTabs}. */
export type PluginTab = (typeof pluginTabs)[number];

/** State of the list; the address holds all of it. */
export interface PluginListState {
  readonly tab: PluginTab;
  /** Part of a name, a state or a contribution. */
  readonly text: string;
  /** Key of the plugin whose details are open. */
  readonly open: string | undefined;
}

/** A plugin with the key by which an address names it. */
export interface ListedPlugin {
  readonly key: string;
  readonly plugin: PluginReport;
}

/** Reads the query of an address. */
export function parsePluginListState(parameters: URLSearchParams): PluginListState {
  return {
    tab: pluginTabs.find((tab) => tab === parameters.get('state')) ?? 'all',
    text: parameters.get('q') ?? '',
    open: parameters.get('plugin') || undefined,
  };
}

/** The address that has the state. */
export function formatPluginListState({ tab, text, open }: PluginListState): string {
  const parameters = new URLSearchParams();
  if (tab !== 'all') parameters.set('state', tab);
  if (text !== '') parameters.set('q', text);
  if (open !== undefined) parameters.set('plugin', open);
  return `?${parameters}`;
}

/** All plugins with their keys, those that need a person first, each part by name. */
export function listPlugins(plugins: readonly PluginReport[]): readonly ListedPlugin[] {
  const seen = new Map<string, number>();
  return plugins
    .map((plugin) => {
      const number = (seen.get(plugin.id) ?? 0) + 1;
      seen.set(plugin.id, number);
      // Two packages may have one id: the platform reports both, and starts neither.
      return { key: number === 1 ? plugin.id : `${plugin.id}.${number}`, plugin };
    })
    .toSorted(
      ({ plugin: left }, { plugin: right }) =>
        Number(isInTrouble(right)) - Number(isInTrouble(left)) ||
        left.displayName.localeCompare(right.displayName, undefined, { numeric: true }),
    );
}

/** Whether a plugin belongs to a tab. A plugin that is blocked or incompatible does not run either: it counts as failed. */
export function isInTab(plugin: PluginReport, tab: PluginTab): boolean {
  if (tab === 'all') return true;
  if (tab === 'running') return plugin.state === 'started';
  return tab === 'failed' ? isInTrouble(plugin) : plugin.state === 'disabled';
}

export function isInTrouble({ state }: PluginReport): boolean {
  return state === 'failed' || state === 'incompatible' || state === 'blocked';
}

/** Whether a plugin has all words of a filter in its names, state or contributions. */
export function matchesText(plugin: PluginReport, filter: string): boolean {
  const { displayName, id, packageName, contributes } = plugin;
  const { itemTypes, taskQueues, routes } = contributes;
  const texts = [displayName, id, packageName, stateText(plugin), ...itemTypes, ...taskQueues, ...routes];
  return hasWords(texts.join(' '), filter);
}

const stateTexts: Readonly<Record<PluginState, string>> = {
  started: 'Running',
  stopped: 'Stopped',
  disabled: 'Disabled',
  blocked: 'Blocked',
  incompatible: 'Incompatible',
  failed: 'Failed',
};

export function stateText(plugin: PluginReport): string {
  return isFound(plugin) ? 'New, not in use' : stateTexts[plugin.state];
}

/**
 * Put into a plugin folder since the platform was started: it never got beyond the phases that run no code. The next
 * change or start takes it in, unless it is disabled first.
 */
function isFound({ state, phase }: PluginReport): boolean {
  return state === 'stopped' && phase === 'order';
}

/** Contributions of a plugin in numbers, such as `5 item types, 1 task queue`. */
export function contributionText({ contributes, ui }: PluginReport): string {
  const { itemTypes, taskQueues, routes } = contributes;
  const counts = [
    [itemTypes.length, 'item type'],
    [taskQueues.length, 'task queue'],
    [routes.length, 'route'],
    [ui?.pages.length ?? 0, 'page'],
    [ui?.fields.length ?? 0, 'control'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`)
    .join(', ');
}

/** Milliseconds that the phases of its start took; undefined for a plugin that entered none. */
export function startTime({ timings }: PluginReport): number | undefined {
  const times = Object.values(timings);
  return times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0);
}

/** Why a plugin does not run although a check of the same files finds nothing, if so: the check does not start a plugin. */
export function reasonAgainstStart(plugin: PluginReport, checkedVersion: string): PluginProblem | undefined {
  return isInTrouble(plugin) && plugin.version === checkedVersion ? plugin.problems[0] : undefined;
}
