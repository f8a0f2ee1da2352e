import { GantryError } from '@gantry/plugin-api/errors';

/** Operations of code that has one connection, which takes one at a time, also when several are asked for together. */
export interface OperationsInOrder {
  /** @throws GantryError BAD_REQUEST after the end */
  run<R>(work: () => Promise<R>): Promise<R>;
  end(): Promise<void>;
}

export function operationsInOrder(): OperationsInOrder {
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  return {
    run(work) {
      const result = last.then(() => {
        if (hasEnded) {
          throw new GantryError(
            'BAD_REQUEST',
            'The transaction has ended. Await all its operations before its function resolves, and do not keep its items.',
          );
        }
        return work();
      });
      last = result.catch(() => undefined);
      return result;
    },
    async end() {
      await last;
      hasEnded = true;
    },
  };
}
