import './plugins.css';
import type { PluginChange } from '@gantry/contracts';
import { useEffect, useState } from 'react';
import { keepFocusInPage } from '../ui/keep-focus-in-page';
import { ChangeProgress } from './change-progress';
import { isUnderWay } from './plugin-api';
import { shownChanges } from './shown-changes';

/** How changes of the plugins go, and how the last ones went. */
export function LatestChange({ changes }: { readonly changes: readonly PluginChange[] }) {
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const begun = changes.filter((change) => isUnderWay(change) && !followed.has(change.id));
  if (begun.length > 0) setFollowed(new Set([...followed, ...begun.map(({ id }) => id)]));
  useEffect(() => {
    if (dismissed.size > 0) keepFocusInPage();
  }, [dismissed]);
  const shown = shownChanges(changes, { followed, dismissed });
  if (shown.length === 0) return null;
  return (
    <div className="change" data-followed={shown.some(({ id }) => followed.has(id)) || undefined}>
      {shown.map((change, index) => (
        <ChangeProgress
          key={change.id}
          change={change}
          isQueued={shown.slice(0, index).some(isUnderWay)}
          onDismiss={() => setDismissed(new Set([...dismissed, change.id]))}
        />
      ))}
    </div>
  );
}
