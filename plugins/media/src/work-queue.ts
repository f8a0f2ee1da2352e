import { GantryError } from '@gantry/plugin-api';

/** Lets only so many pieces of work run at a time. */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Pictures are unpacked a few at a time: each may take hundreds of megabytes and a whole core.
 * @param places how many run at once
 * @param waiting how many more may wait; those that come then are refused with UNAVAILABLE
 */
export function createWorkQueue(places: number, waiting: number): WorkQueue {
  const queue: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free === 0 && queue.length >= waiting) {
      throw new GantryError('UNAVAILABLE', 'Too many images are being processed. Try again in a moment.');
    }
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
