import './plugins.css';
import type { PluginChange } from '@gantry/contracts';
import { useEffect, useState } from 'react';
import { keepFocusInPage } from '../ui/keep-focus-in-page';
import { ChangeProgress } from './change-progress';
import { isUnderWay } from './plugin-api';

/** The changes that are under way or failed on this visit, in the order asked for, and the last one; until one has seen them. */
export function LatestChange({ changes }: { readonly changes: readonly PluginChange[] }) {
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const begun = changes.filter((change) => isUnderWay(change) && !followed.has(change.id));
  if (begun.length > 0) setFollowed(new Set([...followed, ...begun.map(({ id }) => id)]));
  useEffect(() => {
    if (dismissed.size > 0) keepFocusInPage();
  }, [dismissed]);
  const shown = changes
    .filter(
      (change, index) =>
        !dismissed.has(change.id) &&
        (index === 0 || isUnderWay(change) || (change.phase === 'failed' && followed.has(change.id))),
    )
    .toReversed();
  if (shown.length === 0) return null;
  return (
    <div className="change" data-followed={shown.some(({ id }) => followed.has(id)) || undefined}>
      {shown.map((change) => (
        <ChangeProgress
          key={change.id}
          change={change}
          onDismiss={() => setDismissed(new Set([...dismissed, change.id]))}
        />
      ))}
    </div>
  );
}
