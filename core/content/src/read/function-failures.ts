import { describeError } from '@gantry/core-common';
import type { Logger } from '@gantry/plugin-api';

/** A function that an item type declares. */
export interface DeclaredFunction {
  readonly plugin: string;
  /** Code of the item type. */
  readonly type: string;
  /** `searchResult`, or the name of a computed field. */
  readonly name: string;
}

/** Rows for which the functions of item types failed since the start of the process. */
export interface FunctionFailures {
  /**
   * Counts the rows of one answer, and writes a line to the log.
   * @param first why the first row failed
   * @param message what is answered instead
   */
  record(failed: DeclaredFunction, rows: number, first: unknown, message: string): void;
  /** @returns each function that has failed */
  list(): readonly (DeclaredFunction & { readonly rows: number })[];
}

/** Milliseconds between two lines of the log about the same function: a list may have a thousand items for which it fails. */
const logIntervalMs = 60_000;

export function createFunctionFailures(logger: Pick<Logger, 'error'>, now: () => number = Date.now): FunctionFailures {
  const failures = new Map<string, DeclaredFunction & { readonly rows: number; readonly loggedAt: number }>();
  return {
    record({ plugin, type, name }, rows, first, message) {
      const key = `${type}.${name}`;
      const known = failures.get(key);
      const isLogged = known !== undefined && now() - known.loggedAt < logIntervalMs;
      const loggedAt = isLogged ? known.loggedAt : now();
      failures.set(key, { plugin, type, name, rows: (known?.rows ?? 0) + rows, loggedAt });
      if (!isLogged) logger.error({ plugin, type, function: name, items: rows, reason: describeError(first) }, message);
    },
    list: () => [...failures.values()].map(({ plugin, type, name, rows }) => ({ plugin, type, name, rows })),
  };
}
