import type { PluginChange } from '@gantry/contracts';
import { isUnderWay } from './plugin-api';

/** Changes by their ids. */
interface SeenChanges {
  /** Those that were under way on this visit. */
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
    .filter(isOfInterest)
    .filter(({ phase, since }) => phase !== 'done' || now - Date.parse(since) < doneForMs)
    .filter(
      (change, index) =>
        !dismissed.has(change.id) &&
        (index === 0 ||
          isUnderWay(change) ||
          (followed.has(change.id) && isFailure(change, newerThan(change, changes)))),
    )
    .toReversed();
}

/** How long a change that succeeded is shown, in milliseconds. */
const doneForMs = 60_000;

/** A change that takes another one back is shown until it has: that one says why. */
function isOfInterest(change: PluginChange): boolean {
  return change.undoes === undefined || change.phase !== 'done';
}

function newerThan({ id }: PluginChange, changes: readonly PluginChange[]): readonly PluginChange[] {
  const newer = changes.slice(
    0,
    changes.findIndex((one) => one.id === id),
  );
  return newer.filter(({ undoes }) => undoes !== id);
}

/** A failure counts until the same plugins are changed again. */
function isFailure({ phase, plugins }: PluginChange, newer: readonly PluginChange[]): boolean {
  return phase === 'failed' && !newer.some((change) => plugins.every((id) => change.plugins.includes(id)));
}
