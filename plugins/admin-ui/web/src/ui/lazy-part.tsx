import { useEffect, useState, type ComponentType } from 'react';

/** A component that is loaded when it is needed. */
export type LazyComponent<Props> = ComponentType<Props> & {
  /** Loader to run before it is drawn; undefined when it is loaded. */
  loader(): (() => Promise<void>) | undefined;
};

/**
 * A component in a separate chunk, for what a page shows on request, such as dialogs. Nothing is drawn until the chunk is
 * loaded: as soon as the component is needed, and otherwise once the page is drawn and the browser is idle, so that a reader
 * seldom waits for it. When loading fails, it is tried again every two seconds while the component is needed.
 * @param isNeeded whether a component with these props draws anything
 * @param Instead what is drawn until then
 * @param isLikely whether a reader may soon need it; until then, the chunk is not loaded
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isNeeded: (props: Props) => boolean,
  Instead?: ComponentType<Props>,
  isLikely: (props: Props) => boolean = () => true,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<void> => {
    loaded = await load();
  };
  return Object.assign(LazyPart, { loader: () => (loaded === undefined ? loadOnce : undefined) });

  function LazyPart(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | undefined>(() => loaded);
    const needed = isNeeded(props);
    const likely = needed || isLikely(props);
    useEffect(() => {
      if (Component !== undefined || !likely) return undefined;
      const controller = new AbortController();
      const attempt = (): void => {
        loadOnce().then(
          () => {
            if (!controller.signal.aborted) setComponent(() => loaded);
          },
          () => {
            if (needed) startLater(attempt, retryDelayMs, controller.signal);
          },
        );
      };
      if (needed) attempt();
      else whenIdle(attempt, controller.signal);
      return () => controller.abort();
    }, [Component, needed, likely]);
    const Shown = Component ?? Instead;
    return Shown === undefined ? null : <Shown {...props} />;
  }
}

/** Runs work when the browser has nothing else to do, or after a short delay where the browser does not report that. */
export function whenIdle(run: () => void, signal: AbortSignal): void {
  if (typeof window.requestIdleCallback !== 'function') return startLater(run, idleDelayMs, signal);
  const handle = window.requestIdleCallback(run, { timeout: maxIdleWaitMs });
  signal.addEventListener('abort', () => window.cancelIdleCallback(handle), { once: true });
}

function startLater(run: () => void, delayMs: number, signal: AbortSignal): void {
  if (signal.aborted) return;
  const timer = setTimeout(run, delayMs);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

const retryDelayMs = 2000;
const idleDelayMs = 200;
const maxIdleWaitMs = 1000;
