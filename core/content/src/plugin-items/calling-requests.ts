import { AsyncLocalStorage } from 'node:async_hooks';
import { GantryError } from '@gantry/plugin-api';
import type { Scope } from '../policy/scope';

/** A request that a route or a mount of a plugin answers. */
export interface CallingRequest {
  /** The scope of who makes it. */
  readonly scope: () => Scope;
  /** Method and path as the plugin registered them, for example `POST /orders/:orderId/refund`. */
  readonly route: string;
  /** When its connection to the client was done, by `performance.now()`; undefined until then. */
  endedAt?: number;
}

/**
 * The request on whose behalf code runs, timers and promises that its handler left behind included. Two requests at the same
 * time have nothing of each other.
 */
export interface CallingRequests {
  /** Runs the handler of a request. */
  run<T>(request: CallingRequest, work: () => T): T;
  /** Runs code that belongs to no request, although one may have caused it: a hook of a model, an activity. */
  leave<T>(work: () => T): T;
  /**
   * Undefined outside of a request.
   * @throws GantryError UNAUTHENTICATED long after its end, when the caller may have lost the rights that it had
   */
  current(): CallingRequest | undefined;
  /** The same without an error for a request that has ended. */
  cause(): CallingRequest | undefined;
  close(): void;
}

/** Work that a handler leaves behind keeps the rights of the caller for this time. */
export const maxAfterEndMs = 60_000;

export function createCallingRequests(now: () => number = () => performance.now()): CallingRequests {
  const requests = new AsyncLocalStorage<CallingRequest | undefined>();
  return {
    run: (request, work) => requests.run(request, work),
    leave: (work) => requests.run(undefined, work),
    current() {
      const request = requests.getStore();
      if (request?.endedAt !== undefined && now() - request.endedAt > maxAfterEndMs) throw longEnded(request);
      return request;
    },
    cause: () => requests.getStore(),
    close: () => requests.disable(),
  };
}

function longEnded({ route }: CallingRequest): GantryError {
  return new GantryError(
    'UNAUTHENTICATED',
    `Items are used by work that a request to ${route} began, more than ${maxAfterEndMs / 1000} s after that request ended: the rights of its caller are not valid any more. Begin work that goes on in start, or use ctx.items.asPlugin().`,
  );
}
