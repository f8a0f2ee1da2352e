import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { ErrorState } from '../ui/states';
import { useRetry, useTroubles, useUiStore } from './ui-context';
import type { Trouble } from './ui-store';

/** Names the plugins of which a part was left out where there is no room to say so. */
export function PluginTroubles() {
  const store = useUiStore();
  const { pathname } = useLocation();
  // Parts that the next page omits in its first rendering are reported after this has run.
  useLayoutEffect(() => () => store.beginPage(), [store, pathname]);
  return useTroubles().map((trouble) => <OneTrouble key={trouble.plugin.id} trouble={trouble} />);
}

function OneTrouble({ trouble: { plugin, failure } }: { readonly trouble: Trouble }) {
  return (
    <ErrorState
      title={`Additions of ${plugin.displayName} to this page failed`}
      error={failure}
      onRetry={useRetry(plugin)}
    />
  );
}
