import type { FormField, ItemMetadata } from '@gantry/contracts';
import { useEffect, useMemo, useState } from 'react';
import { findClaim } from '../../plugin-ui/claims';
import { useUis, useUiStore } from '../../plugin-ui/ui-context';
import { viewOfField } from '../kinds/views';

/** After this time in milliseconds, a form is drawn without the controls that are not there. */
const maxWaitMs = 300;

/**
 * Loads what the controls of a form consist of while its item is read, so that they are drawn together, once.
 * @returns whether the form can be drawn
 */
export function usePreparedForm({ code, fields }: ItemMetadata): boolean {
  const uis = useUis();
  const store = useUiStore();
  const loaders = useMemo(() => {
    const loaderOf = (field: FormField): (() => Promise<unknown>) | undefined => {
      const claim = findClaim(uis, 'fields', code, field);
      if (claim === undefined) return viewOfField(field).loader?.();
      return store.stateOf(claim.plugin.id).status === 'loaded' ? undefined : () => store.load(claim.plugin);
    };
    return fields.flatMap((field) => loaderOf(field) ?? []);
  }, [code, fields, uis, store]);
  const [isPrepared, setIsPrepared] = useState(loaders.length === 0);
  useEffect(() => {
    const controller = new AbortController();
    const prepare = (): void => {
      if (!controller.signal.aborted) setIsPrepared(true);
    };
    const timer = setTimeout(prepare, maxWaitMs);
    // What cannot be loaded is reported, and loaded again, where it is drawn.
    void Promise.allSettled(loaders.map((load) => load())).then(prepare);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [loaders]);
  return isPrepared;
}
