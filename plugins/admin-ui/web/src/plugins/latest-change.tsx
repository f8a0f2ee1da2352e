import './plugins.css';
import type { PluginChange } from '@gantry/contracts';
import { useEffect, useState } from 'react';
import { keepFocusInPage } from '../ui/keep-focus-in-page';
import { ChangeProgress } from './change-progress';
import { isUnderWay } from './plugin-api';

/** The change that is under way or was the last, until one has seen it. */
export function LatestChange({ changes }: { readonly changes: readonly PluginChange[] }) {
  const latest = changes.find(isUnderWay) ?? changes[0];
  const [followed, setFollowed] = useState<string>();
  const [dismissed, setDismissed] = useState<string>();
  if (latest !== undefined && isUnderWay(latest) && followed !== latest.id) setFollowed(latest.id);
  useEffect(() => {
    if (dismissed !== undefined) keepFocusInPage();
  }, [dismissed]);
  if (latest === undefined || latest.id === dismissed) return null;
  return (
    <div className="change" data-followed={followed === latest.id || undefined}>
      <ChangeProgress change={latest} onDismiss={() => setDismissed(latest.id)} />
    </div>
  );
}
