import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallingRequest, CallingRequests, Scope } from '@gantry/core-content';
import type { Principal } from '../ports';
import { findPrincipal } from '../exchange/caller/principal';
import { requestIdOf } from '../exchange/request-context';

/** Runs code of a plugin that answers one request, so that `ctx.items` acts as its caller. */
export type RunAsCaller = <T>(work: () => T) => T;

/** @param route method and path as the plugin registered them */
export type OpenCaller = (exchange: Exchange, route: string) => RunAsCaller;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface OpenCallerDependencies {
  readonly requests: Pick<CallingRequests, 'run'>;
  /** @param principal undefined for a request without a credential to a public mount */
  readonly scopeOf: (principal: Principal | undefined, requestId: string) => Scope;
}

export function createOpenCaller({ requests, scopeOf }: OpenCallerDependencies): OpenCaller {
  return ({ request, response }, route) => {
    const principal = findPrincipal(request);
    const requestId = requestIdOf(request);
    const calling: CallingRequest = { scope: () => scopeOf(principal, requestId), route };
    response.once('close', () => {
      calling.endedAt = performance.now();
    });
    return (work) => requests.run(calling, work);
  };
}

/**
 * Calls the listeners of a request and its response as its caller, too. Node.js emits these events from the connection, which began
 * before the caller was known: a listener that the handler adds would run outside of the request, with all rights of the plugin.
 */
export function emitAsCaller({ request, response }: Exchange, run: RunAsCaller): void {
  for (const emitter of [request, response]) {
    const emit = emitter.emit.bind(emitter) as (...event: unknown[]) => boolean;
    emitter.emit = (...event: unknown[]) => run(() => emit(...event));
  }
}
