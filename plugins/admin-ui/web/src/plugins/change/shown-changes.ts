import type { PluginChange } from '@gantry/contracts';
import { isUnderWay } from '../plugin-api';

/** Changes by their ids. */
interface SeenChanges {
  /** Changes that were under way on this visit. */
  readonly followed: ReadonlySet<string>;
  readonly dismissed: ReadonlySet<string>;
}

/**
 * The changes that are under way or failed on this visit, in the order asked for, and the last one, until one has seen them.
 * @param changes the newest first
 * @param now in milliseconds
 */
export function shownChanges(
  changes: readonly PluginChange[],
  { followed, dismissed }: SeenChanges,
  now: number,
): readonly PluginChange[] {
  return changes
    .filter(({ phase, since }) => phase !== 'done' || now - Date.parse(since) < doneForMs)
    .filter(
      (change, index) =>
        !dismissed.has(change.id) &&
        (index === 0 ||
          isUnderWay(change) ||
          (followed.has(change.id) && isFailure(change, changes.slice(0, changes.indexOf(change))))),
    )
    .toReversed();
}

/** The last change of a plugin, if it failed: the plugin is as it was before. */
export function lastFailure(changes: readonly PluginChange[], plugin: string): PluginChange | undefined {
  const last = changes.find(({ plugins }) => plugins.includes(plugin));
  return last?.phase === 'failed' ? last : undefined;
}

/** How long a change that succeeded is shown, in milliseconds. */
const doneForMs = 60_000;

/** A failure counts until the same plugins are changed again. */
function isFailure({ phase, plugins }: PluginChange, newer: readonly PluginChange[]): boolean {
  return phase === 'failed' && !newer.some((change) => plugins.every((id) => change.plugins.includes(id)));
}
