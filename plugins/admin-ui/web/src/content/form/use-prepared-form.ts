import type { ItemMetadata } from '@gantry/contracts';
import { useEffect, useMemo, useState } from 'react';
import { useUis, useUiStore } from '../../plugin-ui/ui-context';
import { controlLoaders } from './fields/control-loaders';

/** After this time in milliseconds, a form is drawn without the controls that are not there. */
const maxWaitMs = 300;

/**
 * Loads what the controls of a form consist of while its item is read, so that they are drawn together, once.
 * @returns whether the form can be drawn
 */
export function usePreparedForm(metadata: ItemMetadata): boolean {
  const reports = useUis();
  const uis = useUiStore();
  const loaders = useMemo(() => controlLoaders(metadata, reports, uis), [metadata, reports, uis]);
  const [isPrepared, setIsPrepared] = useState(loaders.length === 0);
  useEffect(() => {
    const controller = new AbortController();
    const prepare = (): void => {
      if (!controller.signal.aborted) setIsPrepared(true);
    };
    const timer = setTimeout(prepare, maxWaitMs);
    // Controls that cannot be loaded are reported, and loaded again, where they are drawn.
    void Promise.allSettled(loaders.map((load) => load())).then(prepare);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [loaders]);
  return isPrepared;
}
