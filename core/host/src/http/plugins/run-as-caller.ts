import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallingRequest, CallingRequests } from '../../content/plugin-items/calling-requests';
import type { Scope } from '../../content/policy/scope';
import type { Principal } from '../../identity';
import { findPrincipal } from '../exchange/principal';
import { requestIdOf } from '../exchange/request-context';

/** Runs what answers a request, so that `ctx.items` of plugins acts as its caller. @param route method and path as registered */
export type RunAsCaller = <T>(
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  route: string,
  work: () => T,
) => T;

export interface RunAsCallerDependencies {
  readonly requests: Pick<CallingRequests, 'run'>;
  /** @param principal undefined for a request without a credential to a public mount */
  readonly scopeOf: (principal: Principal | undefined, requestId: string) => Scope;
}

export function createRunAsCaller({ requests, scopeOf }: RunAsCallerDependencies): RunAsCaller {
  return ({ request, response }, route, work) => {
    const principal = findPrincipal(request);
    const requestId = requestIdOf(request);
    const calling: CallingRequest = { scope: () => scopeOf(principal, requestId), route };
    response.once('close', () => {
      calling.endedAt = performance.now();
    });
    return requests.run(calling, work);
  };
}
