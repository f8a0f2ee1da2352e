export interface Limits {
  maxAtOnce: number;
  /** More than that do not wait; they are refused. */
  maxWaiting: number;
  /** How many times as long as its work took a place rests, while others wait. */
  restFactor: number;
}

/**
 * Limits work that takes a whole core each time. At most `maxAtOnce` run, the others wait in order. While some wait, each
 * place rests between two pieces of work, so that a flood of them leaves processor time to other requests.
 * @param refuse throws the error of work that would have to wait behind `maxWaiting` others
 */
export function limitTo(limits: Limits, refuse: () => never): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  return async (work) => {
    if (taken < limits.maxAtOnce) taken += 1;
    else if (waiting.length >= limits.maxWaiting) refuse();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const start = performance.now();
    try {
      return await work();
    } finally {
      if (waiting.length === 0) release();
      else setTimeout(release, limits.restFactor * (performance.now() - start));
    }
  };
}
