import type { IncomingMessage } from 'node:http';
import { onceFor } from '@gantry/core-common';
import type { RouteContract } from '@gantry/core-loader';
import { createAttemptLimit } from './attempt-limit';
import { createSharedResource, holderOf, thisMachine, type SharedResource } from './shared-resource';

/** The limits of one route. */
export interface RouteLimit {
  /** Counts a request. @throws GantryError TOO_MANY_REQUESTS */
  begin(request: IncomingMessage): Promise<void>;
  /** Holds a share while the handler works. @throws GantryError TOO_MANY_REQUESTS */
  run<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T>;
}

/** The limits of routes by their contracts; each server of routes counts for itself. */
export function createRouteLimits(): (contract: RouteContract) => RouteLimit | undefined {
  const named = new Map<string, SharedResource>();
  return onceFor(({ limits, operationId, owner }) => {
    if (limits === undefined) return undefined;
    const { share, rate, name, max } = limits;
    const what = name ?? `requests of ${operationId}`;
    const key = `${owner ?? ''} ${what}`;
    const shared = named.get(key) ?? createSharedResource({ what, share, ...(max === undefined ? {} : { max }) });
    named.set(key, shared);
    const counted = rate === false ? undefined : createAttemptLimit(rate.requests, rate.seconds * 1_000, 'requests');
    return {
      async begin(request) {
        const holder = holderOf(request);
        if (holder !== thisMachine) await counted?.begin(holder);
      },
      run: (request, work) => shared.run(holderOf(request), work),
    };
  });
}
