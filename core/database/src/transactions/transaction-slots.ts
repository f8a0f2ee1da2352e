import { GantryError } from '@gantry/plugin-api/errors';

/** Open transactions of a plugin at most: each holds a connection, which requests and other plugins need as well. */
const maxOpen = 4;

/** How long a transaction waits for another one of the plugin to end. */
const waitTimeoutMs = 30_000;

export interface TransactionSlots {
  /** @throws GantryError UNAVAILABLE when the open transactions of the plugin do not end in time */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Lets the transactions of one plugin wait for each other, in the order in which they come. */
export function createTransactionSlots(plugin: string): TransactionSlots {
  let open = 0;
  const waiting = new Set<() => void>();
  const acquire = (): Promise<void> => {
    if (open < maxOpen) {
      open += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(enter);
        reject(tooManyOpen(plugin));
      }, waitTimeoutMs);
      waiting.add(enter);
    });
  };
  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      open -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    async run(work) {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

function tooManyOpen(plugin: string): GantryError {
  return new GantryError(
    'UNAVAILABLE',
    `The plugin ${plugin} has ${maxOpen} open transactions, and none ended within ${waitTimeoutMs / 1000} s. A transaction ends when its function resolves.`,
    { headers: { 'Retry-After': '5' } },
  );
}
